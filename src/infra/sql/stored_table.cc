#include "infra/sql/stored_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <deque>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "infra/sql/texts_in.h"

namespace patra::infra::sql {
namespace {

// Of tables only: key_place is 0 for what is not of the key.
constexpr PerDialect kColumnsOfTables{.sqlite = R"sql(
    SELECT named.name AS table_name, about.name AS column_name, lower(about.type) AS data_type,
        about.pk AS key_place
    FROM sqlite_schema AS named, pragma_table_xinfo(named.name) AS about
    WHERE named.type = 'table' AND named.name NOT LIKE 'sqlite_%' AND about.hidden = 0
    ORDER BY named.name, about.cid LIMIT 100000)sql",
                                      .mysql = R"sql(
    SELECT about.table_name AS table_name, about.column_name AS column_name,
        about.data_type AS data_type, coalesce(indexed.seq_in_index, 0) AS key_place
    FROM information_schema.columns AS about
    JOIN information_schema.tables AS named
        ON named.table_schema = about.table_schema AND named.table_name = about.table_name
    LEFT JOIN information_schema.statistics AS indexed
        ON indexed.table_schema = about.table_schema AND indexed.table_name = about.table_name
        AND indexed.column_name = about.column_name AND indexed.index_name = 'PRIMARY'
    WHERE about.table_schema = DATABASE() AND named.table_type = 'BASE TABLE'
      AND coalesce(about.generation_expression, '') = ''
    ORDER BY about.table_name, about.ordinal_position LIMIT 100000)sql"};

constexpr PerDialect kNamesOfAll{.sqlite = R"sql(
    SELECT name FROM sqlite_schema
    WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%' ORDER BY name LIMIT 100000)sql",
                                 .mysql = R"sql(
    SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = DATABASE() ORDER BY table_name LIMIT 100000)sql"};

StoredKind KindOf(std::string_view type) {
  if (type.ends_with("int") || type == "integer") return StoredKind::kInteger;
  if (type == "real" || type == "double") return StoredKind::kReal;
  return type.ends_with("text") ? StoredKind::kText : StoredKind::kBytes;
}

void AppendNumber(std::string& text, std::uint64_t number) {
  std::array<char, sizeof number> bytes{};
  std::memcpy(bytes.data(), &number, sizeof number);
  text.append(bytes.data(), bytes.size());
}

// Of rows after one in the order of the key. Only SQLite finds that place by comparing rows.
std::string ComesAfter(Dialect dialect, const std::vector<std::string>& key,
                       const std::vector<std::string>& after) {
  if (dialect == Dialect::kSqlite)
    return fmt::format("({}) > (:{})", fmt::join(key, ", "), fmt::join(after, ", :"));
  std::string condition;
  for (std::size_t i = 0; i < key.size(); ++i) {
    condition += i == 0 ? "" : " OR ";
    for (std::size_t j = 0; j < i; ++j) condition += fmt::format("{} = :{} AND ", key[j], after[j]);
    condition += fmt::format("{} > :{}", key[i], after[i]);
  }
  return condition;
}

}  // namespace

Result<std::vector<StoredTable>> StoredTablesOf(Session& session) {
  std::vector<StoredTable> tables;
  std::vector<std::pair<std::int64_t, std::size_t>> key;  // place in the key, and which column
  const auto end_key = [&] {
    std::ranges::sort(key);
    for (const auto& [place, column] : key) tables.back().key.push_back(column);
    key.clear();
  };
  auto rows = PATRA_TRY(session.Query(session.In(kColumnsOfTables)));
  while (PATRA_TRY(rows.Next())) {
    const auto table = rows.View("table_name");
    if (tables.empty() || tables.back().name != table) {
      end_key();
      tables.push_back({.name = std::string(table), .columns = {}, .key = {}});
    }
    auto& columns = tables.back().columns;
    const auto type = rows.View("data_type");
    columns.push_back({.name = rows.Text("column_name"),
                       .kind = KindOf(type),
                       .is_long = type.starts_with("long")});
    if (const auto place = rows.Integer("key_place"); place > 0)
      key.emplace_back(place, columns.size() - 1);
  }
  end_key();
  return tables;
}

