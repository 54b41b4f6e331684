// Totals that several slices of a plan announce. Two windows may hold as many records by chance, if there are few; where more
// do, the provider may count no further, wherever it stops: one of them is cut, and its parts tell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "base/id.h"
#include "domain/word/window.h"

namespace patra::domain {

// Of fewer records, windows hold as many too often.
inline constexpr std::int64_t kCapLeast = 20;
// Below that a sixth window tells, for sources have rhythms; from there on a third, and of so many a second one.
inline constexpr std::int64_t kSameTotalTells = 100;
inline constexpr std::int64_t kSameTotalOfTwoTells = 200;

class SameTotals {
 public:
  // Whether this window is the one that tells, of those of the plan with that total, which have no moment in common. What a
  // later one announces is no news any more. It is remembered, for the `kRemembered` windows that follow.
  bool IsToldBy(Id plan, const Window& window, std::int64_t total);

  static constexpr std::size_t kRemembered = 1024;

 private:
  struct Announced {
    Id plan;
    Window window;
    std::int64_t total;
  };

  std::deque<Announced> announced_;
};

}  // namespace patra::domain
