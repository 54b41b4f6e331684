#include "base/json_items.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text_scanner.h"

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

bool HasChildren(Node node) { return node.is_array() || node.is_object(); }

void AppendChildren(Node node, std::size_t nodes_max, std::vector<Node>& into) {
  for (const auto [name, child] : node.children()) {
    if (into.size() > nodes_max) break;  // one more than allowed tells that there are too many
    into.push_back(child);
  }
}

bool IsWord(std::string_view name) {
  return !name.empty() && !IsDigit(name.front()) &&
         std::ranges::all_of(name, [](char c) { return IsLetter(c) || IsDigit(c) || c == '_'; });
}

// One step from all nodes at once, the way that leads to several.
class Stride {
 public:
  Stride(Node root, const JsonPath& path, std::size_t nodes_max, AbsentMember absent)
      : root_(root), path_(path), nodes_max_(nodes_max), absent_(absent) {}

  // False where the step finds nothing in `node`.
  Result<bool> Take(const JsonPath::Step& step, Node node, std::vector<Node>& into) {
    if (const auto* chosen = std::get_if<JsonPath::Chosen>(&step)) {
      if (!HasChildren(node)) return false;
      const auto taken = PATRA_TRY(path_.Choose(*chosen, root_, node));
      if (path_.is_filter(*chosen)) passed_over_ += node.size() - taken.size();
      for (const auto found : taken) {
        if (into.size() > nodes_max_) break;
        into.push_back(found);
      }
      return true;
    }
    if (std::holds_alternative<JsonPath::EveryChild>(step)) {
      if (!HasChildren(node)) return false;
      AppendChildren(node, nodes_max_, into);
      return true;
    }
    const auto found = Follow(node, step);
    const bool is_member = std::holds_alternative<std::string>(step) && node.is_object();
    const bool is_absent = is_member && (!found || found->is_null());
    if (is_absent && absent_ == AbsentMember::kNoRecords) return true;
    if (found) into.push_back(*found);
    return found.has_value();
  }

  std::size_t passed_over() const { return passed_over_; }

 private:
  Node root_;
  const JsonPath& path_;
  std::size_t nodes_max_;
  AbsentMember absent_;
  std::size_t passed_over_ = 0;
};

}  // namespace

bool LeadsToOneList(JsonSteps steps) {
  return std::ranges::none_of(steps, [](const JsonPath::Step& step) {
    return std::holds_alternative<JsonPath::EveryChild>(step) ||
           std::holds_alternative<JsonPath::Chosen>(step);
  });
}

std::string PathOf(JsonSteps steps) {
  std::string path = "$";
  for (const auto& step : steps) {
    if (const auto* name = std::get_if<std::string>(&step)) {
      path += IsWord(*name) ? fmt::format(".{}", *name) : fmt::format("['{}']", *name);
    } else if (const auto* index = std::get_if<std::int64_t>(&step)) {
      path += fmt::format("[{}]", *index);
    } else {
      path += std::holds_alternative<JsonPath::EveryChild>(step) ? "[*]" : "[…]";
    }
  }
  return path;
}

Result<std::variant<JsonItems, NoItems>> FindJsonItems(Node root, const JsonPath& path,
                                                       JsonSteps steps, std::size_t nodes_max,
                                                       AbsentMember absent) {
  Stride stride(root, path, nodes_max, absent);
  std::vector<Node> here{root};
  bool are_told_by_content = false;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const bool is_wildcard = std::holds_alternative<JsonPath::EveryChild>(steps[i]);
    const bool are_members = is_wildcard && !here.empty() && here.front().is_object();
    if (is_wildcard) are_told_by_content = are_members;
    if (std::holds_alternative<JsonPath::Chosen>(steps[i])) are_told_by_content = true;
    std::vector<Node> next;
    for (const auto node : here) {
      const bool is_mixed = is_wildcard && node.is_object() != are_members;
      if (is_mixed || !PATRA_TRY(stride.Take(steps[i], node, next))) return NoItems{i, node};
    }
    if (next.size() > nodes_max) return JsonItems{std::move(next), are_told_by_content, true, 0};
    here = std::move(next);
  }
  if (here.empty() || !LeadsToOneList(steps))
    return JsonItems{.nodes = std::move(here),
                     .are_told_by_content = are_told_by_content,
                     .passed_over = stride.passed_over()};
  if (!here.front().is_array()) return NoItems{steps.size(), here.front()};
  JsonItems items;
  items.nodes.reserve(std::min(here.front().size(), nodes_max + 1));
  AppendChildren(here.front(), nodes_max, items.nodes);
  items.are_too_many = items.nodes.size() > nodes_max;
  return items;
}

}  // namespace patra