Result<std::vector<std::string>> TableAndViewNames(Session& session) {
  return TextsIn(PATRA_TRY(session.Query(session.In(kNamesOfAll))));
}

StoredRow ReadStoredRow(const StoredTable& table, const Rows& rows) {
  StoredRow row;
  row.reserve(table.columns.size());
  for (const auto& column : table.columns) {
    auto& value = row.emplace_back();
    value.is_null = rows.IsNull(column.name);
    if (value.is_null) continue;
    switch (column.kind) {
      case StoredKind::kInteger:
        value.integer = rows.Integer(column.name);
        break;
      case StoredKind::kReal:
        value.real = rows.Number(column.name);
        break;
      case StoredKind::kText:
      case StoredKind::kBytes:
        value.bytes = rows.Text(column.name);
        break;
    }
  }
  return row;
}

std::string ColumnList(const StoredTable& table) {
  std::vector<std::string> quoted;
  for (const auto& column : table.columns) quoted.push_back(fmt::format("\"{}\"", column.name));
  return fmt::format("{}", fmt::join(quoted, ", "));
}

void AppendValue(std::string& text, StoredKind kind, const StoredValue& value) {
  if (value.is_null) {
    text += 'n';
    return;
  }
  switch (kind) {
    case StoredKind::kInteger:
      text += 'i';
      AppendNumber(text, static_cast<std::uint64_t>(value.integer));
      break;
    case StoredKind::kReal:
      text += 'r';
      AppendNumber(text, std::bit_cast<std::uint64_t>(value.real));
      break;
    case StoredKind::kText:
    case StoredKind::kBytes:
      text += kind == StoredKind::kText ? 't' : 'b';
      AppendNumber(text, value.bytes.size());
      text += value.bytes;
      break;
  }
}

