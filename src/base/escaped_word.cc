#include "base/escaped_word.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.h"

namespace patra {
namespace {

constexpr std::size_t kEscapesOfEscapesMax = 3;
constexpr std::size_t kReferenceDigitsMax = 8;

struct EscapedCharacter {
  std::string bytes;       // that it stands for
  std::size_t length = 0;  // of the escape
};

std::optional<char32_t> HexNumber(std::string_view digits) {
  char32_t number = 0;
  for (const char c : digits) {
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return std::nullopt;
    number = number * 16 + static_cast<char32_t>(digit);
  }
  return number;
}

std::optional<EscapedCharacter> Character(char32_t code_point, std::size_t length) {
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) return std::nullopt;
  EscapedCharacter character{.length = length};
  AppendUtf8(code_point, character.bytes);
  return character;
}

// \u002B after `slashes` backslashes, two of them for characters beyond the first plane; or \/, \" and the like.
std::optional<EscapedCharacter> TakeBackslash(std::string_view text) {
  // Not further: a long row of backslashes is looked at once from each of them.
  const auto head_of_row = text.substr(0, kEscapesOfEscapesMax + 1);
  const auto slashes = std::min(head_of_row.find_first_not_of('\\'), head_of_row.size());
  const auto unit = [&](std::size_t at) -> std::optional<char32_t> {
    const auto head = text.substr(std::min(at, text.size()), slashes + 5);
    if (head.size() < slashes + 5 || head.find_first_not_of('\\') != slashes ||
        head[slashes] != 'u')
      return std::nullopt;
    return HexNumber(head.substr(slashes + 1));
  };
  if (slashes <= kEscapesOfEscapesMax) {
    if (const auto first = unit(0)) {
      const bool is_high = *first >= 0xD800 && *first < 0xDC00;
      if (!is_high) return Character(*first, slashes + 5);
      const auto second = unit(slashes + 5);
      if (!second || *second < 0xDC00 || *second > 0xDFFF) return std::nullopt;
      return Character(0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00), 2 * (slashes + 5));
    }
  }
  if (text.size() < 2 || std::string_view("\"\\/").find(text[1]) == std::string_view::npos)
    return std::nullopt;
  return EscapedCharacter{std::string(1, text[1]), 2};
}

// &#43; &#x2B; &quot;, or one whose ampersand is written as &amp;
std::optional<EscapedCharacter> TakeReference(std::string_view text) {
  constexpr auto kReferenceNames = std::to_array<std::pair<std::string_view, char>>(
      {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}});
  std::size_t at = 1;
  std::optional<EscapedCharacter> found;
  for (std::size_t level = 0; level <= kEscapesOfEscapesMax; ++level) {
    const auto rest = text.substr(at);
    for (const auto& [name, character] : kReferenceNames) {
      if (rest.starts_with(name))
        found = EscapedCharacter{std::string(1, character), at + name.size()};
    }
    if (rest.starts_with('#')) {
      const bool is_hex = rest.starts_with("#x") || rest.starts_with("#X");
      const auto digits = rest.substr(is_hex ? 2 : 1, kReferenceDigitsMax + 1);
      const auto end = digits.find(';');
      if (end == std::string_view::npos || end == 0) return found;
      char32_t number = 0;
      if (is_hex) {
        const auto hex = HexNumber(digits.substr(0, end));
        if (!hex) return found;
        number = *hex;
      } else {
        for (const char c : digits.substr(0, end)) {
          if (c < '0' || c > '9') return found;
          number = number * 10 + static_cast<char32_t>(c - '0');
        }
      }
      return Character(number, at + (is_hex ? 2 : 1) + end + 1);
    }
    if (!rest.starts_with("amp;")) return found;
    at += std::string_view("amp;").size();
  }
  return found;
}

// %2B is a byte. %252B is that inside another address.
std::optional<EscapedCharacter> TakePercent(std::string_view text) {
  std::size_t at = 1;
  for (std::size_t level = 0; level < kEscapesOfEscapesMax; ++level) {
    const auto more = text.substr(at, 4);
    if (more.size() < 4 || !more.starts_with("25") || !HexNumber(more.substr(2))) break;
    at += 2;
  }
  const auto digits = text.substr(at, 2);
  if (digits.size() < 2) return std::nullopt;
  const auto byte = HexNumber(digits);
  if (!byte) return std::nullopt;
  return EscapedCharacter{std::string(1, static_cast<char>(static_cast<unsigned char>(*byte))),
                          at + 2};
}

std::optional<EscapedCharacter> TakeEscape(std::string_view text) {
  if (text.empty()) return std::nullopt;
  switch (text.front()) {
    case '\\':
      return TakeBackslash(text);
    case '&':
      return TakeReference(text);
    case '%':
      return TakePercent(text);
    default:
      return std::nullopt;
  }
}

// Where `word` ends that begins at `at`; each character may be plain or escaped.
std::optional<std::size_t> EndOf(std::string_view text, std::size_t at, std::string_view word) {
  while (!word.empty()) {
    const auto escape = TakeEscape(text.substr(at));
    if (escape && word.starts_with(escape->bytes)) {
      at += escape->length;
      word.remove_prefix(escape->bytes.size());
    } else if (at < text.size() && text[at] == word.front()) {
      ++at;
      word.remove_prefix(1);
    } else {
      return std::nullopt;
    }
  }
  return at;
}

// The word whose first escaped character stands at `at`: what comes before it is plain.
std::optional<TextRange> WordAround(std::string_view text, std::size_t at, std::string_view word) {
  const auto escape = TakeEscape(text.substr(at));
  if (!escape) return std::nullopt;
  for (auto index = word.find(escape->bytes); index != std::string_view::npos;
       index = word.find(escape->bytes, index + 1)) {
    if (index > at || text.substr(at - index, index) != word.substr(0, index)) continue;
    if (const auto end = EndOf(text, at, word.substr(index))) return TextRange{at - index, *end};
  }
  return std::nullopt;
}

}  // namespace

std::vector<TextRange> FindEscaped(std::string_view text, std::string_view word) {
  std::vector<TextRange> found;
  // One kind after the other: searching for one byte is much faster than for one of several.
  for (const char opening : {'\\', '&', '%'}) {
    for (auto at = text.find(opening); at != std::string_view::npos;) {
      const auto range = WordAround(text, at, word);
      if (range) found.push_back(*range);
      at = text.find(opening, range ? range->end : at + 1);
    }
  }
  std::ranges::sort(found, {}, &TextRange::begin);
  std::vector<TextRange> disjoint;
  for (const auto& range : found) {
    if (disjoint.empty() || range.begin >= disjoint.back().end) {
      disjoint.push_back(range);
    } else {
      disjoint.back().end = std::max(disjoint.back().end, range.end);
    }
  }
  return disjoint;
}

}  // namespace patra
