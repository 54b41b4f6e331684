// A connection to a database, whichever it is. One thread at a time.
//
// A statement names its parameters (:plan_id), and so does whoever runs it; one that lacks a value, or gets one that it does
// not have, does not run. What it yields is read by the columns' names.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "base/time.h"

namespace patra::infra::sql {

class SlowStatements;

// Bytes to bind as a BLOB rather than as text.
struct Blob {
  std::string_view bytes;
};

// What a parameter stands for. Points to texts and bytes, which have to outlive the call.
class Bound {
 public:
  enum class Kind : std::uint8_t { kNull, kInteger, kText, kBytes };

  // NOLINTBEGIN(google-explicit-constructor): values stand in lists of parameters as they are.
  constexpr Bound(std::nullopt_t) {}
  constexpr Bound(std::int64_t value) : kind_(Kind::kInteger), integer_(value) {}
  constexpr Bound(int value) : Bound(std::int64_t{value}) {}
  constexpr Bound(bool value) : Bound(std::int64_t{value}) {}
  constexpr Bound(std::string_view text) : kind_(Kind::kText), text_(text) {}
  Bound(const std::string& text) : Bound(std::string_view(text)) {}
  constexpr Bound(const char* text) : Bound(std::string_view(text)) {}
  constexpr Bound(Blob blob) : kind_(Kind::kBytes), text_(blob.bytes) {}
  Bound(const Sha256Digest& digest)
      : Bound(Blob{{reinterpret_cast<const char*>(digest.data()), digest.size()}}) {}
  constexpr Bound(Instant time) : Bound(std::int64_t{time.time_since_epoch().count()}) {}
  template <typename Value>
  constexpr Bound(const std::optional<Value>& value)
      : Bound(value ? Bound(*value) : Bound(std::nullopt)) {}
  // NOLINTEND(google-explicit-constructor)

  Kind kind() const { return kind_; }
  std::int64_t integer() const { return integer_; }
  std::string_view text() const { return text_; }

 private:
  Kind kind_ = Kind::kNull;
  std::int64_t integer_ = 0;
  std::string_view text_;
};

struct Parameter {
  std::string_view name;
  Bound value;
};

// Those of one statement, as they stand in its call, or as somebody keeps them. Only points to them.
class Parameters {
 public:
  constexpr Parameters() = default;
  // NOLINTBEGIN(google-explicit-constructor): they stand in calls as they are.
  constexpr Parameters(std::span<const Parameter> given) : given_(given) {}
  constexpr Parameters(std::initializer_list<Parameter> given)
      : Parameters(std::span(given.begin(), given.size())) {}
  // NOLINTEND(google-explicit-constructor)

  constexpr auto begin() const { return given_.begin(); }
  constexpr auto end() const { return given_.end(); }

 private:
  std::span<const Parameter> given_;
};

// Statements are written in the words of SQLite, which a session says in its own (infra/mysql/localise.h). Where the databases
// need more than other words, both texts stand side by side.
enum class Dialect { kSqlite, kMysql };
struct PerDialect {
  std::string_view sqlite;
  std::string_view mysql;
};

// How many values a list in a statement holds.
inline constexpr std::size_t kListMax = 100;

// SQL that ends with a list of values to choose from: `… IN` and its parameters.
std::string WithList(std::string_view sql);

// Such a list. Points to what it is made of.
using ValueList = std::span<const Bound>;
template <typename Values>
std::vector<Bound> ListOf(const Values& values) {
  std::vector<Bound> list;
  list.reserve(std::size(values));
  for (const auto& value : values) list.emplace_back(value);
  return list;
}

// The column of a query that has one alone.
inline constexpr std::string_view kOnly;

// A statement as a database runs it. Belongs to its session.
class Statement {
 public:
  virtual ~Statement() = default;

  virtual Result<bool> Next() = 0;     // false after the last row
  virtual void End() noexcept = 0;     // it may be run again
  virtual std::int64_t changed() = 0;  // rows, once there is no next one

