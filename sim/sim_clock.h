// The simulator's two times. World time decides what the corpus shows: it stands still unless it is
// told to run, so that two harvests of the same world agree. Server time decides about limits and
// expiring tokens: it is real time, plus every jump that world time was told to make.
#pragma once

#include <atomic>
#include <mutex>

#include "base/clock.h"

namespace patra::sim {

// Thread-safe.
class SimClock {
 public:
  // `speed` is world seconds per real second; 0 stands still.
  SimClock(Instant world_start, double speed, Duration offset)
      : world_start_(world_start), speed_(speed), real_start_(real_.Elapsed()), offset_(offset) {}

  Instant WorldNow() const {
    const std::lock_guard lock(mutex_);
    return world_start_ + jumped_ + Scaled(real_.Elapsed() - real_start_);
  }

  // Since the simulator started; never jumps back.
  Duration ServerTime() const {
    const std::lock_guard lock(mutex_);
    return real_.Elapsed() - real_start_ + jumped_;
  }

  // What the servers take for now: their Date headers say so.
  Instant ServerNow() const {
    const std::lock_guard lock(mutex_);
    return real_.Now() + jumped_ + offset_;
  }

  // Puts the servers' clocks so far ahead of real time, or behind it.
  void SetOffset(Duration offset) {
    const std::lock_guard lock(mutex_);
    offset_ = offset;
  }

  // REQUIRES: duration is not negative
  void Advance(Duration duration) {
    const std::lock_guard lock(mutex_);
    jumped_ += duration;
  }

 private:
  Duration Scaled(Duration real) const {
    return Duration(static_cast<Duration::rep>(static_cast<double>(real.count()) * speed_));
  }

  const Instant world_start_;
  const double speed_;
  const SystemClock real_;
  const Duration real_start_;
  mutable std::mutex mutex_;
  Duration offset_;
  Duration jumped_{};
};

}  // namespace patra::sim
