// A word in a text, however JSON, XML or an address spells its characters.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace patra {

struct TextRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  friend bool operator==(const TextRange&, const TextRange&) = default;
};

// Where `word` stands with at least one of its characters escaped, in order and disjoint: \u002B, \/, &#43;, &#x2b;,
// &amp;, %2B; also where an escape is itself escaped, as in \\u002B, &amp;#43; and %252B. A plain word is not looked
// for: that is what string_view::find is for. Takes time in proportion to the text. REQUIRES: word is not empty
std::vector<TextRange> FindEscaped(std::string_view text, std::string_view word);

}  // namespace patra
