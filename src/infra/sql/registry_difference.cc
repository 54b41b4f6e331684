#include "infra/sql/registry_difference.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "base/canonical_json.h"

namespace patra::infra::sql {
namespace {

using app::RegistryChange;

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

}  // namespace

RowDifference DifferenceOf(const std::vector<RegistryRow>& stored,
                           const std::vector<std::vector<RegistryRow>>& definitions) {
  RowDifference difference;
  for (const auto& wanted : definitions) {
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

namespace {

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

}  // namespace

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

}  // namespace patra::infra::sql
