// A stretch of source time, [from, to). Half-open, so neighbours neither overlap nor leave a gap:
// the end of one harvest is the start of the next.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::domain {

class Window {
 public:
  static Result<Window> Between(Instant from, Instant to);

  Instant from() const { return from_; }
  Instant to() const { return to_; }
  Duration width() const { return to_ - from_; }

  bool Contains(Instant moment) const { return from_ <= moment && moment < to_; }
  bool Covers(const Window& other) const { return from_ <= other.from_ && other.to_ <= to_; }
  bool Touches(const Window& other) const { return from_ <= other.to_ && other.from_ <= to_; }

  // Consecutive windows that tile this one exactly (I3). Cuts lie on multiples of `step` since the
  // epoch, so that two plans over the same stretch cut it alike; the ends are shortened instead.
  // REQUIRES: step > 0
  std::vector<Window> TileBy(Duration step) const;

  std::string Describe() const;  // "[2026-01-01T00:00:00Z, 2026-01-02T00:00:00Z)"

  friend bool operator==(const Window&, const Window&) = default;

 private:
  Window(Instant from, Instant to) : from_(from), to_(to) {}

  Instant from_;  // included
  Instant to_;    // excluded; always later than from_
};

// The last multiple of `step` since the epoch that is not after `moment`. REQUIRES: step > 0
Instant FloorTo(Instant moment, Duration step);

}  // namespace patra::domain
