#include "contract/item_parquet.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/canonical_json.h"
#include "base/partial_date.h"
#include "base/text_scanner.h"
#include "contract/stored_fields.h"

namespace patra::contract {
namespace {

enum FixedColumn : std::size_t {
  kSource,
  kEndpoint,
  kId,
  kUpdatedAt,
  kDeletedAt,
  kMergedInto,
  kFixedColumns
};

// Every whole number up to it is a double.
constexpr std::int64_t kExactlyDoubleMost = std::int64_t{1} << 53;

ParquetType TypeOf(FieldKind kind) {
  switch (kind) {
    case FieldKind::kInteger:
      return ParquetType::kInteger;
    case FieldKind::kNumber:
      return ParquetType::kNumber;
    case FieldKind::kBoolean:
      return ParquetType::kBoolean;
    case FieldKind::kInstant:
      return ParquetType::kTimestamp;
    case FieldKind::kDate:
      return ParquetType::kDate;
    case FieldKind::kList:
      return ParquetType::kJson;
    case FieldKind::kAny:
    case FieldKind::kText:
      break;
  }
  return ParquetType::kText;
}

std::string InLowerCase(std::string text) {
  std::ranges::transform(text, text.begin(), ToLower);
  return text;
}

std::vector<ParquetColumn> ColumnsOf(const std::vector<ItemField>& fields,
                                     ItemParquet::Others others) {
  std::vector<ParquetColumn> columns{
      {"source", ParquetType::kText, true},   {"endpoint", ParquetType::kText, true},
      {"id", ParquetType::kText, true},       {"updatedAt", ParquetType::kTimestamp, true},
      {"deletedAt", ParquetType::kTimestamp}, {"mergedInto", ParquetType::kText}};
  std::set<std::string> taken{"otherfields"};
  for (const auto& column : columns) taken.insert(InLowerCase(column.name));
  for (const auto& field : fields) {
    auto name = field.name;
    while (!taken.insert(InLowerCase(name)).second) name = "field_" + name;
    columns.push_back({std::move(name), TypeOf(field.kind)});
  }
  if (others == ItemParquet::Others::kKeep) columns.push_back({"otherFields", ParquetType::kJson});
  return columns;
}

std::optional<double> NumberIn(const Value& value) {
  if (const auto* number = value.AsDouble()) return *number;
  const auto* whole = value.AsInteger();
  if (whole == nullptr || *whole > kExactlyDoubleMost || *whole < -kExactlyDoubleMost)
    return std::nullopt;
  return static_cast<double>(*whole);
}

// One that is written in another way would come out of the column otherwise than it is stored.
std::optional<Instant> MomentIn(const Value& value) {
  const auto* text = value.AsString();
  if (text == nullptr) return std::nullopt;
  const auto moment = ParseRfc3339(*text);
  return moment && FormatRfc3339(*moment) == *text ? std::optional(*moment) : std::nullopt;
}

std::optional<std::chrono::sys_days> DayIn(const Value& value) {
  const auto* text = value.AsString();
  if (text == nullptr) return std::nullopt;
  const auto date = PartialDate::Parse(*text);
  if (!date || !date->day || date->Print() != *text) return std::nullopt;
  return std::chrono::floor<std::chrono::days>(date->Earliest());
}

bool Fits(const Value& value, FieldKind kind) {
  switch (kind) {
    case FieldKind::kInteger:
      return value.AsInteger() != nullptr;
    case FieldKind::kNumber:
      return NumberIn(value).has_value();
    case FieldKind::kBoolean:
      return value.AsBool() != nullptr;
    case FieldKind::kInstant:
      return MomentIn(value).has_value();
    case FieldKind::kDate:
      return DayIn(value).has_value();
    case FieldKind::kAny:
    case FieldKind::kText:
    case FieldKind::kList:
      break;
  }
  return true;
}

// REQUIRES: it fits
void AddValue(const Value& value, FieldKind kind, std::size_t column, ParquetWriter& writer) {
  switch (kind) {
    case FieldKind::kInteger:
      return writer.Integer(column, *value.AsInteger());
    case FieldKind::kNumber:
      return writer.Number(column, *NumberIn(value));
    case FieldKind::kBoolean:
      return writer.Boolean(column, *value.AsBool());
    case FieldKind::kInstant:
      return writer.Timestamp(column, *MomentIn(value));
    case FieldKind::kDate:
      return writer.Date(column, *DayIn(value));
    case FieldKind::kList:
      return writer.Text(column, CanonicalJson(value));
    case FieldKind::kAny:
    case FieldKind::kText:
      break;
  }
  const auto* text = value.AsString();
  writer.Text(column, text != nullptr ? *text : CanonicalJson(value));
}

}  // namespace

ItemParquet::ItemParquet(std::vector<ItemField> fields, Others others, ParquetWriter::Sink sink,
                         const ParquetBounds& bounds)
    : fields_(std::move(fields)),
      others_(others),
      writer_(ColumnsOf(fields_, others_), std::move(sink), bounds) {}

std::optional<Misfit> ItemParquet::FindMisfit(const ItemRow& item, const Value& values) const {
  for (const auto& field : fields_) {
    const auto* value = values.Find(field.name);
    if (value == nullptr || value->is_null() || Fits(*value, field.kind)) continue;
    return Misfit{item.id, field.name, CanonicalJson(*value)};
  }
  return std::nullopt;
}

Result<std::optional<Misfit>> ItemParquet::Add(const ItemRow& item) {
  const auto values = PATRA_TRY(FieldsOf(item));
  if (auto misfit = FindMisfit(item, values)) return misfit;
  writer_.Text(kSource, item.source);
  writer_.Text(kEndpoint, item.endpoint);
  writer_.Text(kId, item.id);
  writer_.Timestamp(kUpdatedAt, item.updated_at);
  item.deleted_at ? writer_.Timestamp(kDeletedAt, *item.deleted_at) : writer_.Nothing(kDeletedAt);
  item.merged_into ? writer_.Text(kMergedInto, *item.merged_into) : writer_.Nothing(kMergedInto);
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    const auto* value = values.Find(fields_[i].name);
    const auto column = kFixedColumns + i;
    if (value == nullptr || value->is_null()) {
      writer_.Nothing(column);
    } else {
      AddValue(*value, fields_[i].kind, column, writer_);
    }
  }
  if (others_ == Others::kKeep) AddOthers(values);
  PATRA_TRY(writer_.EndRow());
  return std::nullopt;
}

void ItemParquet::AddOthers(const Value& values) {
  Value::Object others;
  if (const auto* members = values.AsObject()) {
    for (const auto& [name, value] : *members) {
      if (std::ranges::find(fields_, name, &ItemField::name) == fields_.end())
        others.emplace(name, value);
    }
  }
  const auto column = kFixedColumns + fields_.size();
  others.empty() ? writer_.Nothing(column) : writer_.Text(column, CanonicalJson(others));
}

}  // namespace patra::contract
