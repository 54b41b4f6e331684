#include "base/clock.h"

#include <thread>

#include "base/result.h"

namespace patra {

Instant SystemClock::Now() const {
  return std::chrono::floor<Duration>(std::chrono::system_clock::now());
}

Duration SystemClock::Elapsed() const {
  return std::chrono::floor<Duration>(std::chrono::steady_clock::now().time_since_epoch());
}

void SystemClock::SleepFor(Duration duration) { std::this_thread::sleep_for(duration); }

void VirtualClock::Advance(Duration duration) {
  PATRA_ASSERT(duration >= Duration::zero());
  passed_ += duration.count();
}

}  // namespace patra
