// Requests as evenly spaced time slots: with at most one request per slot, no window of length W
// ever holds more than N of them, however the provider counts. A slot is paid when it is handed
// out.
#pragma once

#include <algorithm>

#include "base/result.h"
#include "base/time.h"

namespace patra::domain {

class PacedSlots {
 public:
  // REQUIRES: requests > 0, per > 0, guard >= 0. `guard` is the jitter between our clock and the
  // moment the provider counts: slots are as far apart as if the window were that much longer.
  PacedSlots(int requests, Duration per, Duration guard)
      : step_((per + guard + Duration(requests - 1)) / requests) {
    PATRA_ASSERT(requests > 0 && per > Duration::zero() && guard >= Duration::zero());
  }

  // The next free slot, not before `now`. Taking it moves the following one a step further.
  Duration Take(Duration now) {
    const auto slot = std::max(now, next_);
    next_ = slot + step_;
    return slot;
  }

  Duration step() const { return step_; }

 private:
  Duration step_;
  Duration next_ = Duration::min();
};

}  // namespace patra::domain
