#include "domain/window/provider_clock.h"

#include <algorithm>

#include "base/http_date.h"
#include "base/integer.h"

namespace patra::domain {
namespace {

// After so long a clock must have moved, by more than a second that was rounded differently.
constexpr Duration kMovesWithin = std::chrono::minutes(10);
constexpr Duration kRounding = std::chrono::seconds(1);
// A record may be stamped with the end of its day.
constexpr Duration kRecordsTellAfter = std::chrono::hours(24);
// An answer that says to be older was not kept by a cache.
constexpr std::int64_t kAgeSecondsMax = 30LL * 24 * 3600;

bool HasMoved(const ClockReading& earlier, const ClockReading& reading) {
  return reading.theirs - earlier.theirs > kRounding;
}

}  // namespace

std::optional<ClockReading> ReadClock(const std::string* date, const std::string* age,
                                      Instant received_at, Duration latency) {
  if (date == nullptr) return std::nullopt;
  const auto said = ParseHttpDate(*date, received_at);
  if (!said) return std::nullopt;
  const auto kept = age == nullptr ? std::nullopt : ParseInteger(*age);
  const auto seconds = std::clamp<std::int64_t>(kept.value_or(0), 0, kAgeSecondsMax);
  return ClockReading{.ours = received_at - latency,
                      .theirs = *said + std::chrono::seconds(seconds)};
}

ClockVerdict JudgeClocks(const ClocksSeen& seen) {
  const auto& [reading, earlier, newest, now] = seen;
  if (!reading) {
    const bool is_news = newest && *newest > now + kClockTolerance;
    const bool may_be_now = newest && *newest <= now + kRecordsTellAfter;
    return is_news && may_be_now ? ClockVerdict::kOursBehind : ClockVerdict::kAgree;
  }
  if (reading->ahead() < -kClockTolerance) return ClockVerdict::kOursBehind;
  if (reading->ahead() <= kClockTolerance) return ClockVerdict::kAgree;
  const bool stands_still =
      earlier && reading->ours - earlier->ours >= kMovesWithin && !HasMoved(*earlier, *reading);
  const bool is_refuted = newest && *newest <= now && *newest - reading->theirs > kRecordsTellAfter;
  return stands_still || is_refuted ? ClockVerdict::kNoClock : ClockVerdict::kOursAhead;
}

ClockReading ToKeep(const std::optional<ClockReading>& earlier, const ClockReading& reading) {
  const bool begins_anew = !earlier || reading.ours < earlier->ours || HasMoved(*earlier, reading);
  return begins_anew ? reading : *earlier;
}

std::optional<Window> PartBefore(const Window& window, Instant limit) {
  const auto part = Window::Between(window.from(), std::min(window.to(), limit));
  return part ? std::optional(*part) : std::nullopt;
}

}  // namespace patra::domain
