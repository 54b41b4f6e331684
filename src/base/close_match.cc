#include "base/close_match.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/text_scanner.h"

namespace patra {
namespace {

// Nobody mistypes a word of this length; it bounds the work for hostile input.
constexpr std::size_t kWordMax = 64;

using Row = std::array<int, kWordMax + 1>;

}  // namespace

// Optimal string alignment: the dynamic program over prefixes, three rows of it at a time.
std::optional<int> EditDistance(std::string_view a, std::string_view b, int most) {
  if (a.size() > kWordMax || b.size() > kWordMax) return std::nullopt;
  if (most < 0 || std::abs(static_cast<int>(a.size()) - static_cast<int>(b.size())) > most) {
    return std::nullopt;
  }
  const auto equal = [&](std::size_t i, std::size_t j) { return ToLower(a[i]) == ToLower(b[j]); };

  Row before_last{}, last{}, current{};
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replaced = last[j - 1] + (equal(i - 1, j - 1) ? 0 : 1);
      current[j] = std::min({replaced, last[j] + 1, current[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && equal(i - 1, j - 2) && equal(i - 2, j - 1);
      if (swapped) current[j] = std::min(current[j], before_last[j - 2] + 1);
    }
    before_last = std::exchange(last, current);
  }
  const int distance = last[b.size()];
  return distance <= most ? std::optional(distance) : std::nullopt;
}

int MistypedAtMost(std::string_view word) {
  return std::clamp(static_cast<int>(std::min(word.size(), kWordMax)) / 3, 1, 3);
}

}  // namespace patra
