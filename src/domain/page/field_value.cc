#include "domain/page/field_value.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/partial_date.h"
#include "base/placement.h"
#include "domain/page/found_node.h"
#include "domain/word/codes.h"

namespace patra::domain {
namespace {

std::unexpected<Error> Broken(std::string_view rule, std::string message) {
  return Fail(ErrorCode::kCorruption, std::move(message), {}, std::string(rule));
}

template <typename Number>
std::optional<Number> ParseWhole(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool IsScalar(const Node& node) { return !node.is_array() && !node.is_object(); }

std::optional<Value> AsInteger(const Node& node) {
  if (const auto number = node.AsInteger()) return Value(*number);
  if (const auto number = ParseWhole<std::int64_t>(node.Text())) return Value(*number);
  return std::nullopt;
}

std::optional<Value> AsNumber(const Node& node) {
  if (auto whole = AsInteger(node)) return whole;
  if (const auto number = node.AsDouble()) return Value(*number);
  if (const auto number = ParseWhole<double>(node.Text())) return Value(*number);
  return std::nullopt;
}

std::optional<Value> AsBoolean(const Node& node) {
  if (const auto flag = node.AsBool()) return Value(*flag);
  const auto text = node.Text();
  if (text == "true" || text == "1" || text == "Y") return Value(true);
  if (text == "false" || text == "0" || text == "N") return Value(false);
  return std::nullopt;
}

}  // namespace

bool IsEmpty(const Node& node) {
  if (node.is_null()) return true;
  if (const auto text = node.AsString()) return text->empty();
  if (node.is_xml()) return node.Text().empty();
  return (node.is_array() || node.is_object()) && node.size() == 0;
}

bool IsTrue(const Node& node) {
  if (const auto flag = node.AsBool()) return *flag;
  if (IsEmpty(node)) return false;
  static constexpr auto kNo =
      std::to_array<std::string_view>({"false", "no", "0", "n", "f", "off", "none", "null"});
  return std::ranges::find(kNo, LowerCode(node.Text())) == kNo.end();
}

Result<DateReader> DateReader::Compile(const std::vector<std::string>& patterns,
                                       const TimeZone& zone) {
  static const std::vector<std::string> kIso = {"iso_instant", "iso_seconds", "iso_date"};
  DateReader reader;
  reader.zone_ = zone;
  for (const auto& pattern : patterns.empty() ? kIso : patterns) {
    reader.patterns_.push_back(PATRA_TRY(DatePattern::Compile(pattern)));
  }
  return reader;
}

Result<Instant> DateReader::Read(std::string_view text, Instant now) const {
  Error first;
  for (const auto& pattern : patterns_) {
    auto moment = pattern.Parse(text, now, zone_);
    if (moment) return *moment;
    if (&pattern == &patterns_.front()) first = moment.error();
  }
  return std::unexpected(std::move(first));
}

Result<FieldReader> FieldReader::Compile(const FieldSpec& field, const PathOptions& options,
                                         const TimeZone& zone) {
  auto path = PATRA_TRY(Path::Compile(field.path, options));
  auto dates = PATRA_TRY(DateReader::Compile(field.formats, zone));
  std::optional<IRegexp> pattern;
  if (field.pattern) pattern = PATRA_TRY(IRegexp::Compile(*field.pattern));
  return FieldReader(field, std::move(path), std::move(dates), std::move(pattern));
}

Result<std::optional<Value>> FieldReader::Read(Node record, Computed& computed, Instant now) const {
  if (!spec_.many && !spec_.join) {
    const auto found = NodeAt(path_, record, computed);
    if (!found && found.error().code == ErrorCode::kConflict)
      return Broken("one", fmt::format("'{}': {}; `many` or `join` take them all", spec_.name,
                                       found.error().message));
    if (!found) return std::unexpected(found.error());
    if (!*found) return std::nullopt;
    return Convert(**found, now);
  }
  Value::Array values;
  for (const auto& node : PATRA_TRY(path_.Select(record, computed))) {
    if (IsEmpty(node)) continue;
    auto value = PATRA_TRY(Convert(node, now));
    if (value) values.push_back(*std::move(value));
  }
  if (values.empty()) return std::nullopt;
  if (!spec_.join) return Value(std::move(values));
  std::string joined;
  for (const auto& value : values) {
    if (&value != &values.front()) joined += *spec_.join;
    joined += PATRA_TRY(ScalarText(value));
  }
  return Value(std::move(joined));
}

Result<std::optional<Value>> FieldReader::Convert(const Node& node, Instant now) const {
  const auto wanted = [&](std::string_view what,
                          std::optional<Value> value) -> Result<std::optional<Value>> {
    if (value) return value;
    return Broken("type", fmt::format("'{}' is not {}", spec_.name, what));
  };
  std::optional<Value> value;
  switch (spec_.type) {
    case FieldType::kAny:
      // XML has no types: an element is what a person reads there.
      value = node.is_xml() ? Value(node.Text()) : PATRA_TRY(ToValue(node));
      break;
    case FieldType::kText:
      value = PATRA_TRY(
          wanted("text", IsScalar(node) ? std::optional<Value>(node.Text()) : std::nullopt));
      break;
    case FieldType::kInteger:
      value = PATRA_TRY(wanted("an integer", AsInteger(node)));
      break;
    case FieldType::kNumber:
      value = PATRA_TRY(wanted("a number", AsNumber(node)));
      break;
    case FieldType::kBoolean:
      value = PATRA_TRY(wanted("true or false", AsBoolean(node)));
      break;
    case FieldType::kInstant:
    case FieldType::kDate: {
      const auto moment = dates_.Read(node.Text(), now);
      if (!moment)
        return Broken("date", fmt::format("'{}': {}", spec_.name, moment.error().message));
      value = spec_.type == FieldType::kInstant ? FormatRfc3339(*moment)
                                                : FormatRfc3339(*moment).substr(0, 10);
      break;
    }
    case FieldType::kPartialDate: {
      const auto written = PATRA_TRY(ToValue(node));
      const auto date = PartialDate::From(written);
      if (!date) return Broken("date", fmt::format("'{}': {}", spec_.name, date.error().message));
      if (!*date) return std::nullopt;
      value = (*date)->Print();
      break;
    }
  }
  PATRA_TRY(CheckText(*value));
  return value;
}

Result<void> FieldReader::CheckText(const Value& value) const {
  if (spec_.one_of.empty() && !pattern_) return {};
  const auto text = PATRA_TRY(ScalarText(value));
  if (!spec_.one_of.empty() && std::ranges::find(spec_.one_of, text) == spec_.one_of.end())
    return Broken("enum", fmt::format("'{}' is none of the declared values", spec_.name));
  if (pattern_ && !pattern_->MatchesAll(text))
    return Broken("pattern", fmt::format("'{}' does not match its pattern", spec_.name));
  return {};
}

}  // namespace patra::domain
