#pragma once

#include "infra/sql/sql_store.h"
#include "infra/sqlite/store.h"
#include "tests/infra/sql/ledger_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::testing {

class SqlitePorts final : public LedgerPorts {
 public:
  static Result<std::unique_ptr<SqlitePorts>> Open(infra::sqlite::StoreOptions options,
                                                   Clock& clock,
                                                   const MemoryArchive& archive = {}) {
    auto database = PATRA_TRY(infra::sqlite::Store::Open(std::move(options), clock));
    auto ports = std::make_unique<SqlitePorts>();
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
    PATRA_ASSERT(database()
                     .Write([&](infra::sql::Session& session) { return session.Execute(sql); })
                     .has_value());
  }

 private:
  std::unique_ptr<infra::sql::SqlStore> store_;
};

class SqliteBackend final : public LedgerBackend {
 public:
  std::unique_ptr<LedgerPorts> Connect(Clock& clock) override {
    return *SqlitePorts::Open({.path = folder_.Path("patra.db"), .synchronous_full = false}, clock,
                              archive);
  }

 private:
  TemporaryFolder folder_;
};

inline const LedgerBackendFactory kSqlite{
    "Sqlite", [] { return std::unique_ptr<LedgerBackend>(new SqliteBackend); }};

}  // namespace patra::testing
