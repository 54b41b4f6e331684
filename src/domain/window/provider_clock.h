// Whose clock is right. What a provider has not said yet cannot be complete: where our clock is ahead of the
// provider's, nothing after the provider's now is proven, whatever our own clock says.
#pragma once

#include <optional>
#include <string>

#include "base/time.h"
#include "domain/word/window.h"

namespace patra::domain {

// Both clocks at about the same moment.
struct ClockReading {
  Instant ours;  // when the request left
  Instant theirs;

  Duration ahead() const { return ours - theirs; }  // by how much ours is
};

// By how much clocks may differ before it means anything.
inline constexpr Duration kClockTolerance = std::chrono::minutes(1);

// What the headers of an answer tell: its `Date`, and that a cache has kept it for `Age` seconds since. Nothing where
// there is no date that can be read.
std::optional<ClockReading> ReadClock(const std::string* date, const std::string* age,
                                      Instant received_at, Duration latency);

enum class ClockVerdict {
  kAgree,       // or nobody can tell
  kOursAhead,   // nothing after the provider's now can be proven
  kOursBehind,  // nothing is lost by it
  kNoClock,     // what the provider calls its date is none: our own clock has to do
};

struct ClocksSeen {
  std::optional<ClockReading> reading;  // of this run
  std::optional<ClockReading> earlier;  // as ToKeep chose it
  std::optional<Instant> newest;        // `updated` of a record of this run
  Instant now;                          // ours
};

// A date that stands still while our clock moves on, or that lies more than a day behind what the provider itself has
// stamped by now, is no clock, and holds a source up no longer than it takes to see that. Records alone prove nothing
// but that our clock is behind.
ClockVerdict JudgeClocks(const ClocksSeen& seen);

// Which of two readings later ones are compared with: the newest that shows the provider's clock moving.
ClockReading ToKeep(const std::optional<ClockReading>& earlier, const ClockReading& reading);

// What of a window lies before `limit`; nothing where it begins later.
std::optional<Window> PartBefore(const Window& window, Instant limit);

}  // namespace patra::domain
