#include "domain/page/unmet_fields.h"

#include <fmt/format.h>

#include "base/document.h"
#include "domain/page/found_node.h"
#include "domain/page/what_is_there.h"

namespace patra::domain {
namespace {

// In the JSON of mapped fields. That a value holds the same text costs a warning, and nothing else.
bool HasField(const Record& record, const std::string& name) {
  return record.fields.find(fmt::format("\"{}\":", name)) != std::string::npos;
}

}  // namespace

UnmetFields::UnmetFields(const std::vector<FieldSpec>& fields) {
  for (const auto& field : fields) fields_.push_back(&field);
}

void UnmetFields::Look(std::span<const Record> records) {
  for (const auto& record : records) {
    if (record.version.deleted) continue;
    ++records_;
    std::erase_if(fields_, [&](const auto* field) { return HasField(record, field->name); });
  }
}

std::string UnmetFields::Describe() const {
  std::vector<std::string> names;
  for (const auto* field : fields_)
    names.push_back(fmt::format("'{}' ({})", field->name, field->path));
  return fmt::format(
      "none of {} records has {}: if a path is mistyped, `‹source.preview›` shows what is there",
      records_, fmt::join(names, ", "));
}

std::string WhyUnmet(const FieldSpec& field, std::string_view bytes) {
  auto why = fmt::format("no record of the page has '{}', which is looked for at {}", field.name,
                         field.path);
  const auto way = SimpleWayOf(field.path);
  const auto record = Document::ParseJson(std::string(bytes));
  if (!way || !record) return why;
  const auto there = WhatIsThere(record->root(), *way);
  return there.empty() ? why : fmt::format("{}: {}", why, there);
}

}  // namespace patra::domain
