// The zones of the IANA database, read from the system's tzdata.
//
// A TimeZone is a small value to copy and share between threads; its rules are loaded once per
// process. The system's files list transitions until 2037: after that the offset of the last
// listed one is taken to stay.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace patra {

// What a wall clock time means that a forward change of the clock leaves out.
enum class InGap {
  kAfter,  // the first moment after the gap
  kShift,  // as far into the new time as it is into the gap: 02:30 becomes 03:30
  kError,
};

// Which of the two moments is meant when a backward change repeats a wall clock time.
enum class WhenRepeated { kFirst, kSecond, kError };

class TimeZone {
 public:
  // By IANA name: "Europe/Berlin", "UTC". The error for an unknown one suggests a similar name.
  static Result<TimeZone> Find(std::string_view name);

  // Needs no database.
  static TimeZone Utc();

  TimeZone() : TimeZone(Utc()) {}

  const std::string& name() const;

  // How far the wall clock is ahead of UTC.
  std::chrono::seconds OffsetAt(Instant instant) const;

  LocalTime ToLocal(Instant instant) const;

  // The moment at which the wall clock shows `local`. An error also where that leaves the years
  // 0001 to 9999 in UTC.
  Result<Instant> ToUtc(LocalTime local, InGap in_gap = InGap::kAfter,
                        WhenRepeated when_repeated = WhenRepeated::kFirst) const;

  // The first moment of the calendar day that the wall clock shows at `instant`: mostly midnight,
  // but later where the clock jumps over it.
  Result<Instant> StartOfDay(Instant instant) const;

  // The latest time that the wall clock has shown up to `instant`. After the clock was set back
  // that is later than what it shows, until it has caught up.
  LocalTime LatestShown(Instant instant) const;

  friend bool operator==(const TimeZone&, const TimeZone&) = default;

 private:
  struct Rules;

  explicit TimeZone(const Rules& rules) : rules_(&rules) {}

  static const Rules* LoadRules(std::string_view name);

  const Rules* rules_;  // lives as long as the process
};

}  // namespace patra
