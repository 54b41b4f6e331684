// A source definition as people wrote it: a tree in which every node knows its place in the file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/value.h"

namespace patra::domain {

// Which level of the merge a value comes from, from the weakest to the strongest.
enum class Layer { kPlatform, kSource, kEndpoint, kSubConfig, kTrigger };

std::string_view Name(Layer layer);  // "platform", "source", …

struct DefinitionMember;

struct DefinitionNode {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  std::string text{};                     // a scalar as written
  Value scalar{};                         // and as YAML understands it
  std::vector<DefinitionNode> items{};    // of a list
  std::vector<DefinitionMember> members;  // of a map, in their order
  Place place{};
  Layer layer = Layer::kSource;

  static DefinitionNode Scalar(Value value, std::string text, Place place = {});
  static DefinitionNode Text(std::string text, Place place = {});
  static DefinitionNode Map(Place place = {});

  bool is_null() const { return kind == Kind::kNull; }
  bool is_scalar() const { return kind == Kind::kScalar; }
  bool is_list() const { return kind == Kind::kList; }
  bool is_map() const { return kind == Kind::kMap; }

  // The member of that name, null where there is none or its value is null.
  const DefinitionNode* Find(std::string_view name) const;
  DefinitionNode* Find(std::string_view name);

  // Down a path of names, divided by dots.
  const DefinitionNode* At(std::string_view path) const;

  // Adds or replaces.
  DefinitionNode& Set(std::string name, DefinitionNode node);

  Value ToValue() const;
};

struct DefinitionMember {
  std::string name;
  Place place{};  // of the name
  DefinitionNode node{};
};

// Maps are merged member by member, everything else is replaced by what `over` says; only lists of
// error rules are joined, the stronger ones first, since the first rule that matches decides.
DefinitionNode Merge(const DefinitionNode& base, const DefinitionNode& over);

// Marks a tree as coming from that layer.
void SetLayer(DefinitionNode& node, Layer layer);

}  // namespace patra::domain
