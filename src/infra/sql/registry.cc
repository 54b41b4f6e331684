// All tables of the registry have the same keys and differ in their columns, so one statement of
// each kind is made per table, from the table of columns in registry_mapping.cc.
#include "infra/sql/registry.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "infra/sql/code_dictionary_table.h"
#include "infra/sql/field_dictionary_table.h"
#include "infra/sql/registry_rows.h"
#include "infra/sql/source_version_table.h"

namespace patra::infra::sql {
namespace {

using app::RegistryChange;
using domain::DefinitionNode;

constexpr int kRowsMax = 100'000;

struct Statements {
  std::string select_valid;
  std::string insert;
  std::string close;
};

// Kept for ever: a session knows statements by the address of their text.
const std::vector<Statements>& AllStatements() {
  static const std::vector<Statements> kAll = [] {
    std::vector<Statements> all;
    for (const auto& table : RegistryTables()) {
      std::string objects;
      std::string columns;
      std::string extracted;
      for (const auto& column : table.columns) {
        objects += fmt::format(", '{0}', {0}", column);
        columns += fmt::format(", {}", column);
        extracted += fmt::format(", json_extract(given.columns, '$.{}')", column);
      }
      all.push_back(
          {.select_valid = fmt::format(
               "SELECT provenance_code, endpoint_name, operation_code, item_key, json_object({}) "
               "AS columns "
               "FROM {} WHERE effective_from <= :at AND (effective_to IS NULL OR effective_to > "
               ":at) "
               "ORDER BY id LIMIT {}",
               objects.substr(2), table.name, kRowsMax),
           .insert = fmt::format(
               "INSERT INTO {} (id, provenance_code, endpoint_name, operation_code, item_key, "
               "effective_from{}) SELECT :id, :provenance, :endpoint, :operation, :item, :from{} "
               "FROM (SELECT :columns AS columns) AS given",
               table.name, columns, extracted),
           .close = fmt::format(
               "UPDATE {} SET effective_to = :to WHERE provenance_code = :provenance AND "
               "endpoint_name = :endpoint AND operation_code = :operation AND item_key = :item AND "
               "effective_to IS NULL",
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
      for (const auto& column : table.columns) objects += fmt::format(", '{0}', {0}", column);
      select += fmt::format(
          "{}SELECT {} AS table_number, id, endpoint_name, operation_code, item_key, "
          "effective_from, "
          "effective_to, json_object({}) AS columns FROM {} "
          "WHERE provenance_code = :provenance AND (effective_to IS NULL OR effective_to > :at)",
          i == 0 ? "" : " UNION ALL ", i, objects.substr(2), table.name);
    }
    return select + fmt::format(" LIMIT {}", kRowsMax);
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

Result<void> ReadColumns(std::string_view json, RegistryRow& row) {
  const auto columns = PATRA_TRY(ParseJson(json));
  for (const auto& [name, value] : *columns.AsObject()) {
    if (!value.is_null()) row.columns.emplace(name, value);
  }
  return {};
}

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
      PATRA_TRY(ReadColumns(rows.View("columns"), row));
      valid.push_back(std::move(row));
    }
  }
  return valid;
}

// The rows of one source, and until when they are all of it.
struct RowsOfSource {
  std::vector<RegistryRow> rows;
  std::optional<Instant> until;
};

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
    PATRA_TRY(ReadColumns(rows.View("columns"), row));
    in_order.emplace(std::pair(table, id), std::move(row));
  }
  for (auto& [place, row] : in_order) read.rows.push_back(std::move(row));
  return read;
}

std::string Written(const Value& value) {
  const auto* text = value.AsString();
  return text != nullptr ? *text : PrintJson(value);
}

// As numbers, 1 and 1.0 are the same; which of them a database says is its own matter.
bool SameColumns(const RegistryRow& a, const RegistryRow& b) {
  const auto canonical = [](const RegistryRow& row) {
    return CanonicalJson(Value::Object(row.columns.begin(), row.columns.end()));
  };
  return a.columns == b.columns || canonical(a) == canonical(b);
}

// Two rows of the same identity, or one that is new or gone.
void Compare(const RegistryRow* before, const RegistryRow* after,
             std::vector<RegistryChange>& changes) {
  const auto& any = before != nullptr ? *before : *after;
  std::map<std::string, std::pair<std::string, std::string>> columns;
  if (before != nullptr) {
    for (const auto& [name, value] : before->columns) columns[name].first = Written(value);
  }
  if (after != nullptr) {
    for (const auto& [name, value] : after->columns) columns[name].second = Written(value);
  }
  for (const auto& [name, texts] : columns) {
    if (before != nullptr && after != nullptr && texts.first == texts.second) continue;
    changes.push_back({fmt::format("{}/{}{}{} {}.{}", any.provenance, any.endpoint,
                                   any.operation == "ALL" ? "" : "/" + any.operation,
                                   any.item.empty() ? "" : " [" + any.item + "]", any.table, name),
                       texts.first, texts.second});
  }
}

// What has to be closed and what has to be opened.
struct Difference {
  std::vector<RegistryRow> closed;
  std::vector<RegistryRow> opened;
  std::vector<RegistryChange> changes;
};

Difference DifferenceOf(const std::vector<RegistryRow>& stored,
                        const std::vector<DefinitionNode>& definitions) {
  Difference difference;
  for (const auto& definition : definitions) {
    const auto wanted = RowsOf(definition);
    const auto find = [](const std::vector<RegistryRow>& rows, const RegistryRow& row) {
      const auto found = std::ranges::find_if(
          rows, [&](const auto& other) { return other.Identity() == row.Identity(); });
      return found == rows.end() ? nullptr : &*found;
    };
    for (const auto& row : wanted) {
      const auto* before = find(stored, row);
      if (before != nullptr && SameColumns(*before, row)) continue;
      if (before != nullptr) difference.closed.push_back(*before);
      difference.opened.push_back(row);
      Compare(before, &row, difference.changes);
    }
    if (wanted.empty()) continue;
    for (const auto& row : stored) {
      if (row.provenance != wanted.front().provenance || find(wanted, row) != nullptr) continue;
      difference.closed.push_back(row);
      Compare(&row, nullptr, difference.changes);
    }
  }
  return difference;
}

// What a field says, column by column, as changes name it.
std::map<std::string, std::string> ColumnsOf(const domain::QueryField* field) {
  if (field == nullptr) return {};
  std::map<std::string, std::string> columns{
      {"display_name", field->name},
      {"data_type_code", field->type},
      {"cardinality_code", field->is_many ? "MULTI" : "SINGLE"},
      {"exposable", field->is_exposed ? "1" : "0"}};
  if (!field->about.empty()) columns.emplace("description", field->about);
  return columns;
}

struct FieldDifference {
  std::vector<domain::QueryField> put;
  std::vector<std::string> removed;
  std::vector<RegistryChange> changes;
};

FieldDifference DifferenceOf(const std::vector<domain::QueryField>& stored,
                             const std::vector<domain::QueryField>& wanted) {
  FieldDifference difference;
  const auto find = [](const std::vector<domain::QueryField>& fields, const std::string& key) {
    const auto found = std::ranges::find(fields, key, &domain::QueryField::key);
    return found == fields.end() ? nullptr : &*found;
  };
  const auto compare = [&](const std::string& key) {
    auto before = ColumnsOf(find(stored, key));
    auto after = ColumnsOf(find(wanted, key));
    auto all = before;
    all.insert(after.begin(), after.end());
    for (const auto& [name, text] : all) {
      if (before[name] == after[name]) continue;
      difference.changes.push_back(
          {fmt::format("[{}] reg_expr_field_dict.{}", key, name), before[name], after[name]});
    }
  };
  for (const auto& field : wanted) {
    const auto* before = find(stored, field.key);
    if (before != nullptr && *before == field) continue;
    difference.put.push_back(field);
    compare(field.key);
  }
  for (const auto& field : stored) {
    if (find(wanted, field.key) != nullptr) continue;
    difference.removed.push_back(field.key);
    compare(field.key);
  }
  return difference;
}

Result<FieldDifference> FieldDifferenceOf(Session& session, const app::RegistryContent& content) {
  if (!content.fields) return FieldDifference{};
  const auto stored = PATRA_TRY(field_dictionary_table::All(session));
  return DifferenceOf(stored, *content.fields);
}

void Append(std::vector<RegistryChange>& changes, std::vector<RegistryChange> more) {
  changes.insert(changes.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
}

}  // namespace

Result<std::vector<RegistryChange>> Registry::Diff(const app::RegistryContent& content) {
  return database_.Read([&](Session& session) -> Result<std::vector<RegistryChange>> {
    const auto stored = PATRA_TRY(ValidRows(session, kInstantMax));
    auto changes = DifferenceOf(stored, content.definitions).changes;
    Append(changes, PATRA_TRY(FieldDifferenceOf(session, content)).changes);
    return changes;
  });
}

Result<std::vector<RegistryChange>> Registry::Apply(const app::RegistryContent& content,
                                                    Instant from) {
  return database_.Write([&](Session& session) -> Result<std::vector<RegistryChange>> {
    const auto stored = PATRA_TRY(ValidRows(session, kInstantMax));
    auto difference = DifferenceOf(stored, content.definitions);
    for (const auto& row : difference.closed) {
      PATRA_TRY(
          session.Run(AllStatements()[TableNumber(row)].close, {{"to", from},
                                                                {"provenance", row.provenance},
                                                                {"endpoint", row.endpoint},
                                                                {"operation", row.operation},
                                                                {"item", row.item}}));
    }
    for (const auto& row : difference.opened) {
      const auto columns = PrintJson(Value::Object(row.columns.begin(), row.columns.end()));
      PATRA_TRY(
          session.Run(AllStatements()[TableNumber(row)].insert, {{"id", ids_.Next()},
                                                                 {"provenance", row.provenance},
                                                                 {"endpoint", row.endpoint},
                                                                 {"operation", row.operation},
                                                                 {"item", row.item},
                                                                 {"from", from},
                                                                 {"columns", columns}}));
    }
    std::set<std::string> changed;
    for (const auto* rows : {&difference.closed, &difference.opened})
      for (const auto& row : *rows) changed.insert(row.provenance);
    for (const auto& source : changed)
      PATRA_TRY(source_version_table::Put(session, source, ids_.Next()));
    auto fields = PATRA_TRY(FieldDifferenceOf(session, content));
    for (const auto& key : fields.removed) PATRA_TRY(field_dictionary_table::Remove(session, key));
    for (const auto& field : fields.put) PATRA_TRY(field_dictionary_table::Put(session, field));
    Append(difference.changes, std::move(fields.changes));
    return std::move(difference.changes);
  });
}

Result<domain::CodeDictionary> Registry::Codes() {
  return database_.Read([](Session& session) { return code_dictionary_table::All(session); });
}

Result<std::vector<domain::QueryField>> Registry::Fields() {
  return database_.Read([](Session& session) { return field_dictionary_table::All(session); });
}

Result<std::optional<app::RegisteredSource>> Registry::Find(const std::string& source, Instant at,
                                                            const std::string& known_version) {
  using Found = std::optional<app::RegisteredSource>;
  return database_.Read([&](Session& session) -> Result<Found> {
    app::RegisteredSource found{
        .version = fmt::to_string(PATRA_TRY(source_version_table::Of(session, source)))};
    if (found.version == known_version) return Found();
    const auto read = PATRA_TRY(ReadSource(session, source, at));
    if (!read.rows.empty()) found.definition = DefinitionOf(read.rows);
    found.until = read.until;
    return Found(std::move(found));
  });
}

Result<std::vector<std::string>> Registry::Names(Instant at) {
  return database_.Read([&](Session& session) -> Result<std::vector<std::string>> {
    std::vector<std::string> names;
    auto rows = PATRA_TRY(session.Query(kNames, {{"at", at}}));
    while (PATRA_TRY(rows.Next())) names.push_back(rows.Text("provenance_code"));
    return names;
  });
}

Result<std::vector<DefinitionNode>> Registry::Export(Instant at) {
  return database_.Read([&](Session& session) -> Result<std::vector<DefinitionNode>> {
    std::map<std::string, std::vector<RegistryRow>> by_source;
    for (auto& row : PATRA_TRY(ValidRows(session, at)))
      by_source[row.provenance].push_back(std::move(row));
    std::vector<DefinitionNode> definitions;
    for (const auto& [source, rows] : by_source) definitions.push_back(DefinitionOf(rows));
    return definitions;
  });
}

}  // namespace patra::infra::sql
