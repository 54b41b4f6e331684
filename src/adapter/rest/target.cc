#include "adapter/rest/target.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "base/utf8.h"

namespace patra::adapter::rest {
namespace {

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

auto Malformed(std::string what) {
  return Fail(ErrorCode::kInvalidInput, std::move(what), {},
              "escape what is no letter or digit as %20 is escaped");
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

Result<std::string> Decoded(std::string_view text, bool plus_is_blank) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+' && plus_is_blank) {
      decoded += ' ';
    } else if (text[at] != '%') {
      decoded += text[at];
    } else {
      const auto high = at + 2 < text.size() ? HexDigit(text[at + 1]) : std::nullopt;
      const auto low = at + 2 < text.size() ? HexDigit(text[at + 2]) : std::nullopt;
      if (!high || !low) return Malformed("the address has a broken escape");
      decoded += static_cast<char>(*high * 16 + *low);
      at += 2;
    }
  }
  if (std::ranges::any_of(decoded, IsControl))
    return Malformed("the address has a control character");
  if (FindInvalidUtf8(decoded) != std::string_view::npos)
    return Malformed("the address is not valid UTF-8");
  return decoded;
}

Result<void> ReadPath(std::string_view text, Target& target) {
  if (!text.starts_with('/')) return Malformed("the address does not begin with a slash");
  text.remove_prefix(1);
  while (!text.empty()) {
    const auto slash = text.find('/');
    auto piece = PATRA_TRY(Decoded(text.substr(0, slash), false));
    if (piece.empty() || piece == "." || piece == "..")
      return Malformed("the address has a piece that is empty, \".\" or \"..\"");
    target.path.push_back(std::move(piece));
    if (slash == std::string_view::npos) return {};
    text.remove_prefix(slash + 1);
    if (text.empty()) return Malformed("the address ends with a slash");
  }
  return {};
}

Result<void> ReadQuery(std::string_view text, Target& target) {
  while (!text.empty()) {
    const auto end = text.find('&');
    const auto part = text.substr(0, end);
    const auto equals = part.find('=');
    auto name = PATRA_TRY(Decoded(part.substr(0, equals), true));
    auto value = equals == std::string_view::npos
                     ? std::string()
                     : PATRA_TRY(Decoded(part.substr(equals + 1), true));
    if (!part.empty()) target.query.emplace_back(std::move(name), std::move(value));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace

Result<Target> ParseTarget(std::string_view text) {
  Target target;
  if (text.size() > kTargetBytesMax) {
    return Fail(ErrorCode::kLimit,
                fmt::format("the address is longer than {} bytes", kTargetBytesMax), {},
                "narrow lists by what their parameters offer");
  }
  if (text == "*") {
    target.is_everything = true;
    return target;
  }
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!text.starts_with(scheme)) continue;
    text.remove_prefix(scheme.size());
    const auto end = std::min(text.find_first_of("/?"), text.size());
    target.authority = text.substr(0, end);
    if (target.authority.empty() || target.authority.contains('@'))
      return Malformed("the address names no host, or a user");
    text.remove_prefix(end);
    if (text.empty()) text = "/";
    break;
  }
  text = text.substr(0, text.find('#'));
  const auto question = text.find('?');
  PATRA_TRY(ReadPath(text.substr(0, question), target));
  if (question != std::string_view::npos) PATRA_TRY(ReadQuery(text.substr(question + 1), target));
  return target;
}

}  // namespace patra::adapter::rest
