#include "domain/page/found_node.h"

#include <algorithm>
#include <cmath>
#include <ranges>

#include <fmt/format.h>

#include "base/integer.h"
#include "domain/page/field_value.h"

namespace patra::domain {

Result<std::optional<Node>> NodeAt(const Path& path, Node context, Computed& computed) {
  if (path.is_singular()) {
    const auto found = PATRA_TRY(path.First(context, computed));
    return found && !IsEmpty(*found) ? found : std::nullopt;
  }
  auto found = PATRA_TRY(path.Select(context, computed));
  std::erase_if(found, [](const Node& node) { return IsEmpty(node); });
  if (found.empty()) return std::nullopt;
  const auto says_the_same = [&](const Node& node) { return node.Text() == found.front().Text(); };
  if (std::ranges::all_of(found | std::views::drop(1), says_the_same)) return found.front();
  return Fail(ErrorCode::kConflict,
              fmt::format("{} selects {} values, where one is meant", path.text(), found.size()),
              {},
              path.language() == PathLanguage::kXPath
                  ? fmt::format("({})[1] is the first of them", path.text())
                  : "an index names one of them, as [0] does the first");
}

Result<std::optional<std::string>> TextAt(const std::optional<Path>& path, Node context,
                                          Computed& computed) {
  const auto node = path ? PATRA_TRY(NodeAt(*path, context, computed)) : std::nullopt;
  return node ? std::optional(node->Text()) : std::nullopt;
}

bool IsRounded(Node node) {
  constexpr std::ptrdiff_t kDigitsKept = 15;
  // Of a number with a point, so large, not even three digits behind it are.
  constexpr double kWholeMost = 1e12;
  const auto written = node.is_xml() ? std::nullopt : node.AsNumber();
  if (!written || written->is_integer()) return false;
  const auto number = written->AsDouble();
  if (std::trunc(number) == number) return std::abs(number) > kWholeMost;
  const auto text = node.Text();
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::ranges::count_if(text, is_digit) >
         kDigitsKept + 1;  // and the nought before the point
}

std::optional<std::int64_t> WholeNumber(const std::optional<std::string>& text) {
  return text ? ParseInteger(*text) : std::nullopt;
}

Result<SimpleWay> SimpleWayOf(const std::string& path) {
  return PATRA_TRY(JsonPath::Compile(path)).StepsToItems();
}

std::optional<std::string> FindTwice(Node from, JsonSteps way) {
  for (const auto& step : way) {
    const auto* name = std::get_if<std::string>(&step);
    if (name == nullptr || !from.is_object()) return std::nullopt;
    std::optional<Node> found;
    for (const auto [member, node] : from.children()) {
      if (member != *name) continue;
      if (found) return *name;
      found = node;
    }
    if (!found) return std::nullopt;
    from = *found;
  }
  return std::nullopt;
}

}  // namespace patra::domain
