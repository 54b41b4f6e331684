#include "base/utf8.h"

#include <algorithm>

#include "base/result.h"

namespace patra {
namespace {

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

Utf8Character DecodeUtf8(std::string_view text, std::size_t offset) {
  const auto first = static_cast<unsigned char>(text[offset]);
  if (first < 0x80) return {first, 1};

  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() - offset < length) return {};
  char32_t code_point = first & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const char c = text[offset + i];
    if (!IsContinuation(c)) return {};
    code_point = code_point << 6 | (static_cast<unsigned char>(c) & 0x3Fu);
  }

  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  if (code_point < kSmallest[length] || surrogate || code_point > 0x10FFFF) return {};
  return {code_point, length};
}

void AppendUtf8(char32_t code_point, std::string& out) {
  PATRA_ASSERT(code_point <= 0x10FFFF && (code_point < 0xD800 || code_point > 0xDFFF));
  const auto add = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (code_point < 0x80) {
    add(code_point);
  } else if (code_point < 0x800) {
    add(0xC0 | code_point >> 6);
    add(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    add(0xE0 | code_point >> 12);
    add(0x80 | (code_point >> 6 & 0x3F));
    add(0x80 | (code_point & 0x3F));
  } else {
    add(0xF0 | code_point >> 18);
    add(0x80 | (code_point >> 12 & 0x3F));
    add(0x80 | (code_point >> 6 & 0x3F));
    add(0x80 | (code_point & 0x3F));
  }
}

std::size_t FindInvalidUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto character = DecodeUtf8(text, i);
    if (!character.valid()) return i;
    i += character.length;
  }
  return std::string_view::npos;
}

std::string_view WholeCharacters(std::string_view text, std::size_t offset, std::size_t bytes_max) {
  constexpr int kFollowersMax = 3;
  const auto follows = [&](std::size_t at) {
    return at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U;
  };
  auto from = std::min(offset, text.size());
  auto to = from + std::min(bytes_max, text.size() - from);
  for (int i = 0; i < kFollowersMax && from > 0 && from < to && follows(from); ++i) ++from;
  for (int i = 0; i < kFollowersMax && to > from && follows(to); ++i) --to;
  return text.substr(from, to - from);
}

std::size_t CountCharacters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !IsContinuation(c); }));
}

}  // namespace patra
