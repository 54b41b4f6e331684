// The moments at which a provider's filter can cut: multiples of its granularity, as its own wall clock
// counts them. A day in New York starts at four or five in the morning UTC and has 23 to 25 hours.
#pragma once

#include "base/result.h"
#include "base/time.h"
#include "base/time_zone.h"
#include "domain/word/window.h"

namespace patra::domain {

class TimeGrid {
 public:
  // Steps of whole days follow the zone's calendar; shorter ones its wall clock. REQUIRES: step > 0
  explicit TimeGrid(Duration step, TimeZone zone = TimeZone::Utc()) : step_(step), zone_(zone) {
    PATRA_ASSERT(step > Duration::zero());
  }

  // The last point of the grid that is not after `moment`.
  Instant Floor(Instant moment) const;
  // The first point of the grid that is not before `moment`.
  Instant Ceil(Instant moment) const;
  // The first point of the grid after `moment`: always later, whatever the clocks do.
  Instant After(Instant moment) const;

  Duration step() const { return step_; }
  const TimeZone& zone() const { return zone_; }

 private:
  Duration step_;
  TimeZone zone_;
};

}  // namespace patra::domain
