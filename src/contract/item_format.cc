#include "contract/item_format.h"

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/plain_text.h"
#include "contract/stored_fields.h"

namespace patra::contract {
namespace {

std::string CellText(const Value& value) {
  if (value.is_null()) return "";
  if (const auto* text = value.AsString()) return *text;
  return CanonicalJson(value);
}

std::string TimeText(const std::optional<Instant>& time) {
  return time ? FormatRfc3339(*time) : std::string();
}

}  // namespace

Result<std::string> JsonLine(const ItemRow& item, const std::vector<std::string>& fields) {
  std::string chosen = item.fields;  // canonical already
  if (!fields.empty()) {
    const auto all = PATRA_TRY(FieldsOf(item));
    Value::Object some;
    for (const auto& name : fields) {
      if (const auto* value = all.Find(name)) some[name] = *value;
    }
    chosen = CanonicalJson(some);
  }
  std::string line;
  const auto text = [&](std::string_view name, std::string_view value) {
    line += fmt::format("{}\"{}\":", line.empty() ? "{" : ",", name);
    AppendJsonString(value, line);
  };
  if (item.deleted_at) text("deletedAt", FormatRfc3339(*item.deleted_at));
  text("endpoint", item.endpoint);
  line += ",\"fields\":" + chosen;
  text("id", item.id);
  if (item.merged_into) text("mergedInto", *item.merged_into);
  text("source", item.source);
  text("updatedAt", FormatRfc3339(item.updated_at));
  return Spelled(line) + "}\n";
}

std::string CsvHeader(const std::vector<std::string>& fields) {
  std::string line = "source,endpoint,id,updatedAt,deletedAt,mergedInto";
  for (const auto& name : fields) line += "," + CsvCell(name);
  return line + "\r\n";
}

Result<std::string> CsvLine(const ItemRow& item, const std::vector<std::string>& fields) {
  const auto values = PATRA_TRY(FieldsOf(item));
  auto line = fmt::format("{},{},{},{},{},{}", CsvCell(item.source), CsvCell(item.endpoint),
                          CsvCell(item.id), FormatRfc3339(item.updated_at),
                          TimeText(item.deleted_at), CsvCell(item.merged_into.value_or("")));
  for (const auto& name : fields) {
    const auto* value = values.Find(name);
    line += ",";
    if (value != nullptr) line += CsvCell(CellText(*value));
  }
  return line + "\r\n";
}

std::string CsvCell(std::string_view text) {
  auto plain = ForSpreadsheet(text);
  if (plain.find_first_of(",\"\r\n") == std::string::npos) return plain;
  std::string cell = "\"";
  for (const char c : plain) {
    if (c == '"') cell += '"';
    cell += c;
  }
  return cell + "\"";
}

}  // namespace patra::contract
