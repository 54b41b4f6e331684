#include "domain/walk/same_totals.h"

#include <algorithm>

namespace patra::domain {

bool SameTotals::IsToldBy(Id plan, const Window& window, std::int64_t total) {
  if (total < kCapLeast) return false;
  const int tells = total < kSameTotalTells ? 5 : total < kSameTotalOfTwoTells ? 2 : 1;
  int others = 0;
  for (const auto& other : announced_) {
    if (other.plan != plan || other.total != total) continue;
    // A walk over the same window, or over what it was cut from.
    if (other.window == window) return others == tells;
    const bool is_apart = other.window.to() <= window.from() || window.to() <= other.window.from();
    if (is_apart) ++others;
  }
  announced_.push_back({plan, window, total});
  if (announced_.size() > kRemembered) announced_.pop_front();
  return others == tells;
}

}  // namespace patra::domain
