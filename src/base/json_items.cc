#include "base/json_items.h"

#include <algorithm>

namespace patra {
namespace {

std::optional<Node> Follow(Node node, const JsonPath::Step& step) {
  if (const auto* name = std::get_if<std::string>(&step))
    return node.is_object() ? node.Find(*name) : std::nullopt;
  auto index = std::get<std::int64_t>(step);
  if (index < 0) index += static_cast<std::int64_t>(node.size());
  if (!node.is_array() || index < 0) return std::nullopt;
  return node.At(static_cast<std::size_t>(index));
}

bool AppendChildren(Node node, std::size_t nodes_max, std::vector<Node>& into) {
  if (!node.is_array() && !node.is_object()) return false;
  for (const auto [name, child] : node.children()) {
    if (into.size() > nodes_max) break;  // one more than allowed tells that there are too many
    into.push_back(child);
  }
  return true;
}

}  // namespace

bool LeadsToOneList(JsonSteps steps) {
  return std::ranges::none_of(steps, [](const JsonPath::Step& step) {
    return std::holds_alternative<JsonPath::EveryChild>(step);
  });
}

std::optional<JsonItems> FindJsonItems(Node root, JsonSteps steps, std::size_t nodes_max) {
  std::vector<Node> here{root};
  bool are_members = false;
  for (const auto& step : steps) {
    std::vector<Node> next;
    const bool is_wildcard = std::holds_alternative<JsonPath::EveryChild>(step);
    are_members = is_wildcard && !here.empty() && here.front().is_object();
    for (const auto node : here) {
      if (is_wildcard) {
        if (node.is_object() != are_members || !AppendChildren(node, nodes_max, next))
          return std::nullopt;
        continue;
      }
      const auto found = Follow(node, step);
      if (!found) return std::nullopt;
      next.push_back(*found);
    }
    if (next.size() > nodes_max) return JsonItems{std::move(next), are_members, true};
    here = std::move(next);
  }
  if (!LeadsToOneList(steps)) return JsonItems{std::move(here), are_members};
  if (!here.front().is_array()) return std::nullopt;
  JsonItems items;
  items.nodes.reserve(std::min(here.front().size(), nodes_max + 1));
  AppendChildren(here.front(), nodes_max, items.nodes);
  items.are_too_many = items.nodes.size() > nodes_max;
  return items;
}

}  // namespace patra
