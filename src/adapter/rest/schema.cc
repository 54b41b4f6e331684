#include "adapter/rest/schema.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "base/close_match.h"
#include "base/id.h"
#include "base/json_pointer.h"
#include "base/time.h"
#include "base/utf8.h"

namespace patra::adapter::rest {
namespace {

using Kind = Schema::Kind;

Schema SchemaOfWord(std::string_view word) {
  bool is_nullable = word.ends_with('?');
  if (is_nullable) word.remove_suffix(1);
  Schema schema;
  if (word.starts_with('[')) {
    PATRA_ASSERT(word.ends_with(']'));
    schema = ListOf(SchemaOfWord(word.substr(1, word.size() - 2)));
  } else if (word.starts_with('{')) {
    PATRA_ASSERT(word.ends_with('}'));
    schema.kind = Kind::kMap;
    schema.inner = std::make_shared<Schema>(SchemaOfWord(word.substr(1, word.size() - 2)));
  } else if (std::isupper(static_cast<unsigned char>(word.front())) != 0) {
    schema = Named(std::string(word));
  } else {
    static const std::map<std::string, Kind, std::less<>> kinds{
        {"any", Kind::kAny},     {"text", Kind::kText},   {"id", Kind::kId},
        {"time", Kind::kMoment}, {"int", Kind::kInteger}, {"num", Kind::kNumber},
        {"flag", Kind::kFlag}};
    const auto found = kinds.find(word);
    PATRA_ASSERT(found != kinds.end());
    schema.kind = found->second;
  }
  schema.is_nullable = is_nullable;
  return schema;
}

std::string_view TypeOf(Kind kind) {
  switch (kind) {
    case Kind::kText:
    case Kind::kId:
    case Kind::kMoment:
      return "string";
    case Kind::kInteger:
      return "integer";
    case Kind::kNumber:
      return "number";
    case Kind::kFlag:
      return "boolean";
    case Kind::kObject:
    case Kind::kMap:
      return "object";
    case Kind::kList:
      return "array";
    case Kind::kAny:
    case Kind::kNamed:
      break;
  }
  return "";
}

void AddBounds(const Schema& schema, Value::Object& out) {
  const auto set = [&](const char* name, const std::optional<std::int64_t>& bound) {
    if (bound) out[name] = *bound;
  };
  switch (schema.kind) {
    case Kind::kInteger:
      set("minimum", schema.least);
      set("maximum", schema.most);
      break;
    case Kind::kText:
      set("maxLength", schema.most);
      break;
    case Kind::kList:
      set("maxItems", schema.most);
      break;
    default:
      break;
  }
}

auto Wrong(std::string what, const std::string& pointer, std::string hint = {}) {
  return Fail(ErrorCode::kInvalidInput, std::move(what), {.pointer = pointer}, std::move(hint));
}

Result<void> CheckObject(const Schema& schema, const Value::Object& object,
                         const NamedSchemas& named, const std::string& pointer) {
  std::vector<std::string_view> known;
  for (const auto& member : schema.members) known.push_back(member.name);
  for (const auto& [name, value] : object) {
    if (std::ranges::find(known, name) != known.end()) continue;
    return Wrong(fmt::format("there is no member '{}' here", name), ChildPointer(pointer, name),
                 DidYouMean(name, known, fmt::format("there are: {}", fmt::join(known, ", "))));
  }
  for (const auto& member : schema.members) {
    const auto found = object.find(member.name);
    if (found != object.end()) {
      PATRA_TRY(Check(member.schema, found->second, named, ChildPointer(pointer, member.name)));
    } else if (member.is_required) {
      return Wrong(fmt::format("'{}' is missing", member.name), pointer, member.schema.about);
    }
  }
  return {};
}

Result<void> CheckText(const Schema& schema, const std::string& text, const std::string& pointer) {
  if (schema.most && text.size() > static_cast<std::size_t>(*schema.most) &&
      CountCharacters(text) > static_cast<std::size_t>(*schema.most))
    return Wrong(fmt::format("this is longer than {} characters", *schema.most), pointer);
  if (!schema.values.empty() && std::ranges::find(schema.values, text) == schema.values.end())
    return Wrong(fmt::format("'{}' is not one of: {}", text, fmt::join(schema.values, ", ")),
                 pointer, DidYouMean(text, schema.values));
  if (schema.kind == Kind::kId && !ParseId(text))
    return Wrong(fmt::format("'{}' is no id", text), pointer, "ids are texts of digits");
  if (schema.kind == Kind::kMoment && !ParseRfc3339(text))
    return Wrong(fmt::format("'{}' is no moment", text), pointer, "such as 2026-03-29T01:00:00Z");
  return {};
}

Result<void> CheckList(const Schema& schema, const Value::Array& list, const NamedSchemas& named,
                       const std::string& pointer) {
  if (schema.most && std::ssize(list) > *schema.most)
    return Wrong(fmt::format("these are more than {}", *schema.most), pointer);
  for (std::size_t i = 0; i < list.size(); ++i)
    PATRA_TRY(Check(*schema.inner, list[i], named, fmt::format("{}/{}", pointer, i)));
  return {};
}

Result<void> CheckInteger(const Schema& schema, std::int64_t number, const std::string& pointer) {
  if (schema.least && number < *schema.least)
    return Wrong(fmt::format("{} is less than {}", number, *schema.least), pointer);
  if (schema.most && number > *schema.most)
    return Wrong(fmt::format("{} is more than {}", number, *schema.most), pointer);
  return {};
}

}  // namespace

Schema Text(std::string about) {
  return {.kind = Kind::kText, .about = std::move(about), .most = 10'000};
}
Schema Flag(std::string about) { return {.kind = Kind::kFlag, .about = std::move(about)}; }
Schema Integer(std::string about, std::optional<std::int64_t> least,
               std::optional<std::int64_t> most) {
  return {.kind = Kind::kInteger, .about = std::move(about), .least = least, .most = most};
}
Schema OneOf(std::vector<std::string> values, std::string about) {
  return {.kind = Kind::kText, .about = std::move(about), .values = std::move(values)};
}
Schema ListOf(Schema inner, std::optional<std::int64_t> most, std::string about) {
  return {.kind = Kind::kList,
          .about = std::move(about),
          .most = most,
          .inner = std::make_shared<Schema>(std::move(inner))};
}
Schema Named(std::string name) { return {.kind = Kind::kNamed, .name = std::move(name)}; }
Schema ObjectOf(std::vector<SchemaMember> members) {
  return {.kind = Kind::kObject, .members = std::move(members)};
}

Schema RowOf(std::string_view members) {
  Schema row{.kind = Kind::kObject};
  while (!members.empty()) {
    const auto end = members.find_first_of(" \n");
    const auto word = members.substr(0, end);
    members.remove_prefix(end == std::string_view::npos ? members.size() : end + 1);
    if (word.empty()) continue;
    const auto colon = word.find(':');
    PATRA_ASSERT(colon != std::string_view::npos);
    row.members.push_back(
        {std::string(word.substr(0, colon)), SchemaOfWord(word.substr(colon + 1))});
  }
  return row;
}

Schema PageOf(std::string_view name) {
  Schema next{.kind = Kind::kText,
              .is_nullable = true,
              .about = "what to send as `after` for the next page; null after the last"};
  return ObjectOf({{"items", ListOf(Named(std::string(name)))}, {"next", std::move(next)}});
}

Value ToValue(const Schema& schema) {
  Value::Object out;
  if (schema.kind == Kind::kNamed) {
    Value reference(Value::Object{{"$ref", "#/components/schemas/" + schema.name}});
    if (!schema.is_nullable) return reference;
    return Value::Object{{"anyOf", Value::Array{reference, Value::Object{{"type", "null"}}}}};
  }
  if (const auto type = TypeOf(schema.kind); !type.empty())
    out["type"] = schema.is_nullable ? Value(Value::Array{type, "null"}) : Value(type);
  if (schema.kind == Kind::kId) out["pattern"] = "^[0-9]{1,19}$";
  if (schema.kind == Kind::kMoment) out["format"] = "date-time";
  if (!schema.about.empty()) out["description"] = schema.about;
  if (!schema.values.empty()) {
    Value::Array values(schema.values.begin(), schema.values.end());
    if (schema.is_nullable) values.emplace_back();
    out["enum"] = std::move(values);
  }
  AddBounds(schema, out);
  if (schema.kind == Kind::kList) out["items"] = ToValue(*schema.inner);
  if (schema.kind == Kind::kMap) out["additionalProperties"] = ToValue(*schema.inner);
  if (schema.kind == Kind::kObject) {
    Value::Object properties;
    Value::Array required;
    for (const auto& member : schema.members) {
      properties[member.name] = ToValue(member.schema);
      if (member.is_required) required.emplace_back(member.name);
    }
    out["properties"] = std::move(properties);
    if (!required.empty()) out["required"] = std::move(required);
    out["additionalProperties"] = false;
  }
  return out;
}

Result<void> Check(const Schema& schema, const Value& value, const NamedSchemas& named,
                   const std::string& pointer) {
  if (schema.kind == Kind::kAny) return {};
  if (value.is_null() && schema.is_nullable) return {};
  if (schema.kind == Kind::kNamed) {
    const auto found = named.find(schema.name);
    PATRA_ASSERT(found != named.end());
    return Check(found->second, value, named, pointer);
  }
  const auto wanted = TypeOf(schema.kind);
  if (const auto* object = value.AsObject(); object != nullptr && wanted == "object") {
    if (schema.kind == Kind::kObject) return CheckObject(schema, *object, named, pointer);
    for (const auto& [name, member] : *object)
      PATRA_TRY(Check(*schema.inner, member, named, ChildPointer(pointer, name)));
    return {};
  }
  if (const auto* list = value.AsArray(); list != nullptr && wanted == "array")
    return CheckList(schema, *list, named, pointer);
  if (const auto* text = value.AsString(); text != nullptr && wanted == "string")
    return CheckText(schema, *text, pointer);
  if (const auto* number = value.AsInteger(); number != nullptr && wanted == "integer")
    return CheckInteger(schema, *number, pointer);
  if (wanted == value.TypeName()) return {};
  return Wrong(fmt::format("this is {}, and {} is wanted", value.TypeName(), wanted), pointer,
               schema.about);
}

}  // namespace patra::adapter::rest
