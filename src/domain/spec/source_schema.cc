#include "domain/spec/shape.h"

namespace patra::domain {
namespace {

Value ScalarSchema(const Shape& shape) {
  switch (shape.scalar) {
    case ScalarKind::kInteger:
      return Value::Object{{"type", "integer"}};
    case ScalarKind::kNumber:
      return Value::Object{{"type", "number"}};
    case ScalarKind::kFlag:
      return Value::Object{{"type", "boolean"}};
    case ScalarKind::kPart:
    case ScalarKind::kStatus:
    case ScalarKind::kDuration:
    case ScalarKind::kMoment:
      return Value::Object{{"type", Value::Array{"string", "number"}}};
    case ScalarKind::kName:
      return Value::Object{{"type", "string"}, {"pattern", "^[a-z0-9_-]{1,64}$"}};
    case ScalarKind::kUrl:
      return Value::Object{{"type", "string"}, {"pattern", "^https?://"}};
    case ScalarKind::kReference:
      return Value::Object{{"type", "string"}, {"pattern", "^\\$\\{(env|file):.+\\}$"}};
    case ScalarKind::kRate:
      return Value::Object{{"type", "string"}, {"pattern", "^[0-9]+/[0-9a-z]+$"}};
    case ScalarKind::kCode: {
      Value::Array codes(shape.codes.begin(), shape.codes.end());
      return Value::Object{{"enum", std::move(codes)}};
    }
    case ScalarKind::kText:
    case ScalarKind::kTemplate:
      return Value::Object{{"type", Value::Array{"string", "number", "boolean"}}};
    case ScalarKind::kWidths:
    case ScalarKind::kPath:
    case ScalarKind::kReferenceOrText:
    case ScalarKind::kPattern:
    case ScalarKind::kDatePattern:
    case ScalarKind::kTimezone:
      return Value::Object{{"type", "string"}};
  }
  return Value::Object{};
}

// Parts with a name are written once and referred to.
using Definitions = Value::Object;

Value SchemaOf(const Shape& shape, Definitions& definitions);

Value MapSchema(const Shape& shape, Definitions& definitions) {
  Value::Object properties;
  Value::Array required;
  for (const auto& key : shape.keys) {
    auto property = SchemaOf(key.shape, definitions);
    if (!key.doc.empty()) property["description"] = key.doc;
    if (!key.platform_default.empty()) property["default"] = key.platform_default;
    properties.emplace(key.name, std::move(property));
    if (key.required) required.push_back(key.name);
  }
  Value::Object schema{
      {"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) schema.emplace("required", std::move(required));
  return schema;
}

const Shape* ShapeOfKey(const Shape& shape, const std::string& name) {
  for (const auto& key : shape.keys) {
    if (key.name == name) return &key.shape;
  }
  return nullptr;
}

Value AnyOf(Value::Array choices) {
  choices.push_back(Value::Object{{"type", "null"}});
  return Value::Object{{"anyOf", std::move(choices)}};
}

Value WholeSchemaOf(const Shape& shape, Definitions& definitions) {
  switch (shape.kind) {
    case Shape::Kind::kScalar:
      return ScalarSchema(shape);
    case Shape::Kind::kMap: {
      Value::Array choices{MapSchema(shape, definitions)};
      if (!shape.none_word.empty()) choices.push_back(Value::Object{{"const", shape.none_word}});
      if (const auto* bare = ShapeOfKey(shape, shape.short_form))
        choices.push_back(SchemaOf(*bare, definitions));
      if (choices.size() == 1) return choices.front();
      return AnyOf(std::move(choices));
    }
    case Shape::Kind::kEntries: {
      Value entries = Value::Object{{"type", "object"},
                                    {"additionalProperties", SchemaOf(*shape.of, definitions)}};
      if (!shape.names_suffice) return entries;
      return AnyOf(
          {std::move(entries),
           Value::Object{{"type", "array"}, {"items", Value::Object{{"type", "string"}}}}});
    }
    case Shape::Kind::kList: {
      Value list = Value::Object{{"type", "array"}, {"items", SchemaOf(*shape.of, definitions)}};
      if (!shape.one_or_many) return list;
      return AnyOf({std::move(list), SchemaOf(*shape.of, definitions)});
    }
    case Shape::Kind::kTree:
      return Value::Object{};
  }
  return Value::Object{};
}

Value SchemaOf(const Shape& shape, Definitions& definitions) {
  if (shape.name.empty()) return WholeSchemaOf(shape, definitions);
  if (!definitions.contains(shape.name)) {
    auto schema = WholeSchemaOf(shape, definitions);
    definitions.emplace(shape.name, std::move(schema));
  }
  return Value::Object{{"$ref", "#/$defs/" + shape.name}};
}

}  // namespace

Value SourceSchema() {
  Definitions definitions;
  auto schema = MapSchema(SourceShape(), definitions);
  schema["$defs"] = std::move(definitions);
  schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  schema["title"] = "Definition of a source for patra";
  return schema;
}

}  // namespace patra::domain
