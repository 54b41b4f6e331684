#include "domain/cursor/frontier.h"

#include <algorithm>

namespace patra::domain {

std::optional<Instant> Frontier::After(const Coverage& proven) const {
  const auto reached = is_backfill()
                           ? std::max(proven.FrontierBackFrom(start_), plan_window_.from())
                           : proven.FrontierFrom(start_);
  const bool has_moved = is_backfill() ? reached < start_ : reached > start_;
  return has_moved ? std::optional(reached) : std::nullopt;
}

}  // namespace patra::domain
