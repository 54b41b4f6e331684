// All tables have the same keys and differ in their columns, so one statement of each kind is made per table, from the table of
// columns in registry_mapping.cc.
#include "infra/sql/registry_tables.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/value.h"
#include "infra/sql/registry_mapping.h"

namespace patra::infra::sql {
namespace {

constexpr int kRowsMax = 100'000;

struct Statements {
  std::string select_valid;
  std::string insert;
  std::string close;
  std::string bring_forward;
  std::string end_before;
};

std::string_view LifecycleIn(const RegistryTable& table) {
  return std::ranges::find(table.columns, kLifecycleColumn) == table.columns.end()
             ? "NULL"
             : kLifecycleColumn;
}

// Kept for ever: a session knows statements by the address of their text.
const std::vector<Statements>& AllStatements() {
  static const std::vector<Statements> kAll = [] {
    std::vector<Statements> all;
    for (const auto& table : RegistryTables()) {
      std::string objects;
      std::string columns;
      std::string extracted;
      for (const auto& column : table.columns) {
        if (column != kLifecycleColumn) objects += fmt::format(", '{0}', {0}", column);
        columns += fmt::format(", {}", column);
        extracted += fmt::format(", json_extract(given.columns, '$.{}')", column);
      }
      all.push_back(
          {.select_valid = fmt::format(
               "SELECT provenance_code, endpoint_name, operation_code, item_key, {} AS lifecycle, "
               "json_object({}) AS columns "
               "FROM {} WHERE effective_from <= :at AND (effective_to IS NULL OR effective_to > "
               ":at) "
               "ORDER BY id LIMIT {}",
               LifecycleIn(table), objects.substr(2), table.name, kRowsMax),
           .insert = fmt::format(
               "INSERT INTO {} (id, provenance_code, endpoint_name, operation_code, item_key, "
               "effective_from{}) SELECT :id, :provenance, :endpoint, :operation, :item, :from{} "
               "FROM (SELECT :columns AS columns) AS given",
               table.name, columns, extracted),
           .close = fmt::format(
               "UPDATE {} SET effective_to = :to WHERE provenance_code = :provenance AND "
               "endpoint_name = :endpoint AND operation_code = :operation AND item_key = :item AND "
               "effective_to IS NULL",
               table.name),
           .bring_forward = fmt::format(
               "UPDATE {} SET effective_from = :to WHERE provenance_code = :provenance AND "
               "effective_to IS NULL AND effective_from > :to",
               table.name),
           .end_before =
               fmt::format("UPDATE {} SET effective_to = :to WHERE provenance_code = :provenance "
                           "AND effective_to > :to",
                           table.name)});
    }
    return all;
  }();
  return kAll;
}

// All that is valid of one source, and what is to come, of all tables at once: a database far away is asked once.
const std::string& SelectOfSource() {
  static const std::string kSelect = [] {
    std::string select;
    for (std::size_t i = 0; i < RegistryTables().size(); ++i) {
      const auto& table = RegistryTables()[i];
      std::string objects;
      for (const auto& column : table.columns) {
        if (column != kLifecycleColumn) objects += fmt::format(", '{0}', {0}", column);
      }
      select += fmt::format(
          "{}SELECT {} AS table_number, id, endpoint_name, operation_code, item_key, "
          "effective_from, "
          "effective_to, {} AS lifecycle, json_object({}) AS columns FROM {} "
          "WHERE provenance_code = :provenance AND (effective_to IS NULL OR effective_to > :at)",
          i == 0 ? "" : " UNION ALL ", i, LifecycleIn(table), objects.substr(2), table.name);
    }
    return select + fmt::format(" LIMIT {}", kRowsMax);
  }();
  return kSelect;
}

const std::string& SelectLater() {
  static const std::string kSelect = [] {
    std::string select;
    for (const auto& table : RegistryTables()) {
      select += fmt::format(
          "{}SELECT provenance_code, max(effective_from) AS begins FROM {} WHERE effective_to IS "
          "NULL AND effective_from > :than GROUP BY provenance_code",
          select.empty() ? "" : " UNION ALL ", table.name);
    }
    return select;
  }();
  return kSelect;
}

constexpr std::string_view kNames =
    "SELECT provenance_code FROM reg_provenance WHERE effective_from <= :at AND "
    "(effective_to IS NULL OR effective_to > :at) ORDER BY provenance_code LIMIT 100000";

std::size_t TableNumber(const RegistryRow& row) {
  const auto found = std::ranges::find(RegistryTables(), row.table, &RegistryTable::name);
  return static_cast<std::size_t>(found - RegistryTables().begin());
}

Result<void> ReadColumns(const Rows& rows, RegistryRow& row) {
  if (auto lifecycle = rows.OptionalText("lifecycle"))
    row.columns.emplace(kLifecycleColumn, *std::move(lifecycle));
  const auto columns = PATRA_TRY(ParseJson(rows.View("columns")));
  for (const auto& [name, value] : *columns.AsObject()) {
    if (!value.is_null()) row.columns.emplace(name, value);
  }
  return {};
}

}  // namespace

Result<std::vector<RegistryRow>> ValidRows(Session& session, Instant at) {
  std::vector<RegistryRow> valid;
  for (std::size_t i = 0; i < RegistryTables().size(); ++i) {
    auto rows = PATRA_TRY(session.Query(AllStatements()[i].select_valid, {{"at", at}}));
    while (PATRA_TRY(rows.Next())) {
      RegistryRow row{std::string(RegistryTables()[i].name),
                      rows.Text("provenance_code"),
                      rows.Text("endpoint_name"),
                      rows.Text("operation_code"),
                      rows.Text("item_key"),
                      {}};
      PATRA_TRY(ReadColumns(rows, row));
      valid.push_back(std::move(row));
    }
  }
  return valid;
}

Result<RowsOfSource> ReadSource(Session& session, const std::string& source, Instant at) {
  RowsOfSource read;
  const auto changes_at = [&](Instant moment) {
    if (!read.until || moment < *read.until) read.until = moment;
  };
  std::map<std::pair<std::int64_t, std::int64_t>, RegistryRow> in_order;
  auto rows = PATRA_TRY(session.Query(SelectOfSource(), {{"provenance", source}, {"at", at}}));
  while (PATRA_TRY(rows.Next())) {
    const auto table = rows.Integer("table_number");
    const auto id = rows.Integer("id");
    RegistryRow row{std::string(RegistryTables()[static_cast<std::size_t>(table)].name),
                    source,
                    rows.Text("endpoint_name"),
                    rows.Text("operation_code"),
                    rows.Text("item_key"),
                    {}};
    const auto from = rows.Time("effective_from");
    if (const auto to = rows.OptionalTime("effective_to"); to && from <= at) changes_at(*to);
    if (from > at) {
      changes_at(from);
      continue;
    }
    PATRA_TRY(ReadColumns(rows, row));
    in_order.emplace(std::pair(table, id), std::move(row));
  }
  for (auto& [place, row] : in_order) read.rows.push_back(std::move(row));
  return read;
}

Result<std::vector<std::string>> SourceNames(Session& session, Instant at) {
  std::vector<std::string> names;
  auto rows = PATRA_TRY(session.Query(kNames, {{"at", at}}));
  while (PATRA_TRY(rows.Next())) names.push_back(rows.Text("provenance_code"));
  return names;
}

Result<std::map<std::string, Instant>> BeginningLater(Session& session, Instant than) {
  std::map<std::string, Instant> later;
  auto rows = PATRA_TRY(session.Query(SelectLater(), {{"than", than}}));
  while (PATRA_TRY(rows.Next())) {
    auto& begins = later[rows.Text("provenance_code")];
    begins = std::max(begins, rows.Time("begins"));
  }
  return later;
}

Result<void> BringForward(Session& session, const std::string& source, Instant to) {
  for (const auto& statements : AllStatements()) {
    for (const auto* statement : {&statements.end_before, &statements.bring_forward})
      PATRA_TRY(session.Run(*statement, {{"to", to}, {"provenance", source}}));
  }
  return {};
}

Result<void> CloseRow(Session& session, const RegistryRow& row, Instant to) {
  PATRA_TRY(session.Run(AllStatements()[TableNumber(row)].close, {{"to", to},
                                                                  {"provenance", row.provenance},
                                                                  {"endpoint", row.endpoint},
                                                                  {"operation", row.operation},
                                                                  {"item", row.item}}));
  return {};
}

Result<void> OpenRow(Session& session, Id id, const RegistryRow& row, Instant from) {
  const auto columns = PrintJson(Value::Object(row.columns.begin(), row.columns.end()));
  PATRA_TRY(session.Run(AllStatements()[TableNumber(row)].insert, {{"id", id},
                                                                   {"provenance", row.provenance},
                                                                   {"endpoint", row.endpoint},
                                                                   {"operation", row.operation},
                                                                   {"item", row.item},
                                                                   {"from", from},
                                                                   {"columns", columns}}));
  return {};
}

}  // namespace patra::infra::sql
