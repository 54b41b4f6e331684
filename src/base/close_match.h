// "Did you mean …?": the candidate that a mistyped word probably stands for.
#pragma once

#include <cstddef>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>

namespace patra {

// How many letters were inserted, left out, replaced or swapped with their neighbour, ignoring the
// case of ASCII letters; nothing if that is more than `most`. Bytes count, not characters.
std::optional<int> EditDistance(std::string_view a, std::string_view b, int most);

// How far off a word may be to count as mistyped: one letter in three, but no more than three.
int MistypedAtMost(std::string_view word);

// The nearest candidate that `word` can be a slip of, the first one among equals. The candidates
// are anything that converts to std::string_view; the result looks into them.
template <std::ranges::input_range Candidates>
std::optional<std::string_view> CloseMatch(std::string_view word, const Candidates& candidates) {
  std::optional<std::string_view> best;
  int most = MistypedAtMost(word);
  for (const auto& candidate : candidates) {
    const auto distance = EditDistance(word, candidate, most);
    if (!distance) continue;
    best = candidate;
    most = *distance - 1;
  }
  return best;
}

// "did you mean 'x'?", or `otherwise` if nothing is near. For the hint of an error.
template <std::ranges::input_range Candidates>
std::string DidYouMean(std::string_view word, const Candidates& candidates,
                       std::string otherwise = {}) {
  const auto match = CloseMatch(word, candidates);
  return match ? "did you mean '" + std::string(*match) + "'?" : otherwise;
}

}  // namespace patra
