// The simulated world's time for patra, too; waiting costs nothing.
#pragma once

#include <atomic>

#include "base/clock.h"
#include "sim/simulator.h"

namespace patra::testing {

class WorldClock final : public Clock {
 public:
  explicit WorldClock(const sim::Simulator& simulator) : simulator_(simulator) {}
  Instant Now() const override { return simulator_.WorldNow() + Duration(slept_.load()); }
  Duration Elapsed() const override { return real_.Elapsed() + Duration(slept_.load()); }
  void SleepFor(Duration duration) override { slept_ += duration.count(); }

 private:
  const sim::Simulator& simulator_;
  SystemClock real_;
  std::atomic<Duration::rep> slept_{0};
};

}  // namespace patra::testing