  virtual int columns() const = 0;
  virtual std::string_view ColumnName(int column) const = 0;
  virtual bool IsNull(int column) const = 0;
  virtual std::int64_t Integer(int column) const = 0;
  virtual double Number(int column) const = 0;
  virtual std::string_view View(int column) const = 0;  // valid until the next row
};

// The rows of a running query. Ends the query when it goes out of scope.
class Rows {
 public:
  explicit Rows(Statement& statement) : statement_(&statement) {}
  ~Rows() {
    if (statement_ != nullptr) statement_->End();
  }
  Rows(Rows&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Rows& operator=(Rows&&) = delete;

  Result<bool> Next() { return statement_->Next(); }  // false after the last row

  // REQUIRES: the query has a column of that name, or is asked for its kOnly one
  bool IsNull(std::string_view column) const { return statement_->IsNull(At(column)); }
  std::int64_t Integer(std::string_view column) const { return statement_->Integer(At(column)); }
  double Number(std::string_view column) const { return statement_->Number(At(column)); }
  // Valid until the next row.
  std::string_view View(std::string_view column) const { return statement_->View(At(column)); }
  std::string Text(std::string_view column) const { return std::string(View(column)); }
  // What is stored as its 32 bytes. Anything else is no digest of anything: all its bytes are zero.
  Sha256Digest Digest(std::string_view column) const;
  Instant Time(std::string_view column) const { return Instant(Duration(Integer(column))); }
  std::optional<std::int64_t> OptionalInteger(std::string_view column) const;
  std::optional<std::string> OptionalText(std::string_view column) const;
  std::optional<Instant> OptionalTime(std::string_view column) const;

 private:
  int At(std::string_view column) const;

  Statement* statement_;
  mutable int next_ = 0;  // columns are mostly read in their order
};

class Session {
 public:
  virtual ~Session() = default;

  // Whoever hears of its statements that take long; null: nobody. It outlives the session.
  void WatchBy(SlowStatements* slow) { slow_ = slow; }

  virtual Dialect dialect() const = 0;
  std::string_view In(const PerDialect& texts) const {
    return dialect() == Dialect::kSqlite ? texts.sqlite : texts.mysql;
  }

  // Several statements without parameters and results.
  virtual Result<void> Execute(const std::string& sql) = 0;

  // Runs a statement to its end; the number of rows it changed.
  Result<std::int64_t> Run(std::string_view sql, Parameters parameters = {});

  // Runs an INSERT once for each row. `row` gives the values of one to the function that it is handed; the texts among
  // them outlive the whole call, for a database far away is sent many rows at once.
  using RowOf =
      std::function<Result<void>(std::size_t, const std::function<Result<void>(Parameters)>&)>;
  virtual Result<void> RunEach(std::string_view sql, std::size_t rows, const RowOf& row);

  // Starts a query. It keeps copies of what is bound.
  Result<Rows> Query(std::string_view sql, Parameters parameters = {});

  // Asks once for each row of values, and hands over what comes. A query says by a column of its own which row of values
  // it was asked with, because many are asked at once of a database far away.
  using Answer = std::function<Result<void>(const Rows&)>;
  virtual Result<void> QueryEach(std::string_view sql, std::size_t rows, const RowOf& row,
                                 const Answer& answer);

  // With a list of values of any length, for some of which there is room in the SQL as WithList wrote it. What is in no
  // list is in none of the answers. (As JSON it could hold no NUL, which ids may have.)
  Result<void> QueryIn(std::string_view sql, ValueList list, Parameters parameters,
                       const Answer& answer);

  // The number of rows that were changed, of all pieces of the list.
  Result<std::int64_t> RunIn(std::string_view sql, ValueList list, Parameters parameters);

  // The single integer of a query that yields one row, such as a count.
  Result<std::int64_t> Integer(std::string_view sql, Parameters parameters = {});

 protected:
  enum class Lifetime { kOfCall, kOfRows };  // of what is bound

  // Ready to run. `sql` is a constant, or made anew with the same text: statements are kept by its address.
  virtual Result<Statement*> Prepare(std::string_view sql, std::span<const Parameter> parameters,
                                     const std::optional<ValueList>& list, Lifetime lifetime) = 0;

  // How many values of a list go at once.
  virtual std::size_t list_max() const { return kListMax; }

  SlowStatements* slow() const { return slow_; }

 private:
  Result<void> InPieces(ValueList list, const std::function<Result<void>(ValueList)>& each) const;

  SlowStatements* slow_ = nullptr;
};

}  // namespace patra::infra::sql
