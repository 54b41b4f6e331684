#include "domain/spec/field_dictionary.h"

#include "domain/spec/merged_view.h"
#include "domain/spec/shape.h"

namespace patra::domain {
namespace {

Shape Scalar(ScalarKind kind) { return {.scalar = kind}; }

// The types are those of the dictionary reg_data_type.
const Shape& FileShape() {
  static const Shape kShape = [] {
    Shape type = Scalar(ScalarKind::kCode);
    type.codes = {"text", "keyword", "token", "date", "datetime", "number", "boolean"};
    Shape field{.kind = Shape::Kind::kMap,
                .keys = {{"name", Scalar(ScalarKind::kText), "For people", "", true},
                         {"about", Scalar(ScalarKind::kText), "What it means"},
                         {"as", type, "Its type", "text"},
                         {"many", Scalar(ScalarKind::kFlag), "A record may have several", "false"},
                         {"exposed", Scalar(ScalarKind::kFlag), "Queries may use it", "true"}}};
    Shape fields{.kind = Shape::Kind::kEntries,
                 .of = std::make_shared<const Shape>(std::move(field)),
                 .checks_names = true};
    return Shape{.kind = Shape::Kind::kMap,
                 .keys = {{"fields", std::move(fields), "By their keys", "", true}}};
  }();
  return kShape;
}

std::string InUpperCase(std::string text) { return InCase(std::move(text), TextCase::kUpper); }

}  // namespace

std::vector<QueryField> ReadFieldDictionary(const DefinitionNode& file,
                                            std::vector<Error>& problems) {
  const auto checked = CheckShape(file, FileShape(), "", problems);
  std::vector<QueryField> fields;
  const auto* list = checked.Find("fields");
  if (list == nullptr) return fields;
  for (const auto& member : list->members) {
    const NodeReader field(&member.node);
    fields.push_back({.key = member.name,
                      .name = field.Text("name", ""),
                      .about = field.Text("about", ""),
                      .type = InUpperCase(field.Text("as", "text")),
                      .is_many = field.Flag("many", false),
                      .is_exposed = field.Flag("exposed", true)});
  }
  return fields;
}

DefinitionNode FieldDictionaryFile(const std::vector<QueryField>& fields) {
  auto list = DefinitionNode::Map();
  for (const auto& field : fields) {
    auto node = DefinitionNode::Map();
    node.Set("name", DefinitionNode::Text(field.name));
    if (!field.about.empty()) node.Set("about", DefinitionNode::Text(field.about));
    node.Set("as", DefinitionNode::Text(InCase(field.type, TextCase::kLower)));
    if (field.is_many) node.Set("many", DefinitionNode::Scalar(true, "true"));
    if (!field.is_exposed) node.Set("exposed", DefinitionNode::Scalar(false, "false"));
    list.Set(field.key, std::move(node));
  }
  auto file = DefinitionNode::Map();
  file.Set("fields", std::move(list));
  return file;
}

}  // namespace patra::domain
