// Records are spoiled as text, after they were rendered: a real provider's broken record is not the
// output of a correct writer either.
#include "sim/record_shape.h"

#include <fmt/format.h>

#include <optional>

#include "sim/json_members.h"

namespace patra::sim {
namespace {

struct Extent {
  std::size_t first = 0;
  std::size_t last = 0;  // behind the last byte
};

struct Field {
  Extent whole;  // name and value, and what separates it from the next
  Extent name;
  Extent value;  // for JSON with its quotes or brackets
};

std::optional<Field> FindJson(std::string_view text, std::size_t start, std::string_view path) {
  const auto member = FindMember(text, start, path);
  if (!member) return std::nullopt;
  Field field;
  field.name = {member->begin + 1, member->value_begin - 2};
  field.value = {member->value_begin, member->end};
  field.whole = {member->begin, member->end};
  if (text.substr(member->end).starts_with(',')) {
    ++field.whole.last;
  } else if (text[member->begin - 1] == ',') {
    --field.whole.first;
  }
  return field;
}

std::optional<Field> FindXml(std::string_view text, std::size_t start, std::string_view name) {
  const auto opening = fmt::format("<{}", name);
  const auto closing = fmt::format("</{}>", name);
  auto at = text.find(opening, start);
  while (at != std::string_view::npos && at + opening.size() < text.size() &&
         text[at + opening.size()] != '>' && text[at + opening.size()] != ' ') {
    at = text.find(opening, at + 1);
  }
  if (name.empty() || at == std::string_view::npos) return std::nullopt;
  const auto tag_end = text.find('>', at);
  const auto end = text.find(closing, at);
  if (tag_end == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  Field field;
  field.whole = {at, end + closing.size()};
  field.name = {at + 1, at + opening.size()};
  field.value = {tag_end + 1, end};
  return field;
}

void Replace(std::string& text, Extent extent, std::string_view by) {
  text.replace(extent.first, extent.last - extent.first, by);
}

}  // namespace

void Spoil(std::string& text, std::size_t start, const RecordShape& shape, RecordDefect defect) {
  const bool json = shape.format == RecordShape::Format::kJson;
  const auto find = [&](std::string_view name) {
    return json ? FindJson(text, start, name) : FindXml(text, start, name);
  };
  switch (defect) {
    case RecordDefect::kNone:
      return;
    case RecordDefect::kMissingId:
      if (const auto field = find(shape.id)) Replace(text, field->whole, "");
      return;
    case RecordDefect::kUnparsableDate:
      if (const auto field = find(shape.date)) {
        Replace(text, field->value, json ? "\"31st of Febtober\"" : "31st of Febtober");
      }
      return;
    case RecordDefect::kFutureDate:
      if (const auto field = find(shape.date)) {
        Replace(text, field->value, json ? "\"9999-12-31T00:00:00Z\"" : "9999-12-31T00:00:00Z");
      }
      return;
    case RecordDefect::kMissingField:
      if (const auto field = find(shape.required)) Replace(text, field->whole, "");
      return;
    case RecordDefect::kTypeChange:
      if (const auto field = find(shape.required)) {
        Replace(text, field->value, json ? R"({"value":[1,null,"?"]})" : "<a><b/></a>");
      }
      return;
    case RecordDefect::kSchemaChange:
      if (const auto field = find(shape.required)) {
        if (!json) {
          Replace(text, {field->value.last + 2, field->value.last + 2 + shape.required.size()},
                  "renamed");
        }
        Replace(text, field->name, "renamed");
      }
      return;
    case RecordDefect::kHugeInteger:
      if (const auto field = find(shape.number)) {
        Replace(text, field->value, "123456789012345678901234567890");
      }
      return;
    case RecordDefect::kInvalidUtf8:
      if (const auto field = find(shape.required)) {
        text.insert(field->value.first + (json && text[field->value.first] == '[' ? 2 : 1),
                    "\xC3\x28\xFF");
      }
      return;
  }
}

}  // namespace patra::sim
