#include "domain/plan/tries_again.h"

#include <algorithm>
#include <utility>

#include "domain/cursor/coverage.h"

namespace patra::domain {

DueByNow WithoutEarly(const std::vector<Window>& unproven,
                      const std::vector<UnfinishedSlice>& unfinished) {
  Coverage early;
  for (const auto& slice : unfinished) {
    if (!slice.provable_to) continue;
    const auto from = std::max(*slice.provable_to, slice.window.from());
    if (const auto rest = Window::Between(from, slice.window.to())) early.Add(*rest);
  }
  DueByNow due;
  for (const auto& stretch : unproven) {
    const auto gaps = early.GapsIn(stretch);
    due.stretches.insert(due.stretches.end(), gaps.begin(), gaps.end());
    if (gaps == std::vector{stretch} || due.not_before) continue;
    due.not_before =
        !gaps.empty() && gaps.front().from() == stretch.from() ? gaps.front().to() : stretch.from();
  }
  return due;
}

TriesAgain SplitByTries(std::vector<UnfinishedSlice> unfinished, const TryLimit& limit) {
  TriesAgain split;
  for (auto& slice : unfinished) {
    const bool was_left_alone = slice.ended_at && limit.now - *slice.ended_at >= kLeftAloneFor;
    const bool is_open = slice.is_early() || slice.tries < limit.tries_max || was_left_alone;
    auto& where = is_open ? split.again : split.given_up;
    where.push_back(std::move(slice));
  }
  return split;
}

TriesAgain ChooseTriesAgain(std::vector<UnfinishedSlice> unfinished, const std::string& fingerprint,
                            const TryLimit& limit) {
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
  return SplitByTries(std::move(newest), limit);
}

}  // namespace patra::domain
