#include "domain/page/what_is_there.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "base/close_match.h"

namespace patra::domain {
namespace {

constexpr std::size_t kNamesShown = 12;
constexpr std::size_t kNamesMax = 1'000;

std::vector<std::string_view> NamesIn(Node object) {
  std::vector<std::string_view> names;
  for (const auto [name, child] : object.children()) {
    names.push_back(name);
    if (names.size() >= kNamesMax) break;
  }
  return names;
}

std::string MembersOf(Node object, std::string_view wanted, const std::string& place) {
  auto names = NamesIn(object);
  if (names.empty()) return fmt::format("{} is an object without members", place);
  const auto meant = DidYouMean(wanted, names);
  const auto rest = names.size() > kNamesShown
                        ? fmt::format(" and {} more", object.size() - kNamesShown)
                        : std::string();
  names.resize(std::min(names.size(), kNamesShown));
  return fmt::format("{} has {}{}{}{}", place, fmt::join(names, ", "), rest,
                     meant.empty() ? "" : "; ", meant);
}

std::string_view KindOf(Node node) {
  switch (node.type()) {
    case NodeType::kNull:
      return "null";
    case NodeType::kBool:
      return "true or false";
    case NodeType::kNumber:
      return "a number";
    case NodeType::kString:
      return "a text";
    default:
      return "something else";
  }
}

}  // namespace

std::string WhatIsThere(JsonSteps steps, const NoItems& none) {
  const auto place = PathOf(steps.first(none.step));
  const auto& at = none.at;
  const bool is_end = none.step == steps.size();
  if (is_end && at.is_object()) {
    return fmt::format(
        "{0} is an object of {1} members: {0}.* takes each of them for a record, `one_record: "
        "true` "
        "all of it for one",
        place, at.size());
  }
  const auto* name = is_end ? nullptr : std::get_if<std::string>(&steps[none.step]);
  if (name != nullptr && at.is_object()) return MembersOf(at, *name, place);
  if (at.is_array())
    return fmt::format("{0} is a list of {1}: {0}[*] goes on into each of them", place, at.size());
  if (at.is_object()) return fmt::format("{} is an object among lists", place);
  return fmt::format("{} is {}", place, KindOf(at));
}

bool IsNearlyThere(JsonSteps steps, const NoItems& none) {
  if (none.step >= steps.size() || !none.at.is_object()) return false;
  const auto* name = std::get_if<std::string>(&steps[none.step]);
  return name != nullptr && CloseMatch(*name, NamesIn(none.at)).has_value();
}

std::string WhatIsThere(Node root, JsonSteps steps) {
  auto at = root;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto* name = std::get_if<std::string>(&steps[i]);
    const auto found = name != nullptr && at.is_object() ? at.Find(*name) : std::nullopt;
    if (!found) return name == nullptr ? std::string() : WhatIsThere(steps, NoItems{i, at});
    at = *found;
  }
  return {};
}

}  // namespace patra::domain
