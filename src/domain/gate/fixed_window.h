// A count per window of the provider's clock: the minute from :00 to :59, the hour, the day.
#pragma once

#include <cstdint>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

struct WindowShape {
  std::int64_t count = 1;
  Duration window{};
  Duration offset{};
  Duration guard{};  // how far our idea of the provider's clock may be off, either way

  std::int64_t NumberAt(Duration wall) const;
  Duration StartOf(std::int64_t number) const { return window * number + offset; }
};

// A request near a boundary is counted in both windows, since we cannot know in which one it falls.
class FixedWindow {
 public:
  // Told before anything is asked: `wall` is the time of day at `now`, from 1970 on. Where the system's
  // clock has jumped, nobody knows what the provider's present window holds, so it counts as full. Where
  // the shape has changed, the count goes on in windows of the new length.
  void Observe(Duration now, Duration wall, const WindowShape& shape);

  Duration Earliest(Duration from, std::int64_t cost, const WindowShape& shape) const;
  void Book(Duration at, std::int64_t cost, const WindowShape& shape);
  void Fill(Duration now, const WindowShape& shape);

  // The provider says what is left in the window of `now`.
  void Cap(Duration now, std::int64_t left, const WindowShape& shape);

 private:
  std::int64_t UsedIn(std::int64_t number, const WindowShape& shape) const;

  Duration shift_ = kLongAgo;  // from our time to the wall's; kLongAgo: not known yet
  Duration last_ = kLongAgo;
  Duration window_{};        // that the numbers count
  std::int64_t number_ = 0;  // the first window that a new booking may touch
  std::int64_t used_ = 0;    // in it
  std::int64_t used_next_ = 0;
};

}  // namespace patra::domain
