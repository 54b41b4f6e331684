#include "domain/page/next_token.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/text_scanner.h"
#include "domain/page/found_node.h"

namespace patra::domain {
namespace {

bool HasRoundedNumber(Node node) {
  if (!node.is_array() && !node.is_object()) return IsRounded(node);
  return std::ranges::any_of(node.children(),
                             [](const Child& child) { return HasRoundedNumber(child.node); });
}

std::unexpected<Error> NoToken(std::string what, std::string hint = {}) {
  return Fail(ErrorCode::kCorruption, std::move(what), {}, std::move(hint));
}

bool IsContainer(Node node) { return node.is_array() || node.is_object(); }

}  // namespace

Result<std::optional<std::string>> TokenOf(Node node, TokenKind kind) {
  // Some write false where there is none.
  if (node.AsBool() == false) return std::nullopt;
  if (HasRoundedNumber(node)) return NoToken("is a number that cannot be kept exactly");
  if (kind == TokenKind::kText) {
    if (!IsContainer(node)) return node.Text();
    return NoToken(
        fmt::format("is {}, and not one value", node.is_array() ? "a list" : "an object"),
        "`token: parameters` of `paging` sends the members of an object, `token: value` "
        "puts it into templates");
  }
  const auto is_nested = [](const Child& child) { return IsContainer(child.node); };
  const bool has_parameters = node.is_object() && std::ranges::none_of(node.children(), is_nested);
  if (kind == TokenKind::kParameters && !has_parameters)
    return NoToken("is no object of single values, which parameters are");
  auto token = PATRA_TRY(ToValue(node));
  if (kind == TokenKind::kParameters) {
    // A parameter without a value is not sent.
    std::erase_if(*token.AsObject(), [](const auto& member) { return member.second.is_null(); });
    if (token.AsObject()->empty()) return std::nullopt;
  }
  return CanonicalJson(token);
}

Result<std::optional<std::string>> TokenInHeader(const PageAnswer& answer, std::string_view name) {
  std::optional<std::string> token;
  for (const auto& [header, value] : answer.headers) {
    if (value.empty() || !EqualIgnoringCase(header, name)) continue;
    if (token && *token != value)
      return NoToken(fmt::format("the header '{}' is there twice, with different tokens", name));
    token = value;
  }
  return token;
}

Result<Value> ValueOfToken(const std::string& token, TokenKind kind) {
  if (kind == TokenKind::kText) return Value(token);
  return ParseJson(token);
}

}  // namespace patra::domain
