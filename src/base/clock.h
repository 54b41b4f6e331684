// Time behind an interface, so that days pass in a test within milliseconds.
#pragma once

#include <atomic>

#include "base/time.h"

namespace patra {

class Clock {
 public:
  virtual ~Clock() = default;

  virtual Instant Now() const = 0;  // UTC; may jump when the system's clock is set

  // Time since some fixed point, for measuring; never jumps.
  virtual Duration Elapsed() const = 0;

  virtual void SleepFor(Duration duration) = 0;
};

// Thread-safe.
class SystemClock final : public Clock {
 public:
  Instant Now() const override;
  Duration Elapsed() const override;
  void SleepFor(Duration duration) override;
};

// Stands still until it is moved; sleeping moves it. Thread-safe.
class VirtualClock final : public Clock {
 public:
  explicit VirtualClock(Instant start) : start_(start) {}

  Instant Now() const override { return start_ + Elapsed(); }
  Duration Elapsed() const override { return Duration(passed_.load()); }
  void SleepFor(Duration duration) override { Advance(duration); }

  // REQUIRES: duration is not negative
  void Advance(Duration duration);

 private:
  const Instant start_;
  std::atomic<Duration::rep> passed_{0};
};

}  // namespace patra
