// A row of any table as a line of JSON, for whoever keeps it outside of the store.
//
// Numbers beyond 2^53 are texts, because most who read JSON would round them; what is no UTF-8 is {"base64": …}.
#pragma once

#include <string>
#include <string_view>

#include "base/value.h"
#include "infra/sql/stored_table.h"

namespace patra::infra::sql {

// With further members, which are no columns.
std::string RowToJson(const StoredTable& table, const StoredRow& row, Value::Object members = {});

// Columns that the line does not have are NULL, such as those that are younger than it; members that the table does not have
// are left out.
Result<StoredRow> RowFromJson(const StoredTable& table, std::string_view line);

// One row, read like that of a query.
class OneRow final : public Statement {
 public:
  OneRow(const StoredTable& table, StoredRow row) : table_(table), row_(std::move(row)) {}

  Result<bool> Next() override { return std::exchange(is_ahead_, false); }
  void End() noexcept override {}
  std::int64_t changed() override { return 0; }

  int columns() const override { return static_cast<int>(table_.columns.size()); }
  std::string_view ColumnName(int column) const override { return table_.columns[At(column)].name; }
  bool IsNull(int column) const override { return row_[At(column)].is_null; }
  std::int64_t Integer(int column) const override { return row_[At(column)].integer; }
  double Number(int column) const override { return row_[At(column)].real; }
  std::string_view View(int column) const override { return row_[At(column)].bytes; }

 private:
  static std::size_t At(int column) { return static_cast<std::size_t>(column); }

  const StoredTable& table_;
  const StoredRow row_;
  bool is_ahead_ = true;
};

}  // namespace patra::infra::sql