std::string DescribeKey(const StoredTable& table, const StoredRow& row) {
  std::vector<std::string> parts;
  for (const auto at : table.key) {
    const auto& value = row[at];
    parts.push_back(table.columns[at].name + "=" +
                    (table.columns[at].kind == StoredKind::kInteger ? std::to_string(value.integer)
                                                                    : value.bytes));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::strong_ordering CompareKeys(const StoredTable& table, const StoredRow& a, const StoredRow& b) {
  for (const auto at : table.key) {
    const auto order = table.columns[at].kind == StoredKind::kInteger
                           ? a[at].integer <=> b[at].integer
                           : a[at].bytes <=> b[at].bytes;
    if (order != 0) return order;
  }
  return std::strong_ordering::equal;
}

TableAccess::TableAccess(StoredTable table, Dialect dialect) : table_(std::move(table)) {
  std::vector<std::string> names, quoted, key, lengths;
  for (const auto& column : table_.columns) {
    names.push_back(column.name);
    quoted.push_back(fmt::format("\"{}\"", column.name));
    if (column.is_long && dialect == Dialect::kMysql)
      lengths.push_back(fmt::format("coalesce(length({}), 0)", quoted.back()));
  }
  for (const auto at : table_.key) {
    key.push_back(quoted[at]);
    after_.push_back("after_" + names[at]);
  }
  // The order of the key is that of the rows: nothing is sorted.
  const auto from =
      fmt::format(" FROM {}{}", table_.name, dialect == Dialect::kMysql ? " NOT INDEXED" : "");
  const auto order = fmt::format(" ORDER BY {}", fmt::join(key, ", "));
  const auto where = " WHERE " + ComesAfter(dialect, key, after_);
  const auto columns = ColumnList(table_);
  read_first_ = "SELECT " + columns + from + order + " LIMIT :rows_max";
  read_after_ = "SELECT " + columns + from + where + order + " LIMIT :rows_max";
  if (!lengths.empty()) {
    const auto bytes = fmt::format("SELECT {} AS bytes", fmt::join(lengths, " + "));
    measure_first_ = bytes + from + order + " LIMIT :rows_max";
    measure_after_ = bytes + from + where + order + " LIMIT :rows_max";
  }
  read_last_ =
      fmt::format("SELECT {}{} ORDER BY {} DESC LIMIT 1", columns, from, fmt::join(key, " DESC, "));
  insert_ = fmt::format("INSERT INTO {} ({}) VALUES (:{})", table_.name, columns,
                        fmt::join(names, ", :"));
  clear_ = "DELETE FROM " + table_.name;
  any_ = fmt::format("SELECT count(*) FROM (SELECT 1 AS one FROM {} LIMIT 1) AS first_row",
                     table_.name);
}

Bound TableAccess::BoundOf(std::size_t column, const StoredValue& value,
                           const std::string& real) const {
  if (value.is_null) return std::nullopt;
  switch (table_.columns[column].kind) {
    case StoredKind::kInteger:
      return value.integer;
    case StoredKind::kReal:
      return real;
    case StoredKind::kText:
      return value.bytes;
    case StoredKind::kBytes:
      return Blob{value.bytes};
  }
  return std::nullopt;
}

// A server sends all rows of an answer at once.
Result<std::int64_t> TableAccess::RowsThatFit(Session& session, std::span<const Parameter> place,
                                              const std::string& sql,
                                              const RowsBound& bound) const {
  if (sql.empty()) return bound.rows;
  std::int64_t count = 0;
  std::size_t bytes = 0;
  auto rows = PATRA_TRY(session.Query(sql, place));
  while (PATRA_TRY(rows.Next())) {
    bytes += static_cast<std::size_t>(rows.Integer("bytes"));
    if (count > 0 && bytes > bound.bytes) break;
    ++count;
  }
  return std::max<std::int64_t>(count, 1);
}

Result<std::vector<StoredRow>> TableAccess::ReadAfter(Session& session, const StoredRow* after,
                                                      const RowsBound& bound) const {
  std::vector<Parameter> place;
  for (std::size_t i = 0; after != nullptr && i < after_.size(); ++i)
    place.push_back({after_[i], BoundOf(table_.key[i], (*after)[table_.key[i]], {})});
  place.push_back({"rows_max", bound.rows});
  const auto& measure = after == nullptr ? measure_first_ : measure_after_;
  place.back().value = PATRA_TRY(RowsThatFit(session, place, measure, bound));

  std::vector<StoredRow> read;
  std::size_t bytes = 0;
  auto rows = PATRA_TRY(session.Query(after == nullptr ? read_first_ : read_after_,
                                      std::span<const Parameter>(place)));
  while (bytes < bound.bytes && PATRA_TRY(rows.Next())) {
    read.push_back(ReadStoredRow(table_, rows));
    for (const auto& value : read.back()) bytes += value.bytes.size();
  }
  return read;
}

Result<std::optional<StoredRow>> TableAccess::Last(Session& session) const {
  auto rows = PATRA_TRY(session.Query(read_last_));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return ReadStoredRow(table_, rows);
}

Result<void> TableAccess::Insert(Session& session, std::span<const StoredRow> rows) const {
  // Databases read the shortest text that means a number as that number, and statements bind no others than whole ones.
  std::deque<std::string> reals;
  const std::string none;
  return session.RunEach(insert_, rows.size(), [&](std::size_t i, const auto& run) {
    std::vector<Parameter> values;
    values.reserve(table_.columns.size());
    for (std::size_t at = 0; at < table_.columns.size(); ++at) {
      const auto& value = rows[i][at];
      const bool is_real = table_.columns[at].kind == StoredKind::kReal && !value.is_null;
      if (is_real) reals.push_back(fmt::format("{}", value.real));
      const auto& real = is_real ? reals.back() : none;
      values.push_back({table_.columns[at].name, BoundOf(at, value, real)});
    }
    return run(std::span<const Parameter>(values));
  });
}

Result<void> TableAccess::Clear(Session& session) const {
  PATRA_TRY(session.Run(clear_));
  return {};
}

Result<bool> TableAccess::IsEmpty(Session& session) const {
  return PATRA_TRY(session.Integer(any_)) == 0;
}

}  // namespace patra::infra::sql
