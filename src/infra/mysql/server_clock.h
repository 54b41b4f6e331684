// The server's time, as this machine's clock and what the server said of it lately suggest. Machines whose clocks differ by minutes
// agree by it on who holds a lease. Thread-safe.
#pragma once

#include <atomic>

#include "base/clock.h"

namespace patra::infra::mysql {

class ServerClock final : public Clock {
 public:
  explicit ServerClock(Clock& ours) : ours_(ours) {}

  Instant Now() const override { return ours_.Now() + Duration(ahead_.load()); }
  Duration Elapsed() const override { return ours_.Elapsed(); }
  void SleepFor(Duration duration) override { ours_.SleepFor(duration); }

  // What the server said between two moments of our clock.
  void Note(Instant asked, Instant answered, Instant theirs) {
    // An answer that was long under way says little.
    if (answered - asked > kTripMax) return;
    ahead_.store((theirs - (asked + (answered - asked) / 2)).count());
  }

  const Clock& ours() const { return ours_; }

 private:
  static constexpr Duration kTripMax = std::chrono::milliseconds(100);

  Clock& ours_;
  std::atomic<Duration::rep> ahead_{0};
};

}  // namespace patra::infra::mysql
