#include "infra/reader/error_object.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "base/integer.h"
#include "domain/spec/codes.h"
#include "infra/reader/field_value.h"

namespace patra::infra::reader {
namespace {

constexpr std::size_t kShownMax = 200;

template <std::size_t N>
bool IsAmong(const std::array<std::string_view, N>& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

constexpr auto kTroubles =
    std::to_array<std::string_view>({"error", "errors", "exception", "fault", "errormessage",
                                     "error_message", "errormsg", "error_msg"});
constexpr auto kNoTrouble = std::to_array<std::string_view>({"none", "ok", "null", "success"});
constexpr auto kSuccesses = std::to_array<std::string_view>({"success", "ok"});
constexpr auto kStatuses = std::to_array<std::string_view>({"status", "result", "state"});
constexpr auto kFailures =
    std::to_array<std::string_view>({"error", "fail", "failed", "failure", "exception"});

bool IsTrouble(std::string_view name, Node node) {
  const auto lower = domain::LowerCode(name);
  const auto text = node.is_array() || node.is_object() ? "" : domain::LowerCode(node.Text());
  if (IsAmong(kTroubles, lower)) {
    if (node.is_array() || node.is_object()) return node.size() > 0;
    return !IsEmpty(node) && IsTrue(node) && !IsAmong(kNoTrouble, text);
  }
  if (IsAmong(kSuccesses, lower)) return text == "false";
  if (!IsAmong(kStatuses, lower)) return false;
  const auto number = ParseInteger(text);
  return IsAmong(kFailures, text) || (number && *number >= 400 && *number < 600);
}

std::optional<std::string> FindIn(Node object) {
  if (!object.is_object() && !object.is_xml()) return std::nullopt;
  for (const auto [name, node] : object.children()) {
    const auto known = node.is_xml() ? node.local_name() : name;
    if (IsTrouble(known, node))
      return fmt::format("{}: {}", known, node.Text().substr(0, kShownMax));
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> FindErrorBeside(Node root, JsonSteps steps) {
  auto here = std::optional(root);
  for (const auto& step : steps) {
    if (auto error = FindIn(*here)) return error;
    const auto* name = std::get_if<std::string>(&step);
    here = name == nullptr || !here->is_object() ? std::nullopt : here->Find(*name);
    if (!here) return std::nullopt;
  }
  return steps.empty() ? FindIn(root) : std::nullopt;
}

}  // namespace patra::infra::reader
