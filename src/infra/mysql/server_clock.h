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

  // What the server said between two moments of our clock. An answer that was long under way says little.
  void Note(Instant asked, Instant answered, Instant theirs) {
    if (answered - asked <= kTripMax) Believe(asked, answered, theirs);
  }
  // However long it was under way.
  void Believe(Instant asked, Instant answered, Instant theirs) {
    ahead_.store((theirs - (asked + (answered - asked) / 2)).count());
    noted_at_.store(SystemClock().Elapsed().count());
  }
  // What was noted last, if anything, is so old that our clock may have been set since. By real time, for the server lives in it
  // whatever clock the work goes by.
  bool IsStale() const {
    const auto noted_at = noted_at_.load();
    return noted_at == kNever || SystemClock().Elapsed() - Duration(noted_at) > kHoldsFor;
  }

  const Clock& ours() const { return ours_; }

 private:
  static constexpr Duration kTripMax = std::chrono::milliseconds(100);
  static constexpr Duration kHoldsFor = std::chrono::minutes(1);
  static constexpr Duration::rep kNever = -1;

  Clock& ours_;
  std::atomic<Duration::rep> ahead_{0};
  std::atomic<Duration::rep> noted_at_{kNever};
};

}  // namespace patra::infra::mysql
