#include "infra/sql/registry_rows.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/result.h"
#include "infra/sql/registry_mapping.h"

namespace patra::infra::sql {
namespace {

using domain::DefinitionNode;
using Kind = ColumnKind;

constexpr std::string_view kLimits = "reg_prov_rate_limit_cfg";

std::string InCase(std::string text, bool upper) {
  for (auto& c : text) {
    if (upper && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    if (!upper && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// JSON in a column is text; scalars of a definition keep what was written.
Value TreeOf(const DefinitionNode& node) {
  if (node.is_null()) return {};
  if (node.is_scalar()) return node.text;
  if (node.is_list()) {
    Value::Array list;
    for (const auto& item : node.items) list.push_back(TreeOf(item));
    return list;
  }
  Value::Object object;
  for (const auto& member : node.members) object.emplace(member.name, TreeOf(member.node));
  return object;
}

Value ColumnOf(const DefinitionNode& node, const MappedColumn& mapped) {
  switch (mapped.kind) {
    case Kind::kText:
      return node.text;
    case Kind::kCode:
      return InCase(node.text, true);
    case Kind::kInteger: {
      std::int64_t number = 0;
      std::from_chars(node.text.data(), node.text.data() + node.text.size(), number);
      return number;
    }
    case Kind::kNumber: {
      double number = 0;
      std::from_chars(node.text.data(), node.text.data() + node.text.size(), number);
      return number;
    }
    case Kind::kFlag:
      return std::int64_t{node.text == "true" ? 1 : 0};
    case Kind::kMillis: {
      const auto length = ParseDuration(node.text).value_or(Duration(0));
      return std::chrono::duration_cast<std::chrono::milliseconds>(length).count();
    }
    case Kind::kTree:
      // A request's body has types; everything else is what somebody wrote.
      return PrintJson(mapped.path == "request.json" ? node.ToValue() : TreeOf(node));
    case Kind::kPairs: {
      Value::Array pairs;
      for (const auto& member : node.members) {
        Value::Array pair;
        pair.emplace_back(member.name);
        pair.push_back(TreeOf(member.node));
        pairs.emplace_back(std::move(pair));
      }
      return PrintJson(pairs);
    }
  }
  return {};
}

DefinitionNode NodeOf(const Value& value) {
  if (value.is_null()) return {};
  if (const auto* list = value.AsArray()) {
    DefinitionNode node{.kind = DefinitionNode::Kind::kList};
    for (const auto& item : *list) node.items.push_back(NodeOf(item));
    return node;
  }
  if (const auto* object = value.AsObject()) {
    auto node = DefinitionNode::Map();
    for (const auto& [name, member] : *object) node.Set(name, NodeOf(member));
    return node;
  }
  const auto* text = value.AsString();
  return DefinitionNode::Scalar(value, text != nullptr ? *text : PrintJson(value));
}

DefinitionNode NodeOfColumn(const Value& column, Kind kind) {
  switch (kind) {
    case Kind::kText:
    case Kind::kInteger:
    case Kind::kNumber:
      return NodeOf(column);
    case Kind::kCode:
      return DefinitionNode::Text(InCase(*column.AsString(), false));
    case Kind::kFlag:
      return NodeOf(*column.AsInteger() != 0);
    case Kind::kMillis:
      return DefinitionNode::Text(FormatDuration(std::chrono::milliseconds(*column.AsInteger())));
    case Kind::kTree:
      return NodeOf(ParseJson(*column.AsString()).value_or(Value()));
    case Kind::kPairs: {
      auto node = DefinitionNode::Map();
      const auto pairs = ParseJson(*column.AsString()).value_or(Value(Value::Array{}));
      for (const auto& pair : *pairs.AsArray())
        node.Set(*pair.AsArray()->at(0).AsString(), NodeOf(pair.AsArray()->at(1)));
      return node;
    }
  }
  return {};
}

DefinitionNode& Reach(DefinitionNode& node, std::string_view path) {
  auto* at = &node;
  while (!path.empty()) {
    const auto dot = path.find('.');
    const std::string name(path.substr(0, dot));
    auto* found = at->Find(name);
    at = found != nullptr ? found : &at->Set(name, DefinitionNode::Map());
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return *at;
}

// One level of a definition on its way into rows.
struct Level {
  const DefinitionNode& node;
  std::string provenance;
  std::string endpoint;
  std::string operation;

  RegistryRow RowOf(const MappedTable& table, const DefinitionNode& part, std::string item) const {
    RegistryRow row{std::string(table.name), provenance, endpoint, operation, std::move(item), {}};
    for (const auto& mapped : table.columns) {
      const auto* value = mapped.path.empty() ? &part : part.At(mapped.path);
      if (value != nullptr && !value->is_null()) {
        row.columns.emplace(mapped.column, ColumnOf(*value, mapped));
      } else if (!mapped.unsaid.empty()) {
        row.columns.emplace(mapped.column, std::string(mapped.unsaid));
      }
    }
    return row;
  }
};

void AddLevel(const Level& level, std::vector<RegistryRow>& rows) {
  const bool is_source = level.endpoint == "*" && level.operation == "ALL";
  for (const auto& table : RegistryMapping()) {
    if (table.name == "reg_provenance" && !is_source) continue;
    if (table.list.empty()) {
      auto row = level.RowOf(table, level.node, "");
      if (!row.columns.empty() || table.name == "reg_provenance") rows.push_back(std::move(row));
      continue;
    }
    const auto* list = level.node.At(table.list);
    if (list == nullptr) continue;
    for (std::size_t i = 0; i < list->items.size(); ++i)
      rows.push_back(level.RowOf(table, list->items[i], fmt::format("{:03}", i)));
    for (std::size_t i = 0; i < list->members.size(); ++i) {
      const auto& [name, place, node] = list->members[i];
      if (table.name != "reg_prov_expr_render_rule") {
        rows.push_back(level.RowOf(table, node, name));
        continue;
      }
      for (const auto& rule : node.members)
        rows.push_back(level.RowOf(table, rule.node, name + "/" + rule.name));
    }
  }
}

void AddWithOperations(const DefinitionNode& node, const std::string& provenance,
                       const std::string& endpoint, std::vector<RegistryRow>& rows) {
  AddLevel({node, provenance, endpoint, "ALL"}, rows);
  if (const auto* operations = node.Find("operations")) {
    for (const auto& [name, place, level] : operations->members)
      AddLevel({level, provenance, endpoint, InCase(name, true)}, rows);
  }
}

bool IsUnsaid(const Value& column, const MappedColumn& mapped) {
  const auto* text = column.AsString();
  return !mapped.unsaid.empty() && text != nullptr && *text == mapped.unsaid;
}

void AddRow(const RegistryRow& row, DefinitionNode& level) {
  const auto table = std::ranges::find(RegistryMapping(), row.table, &MappedTable::name);
  PATRA_ASSERT(table != RegistryMapping().end());
  auto* part = &level;
  if (!table->list.empty()) {
    auto& list = Reach(level, table->list);
    if (table->list == "limits") {
      list.kind = DefinitionNode::Kind::kList;
      part = &list.items.emplace_back(DefinitionNode::Map());
    } else if (row.table == "reg_prov_expr_render_rule") {
      auto path = row.item;
      std::ranges::replace(path, '/', '.');
      part = &Reach(list, path);
    } else {
      list.Set(row.item, NodeOf(row.columns.begin()->second));
      return;
    }
  }
  for (const auto& mapped : table->columns) {
    const auto column = row.columns.find(std::string(mapped.column));
    if (column == row.columns.end() || IsUnsaid(column->second, mapped)) continue;
    const auto dot = mapped.path.rfind('.');
    auto& parent = dot == std::string_view::npos ? *part : Reach(*part, mapped.path.substr(0, dot));
    parent.Set(
        std::string(dot == std::string_view::npos ? mapped.path : mapped.path.substr(dot + 1)),
        NodeOfColumn(column->second, mapped.kind));
  }
}

}  // namespace

const std::vector<RegistryTable>& RegistryTables() {
  static const std::vector<RegistryTable> kTables = [] {
    std::vector<RegistryTable> tables;
    for (const auto& mapped : RegistryMapping()) {
      auto& table = tables.emplace_back(RegistryTable{mapped.name, {}});
      for (const auto& column : mapped.columns) table.columns.push_back(column.column);
    }
    return tables;
  }();
  return kTables;
}

std::vector<RegistryRow> RowsOf(const DefinitionNode& definition) {
  std::vector<RegistryRow> rows;
  const auto* source = definition.Find("source");
  const auto provenance = source != nullptr ? source->text : std::string();
  AddWithOperations(definition, provenance, "*", rows);
  if (const auto* endpoints = definition.Find("endpoints")) {
    for (const auto& [name, place, endpoint] : endpoints->members)
      AddWithOperations(endpoint, provenance, name, rows);
  }
  return rows;
}

DefinitionNode DefinitionOf(std::vector<RegistryRow> rows) {
  // A limit that was changed alone is newer than those behind it.
  const auto limits =
      std::ranges::stable_partition(rows, [](const auto& row) { return row.table != kLimits; });
  std::ranges::stable_sort(limits, {}, &RegistryRow::item);
  auto definition = DefinitionNode::Map();
  for (const auto& row : rows) {
    definition.Set("source", DefinitionNode::Text(row.provenance));
    auto* level = &definition;
    if (row.endpoint != "*") level = &Reach(definition, "endpoints." + row.endpoint);
    if (row.operation != "ALL")
      level = &Reach(*level, "operations." + InCase(row.operation, false));
    AddRow(row, *level);
  }
  return definition;
}

std::string JsonOfRows(const std::vector<RegistryRow>& rows) {
  Value::Array all;
  for (const auto& row : rows) {
    all.emplace_back(
        Value::Object{{"table", row.table},
                      {"endpoint", row.endpoint},
                      {"operation", row.operation},
                      {"item", row.item},
                      {"columns", Value::Object(row.columns.begin(), row.columns.end())}});
  }
  return PrintJson(all);
}

Result<std::vector<RegistryRow>> RowsFromJson(const std::string& source, std::string_view json) {
  const auto all = PATRA_TRY(ParseJson(json));
  const auto bad = [&] {
    return Fail(ErrorCode::kCorruption,
                fmt::format("the rows of '{}' in a release are none", source));
  };
  if (all.AsArray() == nullptr) return bad();
  std::vector<RegistryRow> rows;
  for (const auto& one : *all.AsArray()) {
    RegistryRow row{.provenance = source};
    for (const auto& [name, into] :
         {std::pair("table", &row.table), std::pair("endpoint", &row.endpoint),
          std::pair("operation", &row.operation), std::pair("item", &row.item)}) {
      const auto* text = one.Find(name);
      if (text == nullptr || text->AsString() == nullptr) return bad();
      *into = *text->AsString();
    }
    const auto* columns = one.Find("columns");
    const bool is_known = std::ranges::find(RegistryTables(), row.table, &RegistryTable::name) !=
                          RegistryTables().end();
    if (!is_known || columns == nullptr || columns->AsObject() == nullptr) return bad();
    row.columns.insert(columns->AsObject()->begin(), columns->AsObject()->end());
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace patra::infra::sql
