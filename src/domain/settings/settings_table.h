// A section of the configuration as one table: which settings there are and what they mean. Reading, showing and
// checking go by it.
#pragma once

#include <limits>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/duration.h"
#include "domain/spec/scalars.h"
#include "domain/spec/shape.h"
#include "domain/word/setting.h"

namespace patra::domain {

template <typename Policy>
struct SettingRow {
  template <typename T>
  using Field = T& (*)(Policy&);

  const char* name;
  std::variant<Field<double>, Field<std::int64_t>, Field<Duration>, Field<bool>, Field<std::string>>
      field;
  const char* doc;
  bool is_part = false;  // of a whole: 5% or 0.05
  // Of a whole number.
  std::int64_t least = std::numeric_limits<std::int64_t>::min();
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::vector<std::string> codes{};          // of a text: what it may be; empty: anything
  ScalarKind text_kind = ScalarKind::kText;  // of a text: how it is written

  ScalarKind kind() const {
    if (is_part) return ScalarKind::kPart;
    switch (field.index()) {
      case 0:
        return ScalarKind::kNumber;
      case 1:
        return ScalarKind::kInteger;
      case 2:
        return ScalarKind::kDuration;
      case 3:
        return ScalarKind::kFlag;
      default:
        return codes.empty() ? text_kind : ScalarKind::kCode;
    }
  }

  Result<void> Set(const std::string& text, Policy& policy) const {
    if (const auto* number = std::get_if<Field<double>>(&field)) {
      (*number)(policy) = PATRA_TRY(is_part ? ParsePart(text) : ParseNumber(text));
    } else if (const auto* integer = std::get_if<Field<std::int64_t>>(&field)) {
      const auto value = PATRA_TRY(ParseWholeNumber(text));
      if (value < least || value > most)
        return Fail(ErrorCode::kInvalidInput, fmt::format("{} cannot be {}", name, value), {},
                    fmt::format("{} to {}", least, most));
      (*integer)(policy) = value;
    } else if (const auto* duration = std::get_if<Field<Duration>>(&field)) {
      (*duration)(policy) = PATRA_TRY(ParseDuration(text));
    } else if (const auto* word = std::get_if<Field<std::string>>(&field)) {
      (*word)(policy) = text;
    } else {
      std::get<Field<bool>>(field)(policy) = text == "true";
    }
    return {};
  }

  std::string Written(Policy policy) const {
    if (const auto* number = std::get_if<Field<double>>(&field)) {
      const auto value = (*number)(policy);
      return is_part ? fmt::format("{:g}%", value * 100) : fmt::format("{:g}", value);
    }
    if (const auto* integer = std::get_if<Field<std::int64_t>>(&field))
      return fmt::to_string((*integer)(policy));
    if (const auto* duration = std::get_if<Field<Duration>>(&field))
      return FormatDuration((*duration)(policy));
    if (const auto* word = std::get_if<Field<std::string>>(&field)) return (*word)(policy);
    return std::get<Field<bool>>(field)(policy) ? "true" : "false";
  }
};

// {watch: …, change: {…}, recut: {…}}: a dot in a name is a group. Rows of a group stand together.
template <typename Policy>
Shape ShapeOf(const std::vector<SettingRow<Policy>>& table) {
  Shape section{.kind = Shape::Kind::kMap};
  for (const auto& row : table) {
    const std::string_view name = row.name;
    const auto dot = name.find('.');
    auto* keys = &section.keys;
    if (dot != std::string_view::npos) {
      const std::string group(name.substr(0, dot));
      if (keys->empty() || keys->back().name != group)
        keys->push_back({.name = group, .shape = {.kind = Shape::Kind::kMap}});
      keys = &keys->back().shape.keys;
    }
    const auto own = dot == std::string_view::npos ? name : name.substr(dot + 1);
    keys->push_back({.name = std::string(own),
                     .shape = {.scalar = row.kind(), .codes = row.codes},
                     .doc = row.doc});
  }
  return section;
}

// The policy with what the section of a checked configuration says instead; the empty section stands for what is
// outside of all.
template <typename Policy>
Policy ReadSection(const DefinitionNode& checked, const std::string& section,
                   const std::vector<SettingRow<Policy>>& table, std::vector<Error>& problems) {
  Policy policy;
  for (const auto& row : table) {
    const auto* node = checked.At(section.empty() ? row.name : section + "." + row.name);
    if (node == nullptr || !node->is_scalar()) continue;
    if (auto set = row.Set(node->text, policy); !set)
      problems.push_back(std::move(set).error().At(node->place));
  }
  return policy;
}

template <typename Policy>
std::vector<Setting> ShowSection(const std::vector<SettingRow<Policy>>& table,
                                 const Policy& policy) {
  std::vector<Setting> settings;
  for (const auto& row : table) {
    settings.push_back(
        {.name = row.name, .value = row.Written(policy), .usual = row.Written({}), .doc = row.doc});
  }
  return settings;
}

}  // namespace patra::domain
