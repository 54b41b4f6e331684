#include "domain/spec/definition.h"

#include <algorithm>

namespace patra::domain {

std::string_view Name(Layer layer) {
  switch (layer) {
    case Layer::kPlatform:
      return "platform";
    case Layer::kSource:
      return "source";
    case Layer::kEndpoint:
      return "endpoint";
    case Layer::kSubConfig:
      return "sub-config";
    case Layer::kTrigger:
      return "trigger";
  }
  return "";
}

DefinitionNode DefinitionNode::Scalar(Value value, std::string text, Place place) {
  DefinitionNode node;
  node.kind = Kind::kScalar;
  node.scalar = std::move(value);
  node.text = std::move(text);
  node.place = std::move(place);
  return node;
}

DefinitionNode DefinitionNode::Text(std::string text, Place place) {
  Value value(text);
  return Scalar(std::move(value), std::move(text), std::move(place));
}

DefinitionNode DefinitionNode::Map(Place place) {
  DefinitionNode node;
  node.kind = Kind::kMap;
  node.place = std::move(place);
  return node;
}

const DefinitionNode* DefinitionNode::Find(std::string_view name) const {
  const auto found = std::ranges::find(members, name, &DefinitionMember::name);
  return found == members.end() || found->node.is_null() ? nullptr : &found->node;
}

DefinitionNode* DefinitionNode::Find(std::string_view name) {
  return const_cast<DefinitionNode*>(std::as_const(*this).Find(name));
}

const DefinitionNode* DefinitionNode::At(std::string_view path) const {
  const auto* node = this;
  while (node != nullptr && !path.empty()) {
    const auto dot = path.find('.');
    node = node->Find(path.substr(0, dot));
    path.remove_prefix(dot == std::string_view::npos ? path.size() : dot + 1);
  }
  return node;
}

DefinitionNode& DefinitionNode::Set(std::string name, DefinitionNode node) {
  const auto found = std::ranges::find(members, name, &DefinitionMember::name);
  if (found != members.end()) return found->node = std::move(node);
  auto place_of_name = node.place;
  members.push_back({std::move(name), std::move(place_of_name), std::move(node)});
  return members.back().node;
}

Value DefinitionNode::ToValue() const {
  switch (kind) {
    case Kind::kNull:
      return {};
    case Kind::kScalar:
      return scalar;
    case Kind::kList: {
      Value::Array list;
      for (const auto& item : items) list.push_back(item.ToValue());
      return list;
    }
    case Kind::kMap: {
      Value::Object object;
      for (const auto& [name, where, node] : members) object.emplace(name, node.ToValue());
      return object;
    }
  }
  return {};
}

DefinitionNode Merge(const DefinitionNode& base, const DefinitionNode& over) {
  if (!base.is_map() || !over.is_map()) return over;
  auto merged = base;
  merged.place = over.place;
  merged.layer = over.layer;
  for (const auto& member : over.members) {
    auto* known = merged.Find(member.name);
    if (known == nullptr) {
      merged.Set(member.name, member.node);
    } else if (member.name == "errors" && known->is_list() && member.node.is_list()) {
      auto rules = member.node;
      rules.items.insert(rules.items.end(), known->items.begin(), known->items.end());
      *known = std::move(rules);
    } else {
      *known = Merge(*known, member.node);
    }
  }
  return merged;
}

void SetLayer(DefinitionNode& node, Layer layer) {
  node.layer = layer;
  for (auto& item : node.items) SetLayer(item, layer);
  for (auto& member : node.members) SetLayer(member.node, layer);
}

}  // namespace patra::domain
