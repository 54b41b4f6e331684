#include "domain/window/time_grid.h"

#include <algorithm>

namespace patra::domain {
namespace {

using LocalDays = std::chrono::local_time<std::chrono::days>;

LocalTime FloorLocal(LocalTime local, Duration step) {
  return LocalTime(FloorTo(Instant(local.time_since_epoch()), step).time_since_epoch());
}

}  // namespace

Instant TimeGrid::Floor(Instant moment) const {
  if (zone_ == TimeZone::Utc()) return FloorTo(moment, step_);
  const auto start = FloorLocal(zone_.ToLocal(moment), step_);
  // A clock that was set back shows an hour twice; the earlier one may even lie after `moment`'s own day
  // began. The offset at `moment` then gives the start that belongs to it.
  const auto by_clock = zone_.ToUtc(start);
  if (by_clock && *by_clock <= moment) return *by_clock;
  return Instant(start.time_since_epoch()) - zone_.OffsetAt(moment);
}

Instant TimeGrid::Ceil(Instant moment) const {
  return Floor(moment) == moment ? moment : After(moment);
}

Instant TimeGrid::After(Instant moment) const {
  if (zone_ == TimeZone::Utc()) return FloorTo(moment, step_) + step_;
  const auto next = FloorLocal(zone_.ToLocal(moment), step_) + step_;
  const auto by_clock = zone_.ToUtc(next);
  if (by_clock && *by_clock > moment) return *by_clock;
  // The wall clock repeats itself: the second time round is the later one.
  const auto second = zone_.ToUtc(next, InGap::kAfter, WhenRepeated::kSecond);
  if (second && *second > moment) return *second;
  return FloorTo(moment, step_) + step_;
}

}  // namespace patra::domain
