#include "domain/plan/unfinished_slice.h"

#include <algorithm>
#include <utility>

#include "domain/cursor/coverage.h"

namespace patra::domain {

TriesAgain SplitByTries(std::vector<UnfinishedSlice> unfinished, std::int64_t tries_max) {
  TriesAgain split;
  for (auto& slice : unfinished) {
    const bool is_open = slice.is_early || slice.tries < tries_max;
    auto& where = is_open ? split.again : split.given_up;
    where.push_back(std::move(slice));
  }
  return split;
}

TriesAgain ChooseTriesAgain(std::vector<UnfinishedSlice> unfinished, const std::string& fingerprint,
                            std::int64_t tries_max) {
  std::erase_if(unfinished,
                [&](const UnfinishedSlice& slice) { return slice.fingerprint != fingerprint; });
  std::ranges::sort(unfinished, [](const UnfinishedSlice& a, const UnfinishedSlice& b) {
    return std::pair(b.plan, a.slice) < std::pair(a.plan, b.slice);
  });
  std::vector<UnfinishedSlice> newest;
  Coverage newer;  // stretches of newer plans
  std::vector<Window> own;
  Id plan = 0;
  for (auto& slice : unfinished) {
    // Slices of one plan may share a window, each with another part of it.
    if (slice.plan != plan) {
      for (const auto& window : own) newer.Add(window);
      own.clear();
      plan = slice.plan;
    }
    if (newer.GapsIn(slice.window).empty()) continue;
    own.push_back(slice.window);
    newest.push_back(std::move(slice));
  }
  return SplitByTries(std::move(newest), tries_max);
}

}  // namespace patra::domain
