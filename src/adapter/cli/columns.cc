#include "adapter/cli/columns.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"

namespace patra::adapter::cli {
namespace {

struct Range {
  char32_t first, last;
};

// As terminals have it (Unicode's East Asian Width W and F), the blocks that records have.
constexpr auto kWide = std::to_array<Range>({{0x1100, 0x115F},
                                             {0x2E80, 0x303E},
                                             {0x3041, 0xA4CF},
                                             {0xAC00, 0xD7A3},
                                             {0xF900, 0xFAFF},
                                             {0xFE30, 0xFE6F},
                                             {0xFF00, 0xFF60},
                                             {0xFFE0, 0xFFE6},
                                             {0x1F300, 0x1F64F},
                                             {0x1F900, 0x1F9FF},
                                             {0x20000, 0x3FFFD}});
// Marks that stand on the character before them.
constexpr auto kNone = std::to_array<Range>({{0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x20D0, 0x20FF}});

template <typename Ranges>
bool IsIn(const Ranges& ranges, char32_t character) {
  return std::ranges::any_of(ranges, [&](const Range& range) {
    return character >= range.first && character <= range.last;
  });
}

std::size_t ColumnsOf(char32_t character) {
  if (IsIn(kNone, character)) return 0;
  return IsIn(kWide, character) ? 2 : 1;
}

}  // namespace

std::size_t ColumnsOf(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const auto character = DecodeUtf8(text, at);
    columns += character.valid() ? ColumnsOf(character.code_point) : 1;
    at += std::max<std::size_t>(character.length, 1);
  }
  return columns;
}

std::string FirstColumns(std::string_view text, std::size_t columns) {
  if (ColumnsOf(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t at = 0;
  for (std::size_t used = 0; at < text.size();) {
    const auto character = DecodeUtf8(text, at);
    used += character.valid() ? ColumnsOf(character.code_point) : 1;
    if (used > columns - 1) break;
    at += std::max<std::size_t>(character.length, 1);
  }
  return std::string(text.substr(0, at)) + "…";
}

}  // namespace patra::adapter::cli
