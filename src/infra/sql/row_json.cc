#include "infra/sql/row_json.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/integer.h"
#include "base/utf8.h"

namespace patra::infra::sql {
namespace {

constexpr std::int64_t kExactMost = std::int64_t{1} << 53;
constexpr const char* kBase64Member = "base64";

// A page may be that large.
constexpr JsonLimits kLineLimits{.bytes_max = std::size_t{2} << 30};

Value JsonOfColumn(StoredKind kind, const StoredValue& value) {
  if (value.is_null) return {};
  switch (kind) {
    case StoredKind::kInteger:
      if (value.integer > kExactMost || value.integer < -kExactMost)
        return fmt::to_string(value.integer);
      return value.integer;
    case StoredKind::kReal:
      return value.real;
    case StoredKind::kText:
    case StoredKind::kBytes:
      break;
  }
  if (FindInvalidUtf8(value.bytes) == std::string_view::npos) return value.bytes;
  return Value::Object{{kBase64Member, Base64(value.bytes)}};
}

std::optional<std::int64_t> IntegerIn(const Value& json) {
  if (const auto* integer = json.AsInteger()) return *integer;
  const auto* text = json.AsString();
  if (text == nullptr) return std::nullopt;
  return ParseInteger(*text);
}

std::optional<double> RealIn(const Value& json) {
  if (const auto* real = json.AsDouble()) return *real;
  if (const auto* integer = json.AsInteger()) return static_cast<double>(*integer);
  return std::nullopt;
}

std::optional<std::string> BytesIn(const Value& json) {
  if (const auto* text = json.AsString()) return *text;
  const auto* coded = json.Find(kBase64Member);
  const auto* text = coded == nullptr ? nullptr : coded->AsString();
  return text == nullptr ? std::nullopt : FromBase64(*text);
}

// False where the value is none of that kind.
bool ReadColumn(StoredKind kind, const Value& json, StoredValue& value) {
  if (json.is_null()) return true;
  value.is_null = false;
  if (kind == StoredKind::kInteger) {
    const auto integer = IntegerIn(json);
    value.integer = integer.value_or(0);
    return integer.has_value();
  }
  if (kind == StoredKind::kReal) {
    const auto real = RealIn(json);
    value.real = real.value_or(0);
    return real.has_value();
  }
  auto bytes = BytesIn(json);
  const bool is_read = bytes.has_value();
  value.bytes = std::move(bytes).value_or(std::string());
  return is_read;
}

}  // namespace

std::string RowToJson(const StoredTable& table, const StoredRow& row, Value::Object members) {
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    members[table.columns[i].name] = JsonOfColumn(table.columns[i].kind, row[i]);
  return PrintJson(std::move(members));
}

Result<StoredRow> RowFromJson(const StoredTable& table, std::string_view line) {
  const auto json = PATRA_TRY(ParseJson(line, kLineLimits));
  StoredRow row(table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const auto* member = json.Find(table.columns[i].name);
    if (member == nullptr || ReadColumn(table.columns[i].kind, *member, row[i])) continue;
    return Fail(ErrorCode::kCorruption,
                fmt::format("an archived row of {} has in {} what does not belong there",
                            table.name, table.columns[i].name));
  }
  return row;
}

}  // namespace patra::infra::sql
