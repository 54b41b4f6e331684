// One SQLite connection with its prepared statements. Not thread-safe: one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "infra/sql/session.h"

struct sqlite3;

namespace patra::infra::sqlite {

class Connection final : public sql::Session {
 public:
  // kImmutable: nobody writes while it is open, so that it needs no files beside the store.
  enum class Access { kReadWrite, kReadOnly, kImmutable };

  static Result<std::unique_ptr<Connection>> Open(const std::string& path, Access access);
  ~Connection() override;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  sql::Dialect dialect() const override { return sql::Dialect::kSqlite; }
  Result<void> Execute(const std::string& sql) override;

  bool in_transaction() const;
  sqlite3* handle() { return handle_; }

 private:
  class Prepared;

  explicit Connection(sqlite3* handle);

  Result<sql::Statement*> Prepare(std::string_view sql, std::span<const sql::Parameter> parameters,
                                  const std::optional<sql::ValueList>& list,
                                  Lifetime lifetime) override;
  // Statements are kept by the address of their text, which is cheaper to look up than the text: SQL
  // is written as constants.
  Result<Prepared*> Find(std::string_view sql);

  sqlite3* handle_;
  std::unordered_map<const char*, std::unique_ptr<Prepared>> statements_;
};

// What a SQLite result code means to the caller, with the library's own message.
Error ErrorFrom(sqlite3* handle, int code, std::string_view doing);

}  // namespace patra::infra::sqlite
