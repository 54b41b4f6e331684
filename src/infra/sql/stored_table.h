// Any table of a store, by what its database says of it, with its rows in the order of its key: for whoever moves a whole store.
#pragma once

#include <compare>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "infra/sql/session.h"

namespace patra::infra::sql {

enum class StoredKind : std::uint8_t { kInteger, kReal, kText, kBytes };

struct StoredColumn {
  std::string name;
  StoredKind kind = StoredKind::kInteger;
  bool is_long = false;  // of a server: a value of it may be as large as a page
};

struct StoredTable {
  std::string name;
  std::vector<StoredColumn> columns;  // without those that the database makes of others
  std::vector<std::size_t> key;       // which of them
};

// All that the database has, by name.
Result<std::vector<StoredTable>> StoredTablesOf(Session& session);
// The same, and views, by name alone.
Result<std::vector<std::string>> TableAndViewNames(Session& session);

struct StoredValue {
  bool is_null = true;
  std::int64_t integer = 0;
  double real = 0;
  std::string bytes;
};
using StoredRow = std::vector<StoredValue>;  // as the table's columns

// REQUIRES: the rows are of a query that has all columns of the table
StoredRow ReadStoredRow(const StoredTable& table, const Rows& rows);
// `"id", "name"`. In quotation marks: to some database the name of a column is a word of its language.
std::string ColumnList(const StoredTable& table);

// The value with its kind, such that no other value reads the same.
void AppendValue(std::string& text, StoredKind kind, const StoredValue& value);
// As a person writes it.
std::string DescribeKey(const StoredTable& table, const StoredRow& row);
// As databases order rows.
std::strong_ordering CompareKeys(const StoredTable& table, const StoredRow& a, const StoredRow& b);

// How much is held at once. A row that is larger than that comes alone.
struct RowsBound {
  std::int64_t rows = 4096;
  std::size_t bytes = std::size_t{8} << 20;
};

// What is done with the rows of one table in one database.
class TableAccess {
 public:
  TableAccess(StoredTable table, Dialect dialect);

  const StoredTable& table() const { return table_; }

  // The next rows after that one, or the first. None: there are no more.
  Result<std::vector<StoredRow>> ReadAfter(Session& session, const StoredRow* after,
                                           const RowsBound& bound) const;
  // The row with the largest key.
  Result<std::optional<StoredRow>> Last(Session& session) const;
  Result<void> Insert(Session& session, std::span<const StoredRow> rows) const;
  Result<void> Clear(Session& session) const;
  Result<bool> IsEmpty(Session& session) const;

 private:
  Result<std::int64_t> RowsThatFit(Session& session, std::span<const Parameter> place,
                                   const std::string& sql, const RowsBound& bound) const;
  Bound BoundOf(std::size_t column, const StoredValue& value, const std::string& real) const;

  StoredTable table_;
  std::vector<std::string> after_;  // names of what a key is compared with
  std::string read_first_;
  std::string read_after_;
  std::string measure_first_;  // empty: rows come one by one, and whoever reads stops in time
  std::string measure_after_;
  std::string read_last_;
  std::string insert_;
  std::string clear_;
  std::string any_;
};

}  // namespace patra::infra::sql
