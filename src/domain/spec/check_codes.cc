#include "domain/spec/check_codes.h"

#include <algorithm>

#include "domain/spec/shape.h"

namespace patra::domain {
namespace {

// Calls `visit(text, type, path)` for each code: scalars, and names of members where those are codes.
template <typename Node, typename Visit>
void EachCode(Node& node, const Shape& shape, const std::string& path, const Visit& visit) {
  const auto below = [&](const std::string& name) {
    return path.empty() ? name : path + "." + name;
  };
  switch (shape.kind) {
    case Shape::Kind::kScalar:
      if (node.is_scalar() && !shape.dictionary.empty()) visit(node.text, shape.dictionary, path);
      return;
    case Shape::Kind::kTree:
      return;
    case Shape::Kind::kEntries:
      for (auto& member : node.members) EachCode(member.node, *shape.of, below(member.name), visit);
      return;
    case Shape::Kind::kList:
      if (node.is_scalar()) EachCode(node, *shape.of, path, visit);
      for (auto& item : node.items) EachCode(item, *shape.of, path, visit);
      return;
    case Shape::Kind::kMap:
      break;
  }
  for (auto& member : node.members) {
    if (!shape.dictionary.empty()) visit(member.name, shape.dictionary, below(member.name));
    const auto key = std::ranges::find(shape.keys, member.name, &Key::name);
    if (key != shape.keys.end()) EachCode(member.node, key->shape, below(member.name), visit);
  }
}

}  // namespace

void ResolveAliases(DefinitionNode& definition, const CodeDictionary& dictionary) {
  EachCode(definition, SourceShape(), "",
           [&](std::string& text, const std::string& type, const std::string&) {
             const auto item = dictionary.ItemOf(type, text);
             if (!item || LowerCode(*item) == LowerCode(text)) return;
             text = LowerCode(*item);
           });
}

void CheckCodes(const MergedView& view, const CodeDictionary& dictionary, Findings& findings) {
  EachCode(view.root(), EndpointShape(), "",
           [&](const std::string& text, const std::string& type, const std::string& path) {
             const auto known = dictionary.Check(type, text);
             if (!known) view.Complain(findings, path, known.error().message, known.error().hint);
           });
}

}  // namespace patra::domain
