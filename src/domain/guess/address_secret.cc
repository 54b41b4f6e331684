#include "domain/guess/address_secret.h"

#include <algorithm>
#include <array>
#include <span>

#include <fmt/format.h>

#include "base/text_scanner.h"
#include "domain/page/paging_words.h"

namespace patra::domain {
namespace {

constexpr std::size_t kRandomMin = 16;
constexpr std::size_t kUnbrokenMin = 32;  // no word is so long
// Where a digit follows a letter, or the other way round. Names and dates have one or two.
constexpr std::size_t kTurnsMin = 4;
// Below it, a code or a key may be that of a country or a column.
constexpr std::size_t kCredentialMin = 8;

bool EndsWithAny(std::string_view plain, std::span<const std::string_view> ends) {
  return std::ranges::any_of(ends, [&](std::string_view end) { return plain.ends_with(end); });
}

bool IsAmong(std::span<const std::string_view> words, std::string_view plain) {
  return std::ranges::find(words, plain) != words.end();
}

}  // namespace

bool LooksRandom(std::string_view text) {
  if (text.size() < kRandomMin) return false;
  std::size_t turns = 0;
  std::size_t run = 0;
  std::size_t longest = 0;
  bool has_digit = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_digit = IsDigit(text[i]);
    const bool is_word = is_digit || IsLetter(text[i]);
    if (!is_word && std::string_view("-_+/=.~%").find(text[i]) == std::string_view::npos)
      return false;
    has_digit = has_digit || is_digit;
    run = is_word ? run + 1 : 0;
    longest = std::max(longest, run);
    const bool is_turn = run > 1 && is_digit != IsDigit(text[i - 1]);
    turns += is_turn ? 1 : 0;
  }
  const bool is_number = std::ranges::all_of(text, IsDigit);
  return !is_number && ((has_digit && turns >= kTurnsMin) || longest >= kUnbrokenMin);
}

std::optional<std::string> WhyCredential(std::string_view name, std::string_view value) {
  static constexpr auto kEnds = std::to_array<std::string_view>(
      {"key", "token", "secret", "password", "passwd", "passphrase", "pwd", "signature",
       "credential", "jwt", "oauth", "sessionid", "appid"});
  static constexpr auto kWhole =
      std::to_array<std::string_view>({"auth", "sig", "pass", "hmac", "apiauth"});
  static constexpr auto kOften =
      std::to_array<std::string_view>({"key", "code", "session", "sid", "pin", "ticket"});
  // A token of a page is a place, and no secret.
  static constexpr auto kPlaces = std::to_array<std::string_view>(
      {"page", "next", "continu", "resum", "cursor", "scroll", "sort", "startkey", "endkey"});
  const auto plain = PlainName(name);
  const bool is_word = value.size() < kCredentialMin || std::ranges::none_of(value, IsDigit);
  const bool is_place = std::ranges::any_of(
      kPlaces, [&](std::string_view part) { return plain.find(part) != std::string::npos; });
  const bool is_named = IsAmong(kOften, plain)
                            ? !is_word
                            : IsAmong(kWhole, plain) || (EndsWithAny(plain, kEnds) && !is_place);
  if (is_named) return fmt::format("'{}' may be a credential", name);
  if (LooksRandom(value)) return fmt::format("the value of '{}' looks random", name);
  return std::nullopt;
}

std::optional<std::string> RandomPartOf(std::string_view path) {
  std::size_t number = 0;
  for (std::size_t from = 0; from < path.size();) {
    const auto end = std::min(path.find('/', from), path.size());
    const auto part = path.substr(from, end - from);
    if (!part.empty() && (++number, LooksRandom(part)))
      return fmt::format("part {} of the path", number);
    from = end + 1;
  }
  return std::nullopt;
}

}  // namespace patra::domain
