#pragma once

#include "infra/mysql/store.h"
#include "infra/sql/sql_store.h"
#include "tests/infra/sql/ledger_fixture.h"
#include "tests/test_database.h"

namespace patra::testing {

class MysqlPorts final : public LedgerPorts {
 public:
  static Result<std::unique_ptr<MysqlPorts>> Open(const infra::mysql::Address& address,
                                                  Clock& clock, const MemoryArchive& archive = {}) {
    auto database = PATRA_TRY(infra::mysql::Store::Open({.address = address}, clock));
    auto ports = std::make_unique<MysqlPorts>();
    ports->store_ = PATRA_TRY(infra::sql::SqlStore::Open(std::move(database), clock, "",
                                                         std::make_unique<MemoryArchive>(archive)));
    return ports;
  }

  app::Store& store() override { return *store_; }
  infra::sql::Database& database() override { return store_->database(); }
  std::int64_t Count(const std::string& sql) override {
    const auto count =
        database().Read([&](infra::sql::Session& session) { return session.Integer(sql); });
    return count.value_or(-1);
  }
  void Execute(const std::string& sql) override {
    const auto done =
        database().Write([&](infra::sql::Session& session) { return session.Execute(sql); });
    ASSERT_TRUE(done) << done.error().Describe();
  }

 private:
  std::unique_ptr<infra::sql::SqlStore> store_;
};

class MysqlBackend final : public LedgerBackend {
 public:
  std::unique_ptr<LedgerPorts> Connect(Clock& clock) override {
    auto ports = MysqlPorts::Open(address(), clock, archive);
    if (!ports) ADD_FAILURE() << ports.error().Describe();
    return *std::move(ports);
  }

  infra::mysql::Address address() const { return AddressOf(database_.name()); }

 private:
  TestDatabase database_;
};

inline const LedgerBackendFactory kMysql{
    "Mysql", [] { return std::unique_ptr<LedgerBackend>(new MysqlBackend); }};

}  // namespace patra::testing
