// One SQLite connection with its prepared statements. Not thread-safe: one thread at a time.
//
// SQL names its parameters (:plan_id); values are bound in the order in which the names first
// appear.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "base/time.h"

struct sqlite3;
struct sqlite3_stmt;

namespace patra::infra::sqlite {

// Bytes to bind as a BLOB rather than as text.
struct Blob {
  std::string_view bytes;
};

// How many texts a list in a statement holds.
inline constexpr std::size_t kListMax = 100;

// SQL that ends with a list of texts to choose from: `… IN` and its parameters.
std::string WithList(std::string_view sql);

// The rows of a running query. Ends the query when it goes out of scope.
class Rows {
 public:
  explicit Rows(sqlite3_stmt* statement) : statement_(statement) {}
  ~Rows();
  Rows(Rows&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Rows& operator=(Rows&&) = delete;

  Result<bool> Next();  // false after the last row

  bool IsNull(int column) const;
  std::int64_t Integer(int column) const;
  double Number(int column) const;
  std::string Text(int column) const;
  std::string_view View(int column) const;  // valid until the next row
  Instant Time(int column) const { return Instant(Duration(Integer(column))); }
  std::optional<std::int64_t> OptionalInteger(int column) const;
  std::optional<std::string> OptionalText(int column) const;
  std::optional<Instant> OptionalTime(int column) const;

 private:
  sqlite3_stmt* statement_;
};

class Connection {
 public:
  enum class Access { kReadWrite, kReadOnly };

  static Result<std::unique_ptr<Connection>> Open(const std::string& path, Access access);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Several statements without parameters and results.
  Result<void> Execute(const std::string& sql);

  // Runs a statement to its end; the number of rows it changed.
  template <typename... Values>
  Result<std::int64_t> Run(std::string_view sql, const Values&... values) {
    auto* statement = PATRA_TRY(Prepare(sql));
    int index = 0;
    (Bind(statement, ++index, values), ...);
    return Finish(statement);
  }

  // Starts a query.
  template <typename... Values>
  Result<Rows> Query(std::string_view sql, const Values&... values) {
    auto* statement = PATRA_TRY(Prepare(sql));
    int index = 0;
    (Bind(statement, ++index, values), ...);
    return Rows(statement);
  }

  // The same with a list of at most kListMax texts, which stands in the SQL as WithList wrote it and is bound after the
  // values. (As JSON it could hold no NUL, which ids may have.)
  template <typename... Values>
  Result<Rows> QueryIn(std::string_view sql, std::span<const std::string_view> list,
                       const Values&... values) {
    auto* statement = PATRA_TRY(Prepare(sql));
    int index = 0;
    (Bind(statement, ++index, values), ...);
    for (std::size_t i = 0; i < kListMax; ++i) {
      // Null is equal to nothing.
      if (i < list.size()) {
        Bind(statement, ++index, list[i]);
      } else {
        Bind(statement, ++index, std::nullopt);
      }
    }
    return Rows(statement);
  }

  // The single integer of a query that yields one row, such as a count.
  template <typename... Values>
  Result<std::int64_t> Integer(std::string_view sql, const Values&... values) {
    auto rows = PATRA_TRY(Query(sql, values...));
    if (!PATRA_TRY(rows.Next())) return Fail(ErrorCode::kNotFound, "the query has no row");
    return rows.Integer(0);
  }

  bool in_transaction() const;
  sqlite3* handle() { return handle_; }

 private:
  explicit Connection(sqlite3* handle) : handle_(handle) {}

  // Statements are kept by the address of their text, which is cheaper to look up than the text: SQL
  // is written as constants.
  Result<sqlite3_stmt*> Prepare(std::string_view sql);
  Result<std::int64_t> Finish(sqlite3_stmt* statement);

  static void Bind(sqlite3_stmt* statement, int index, std::int64_t value);
  static void Bind(sqlite3_stmt* statement, int index, int value) {
    Bind(statement, index, std::int64_t{value});
  }
  static void Bind(sqlite3_stmt* statement, int index, bool value) {
    Bind(statement, index, std::int64_t{value});
  }
  static void Bind(sqlite3_stmt* statement, int index, std::string_view text);
  static void Bind(sqlite3_stmt* statement, int index, const std::string& text) {
    Bind(statement, index, std::string_view(text));
  }
  static void Bind(sqlite3_stmt* statement, int index, const char* text) {
    Bind(statement, index, std::string_view(text));
  }
  static void Bind(sqlite3_stmt* statement, int index, Blob blob);
  static void Bind(sqlite3_stmt* statement, int index, Instant time) {
    Bind(statement, index, time.time_since_epoch().count());
  }
  static void Bind(sqlite3_stmt* statement, int index, std::nullopt_t);
  template <typename Value>
  static void Bind(sqlite3_stmt* statement, int index, const std::optional<Value>& value) {
    if (value) {
      Bind(statement, index, *value);
    } else {
      Bind(statement, index, std::nullopt);
    }
  }

  sqlite3* handle_;
  std::unordered_map<const char*, sqlite3_stmt*> statements_;
};

// What a SQLite result code means to the caller, with the library's own message.
Error ErrorFrom(sqlite3* handle, int code, std::string_view doing);

}  // namespace patra::infra::sqlite
