#include "domain/page/unmet_filter.h"

#include <algorithm>

#include "base/text_scanner.h"

namespace patra::domain {
namespace {

bool IsNamePart(char c) { return IsLetter(c) || IsDigit(c) || c == '_' || c == '-'; }

// The list or object whose children the first filter chooses from.
std::optional<Node> ListOf(Node root, JsonSteps steps) {
  for (const auto& step : steps) {
    if (std::holds_alternative<JsonPath::Chosen>(step)) return root;
    const auto* name = std::get_if<std::string>(&step);
    const auto found = name != nullptr && root.is_object() ? root.Find(*name) : std::nullopt;
    if (!found) return std::nullopt;
    root = *found;
  }
  return std::nullopt;
}

bool HasMember(Node list, const std::string& member) {
  for (const auto [name, record] : list.children()) {
    if (!record.is_object() || record.Find(member)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> ComparedMembers(std::string_view path) {
  std::vector<std::string> members;
  const auto filter = path.find("[?");
  if (filter == std::string_view::npos) return members;
  for (auto at = path.find("@.", filter); at != std::string_view::npos;
       at = path.find("@.", at + 2)) {
    auto end = at + 2;
    while (end < path.size() && IsNamePart(path[end])) ++end;
    const auto after = path.find_first_not_of(' ', end);
    const bool is_compared = after != std::string_view::npos &&
                             std::string_view("=!<>").find(path[after]) != std::string_view::npos;
    if (is_compared) members.emplace_back(path.substr(at + 2, end - at - 2));
  }
  return members;
}

std::optional<std::string> UnmetMember(Node root, JsonSteps steps, std::string_view path) {
  const auto list = ListOf(root, steps);
  if (!list || list->size() == 0) return std::nullopt;
  for (auto& member : ComparedMembers(path)) {
    if (!HasMember(*list, member)) return std::move(member);
  }
  return std::nullopt;
}

}  // namespace patra::domain
