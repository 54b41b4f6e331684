// When a schedule fires.
//
// Five fields (minute, hour, day of the month, month, day of the week), or six with the second in
// front. Names (JAN, MON) and letters may be in any case.
//
//   *          every one
//   a  a-b     one, a range; a,b-c is a list of such entries
//   */n a-b/n  every n-th of a range, from its beginning
//   a/n        every n-th from a to the end of the field
//   ?          as *, for the two fields of days
//   L          the last day of the month; L-3 is three days before it
//   15W LW     the weekday (Monday to Friday) of the month nearest to the 15th, to its last day
//   FRIL 5L    the last Friday of the month
//   MON#2      the second Monday of the month
//   @yearly @annually @monthly @weekly @daily @midnight @hourly
//   @every 90m (base/duration.h, at least 1 s) counts from the given instant: who schedules gives
//              the last firing, so that a restart does not shift it
//
// Sunday is both 0 and 7, and a range of days of the week may pass it: FRI-MON.
//
// Days: if both the day of the month and the day of the week are restricted, either is enough, as
// in Vixie's cron. If one of them begins with * or is ?, both have to match: "0 0 */2 * MON" is
// Mondays of odd number, "0 0 1 * MON" the first and every Monday.
//
// Changes of the clock: a schedule fires at the first instant at which the wall clock shows a
// matching time, or a later one. So a time that the clock jumps over fires once, right after the
// jump, together with others of the same gap; and a time that occurs twice fires the first time
// only. That holds for every expression: "*/15 * * * *" is silent in the repeated hour.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/time_zone.h"

namespace patra {

// Immutable, so threads may share it.
class Cron {
 public:
  // At most 256 bytes. The error has the column and says what was expected there.
  static Result<Cron> Parse(std::string_view text);

  const std::string& text() const { return text_; }

  // The first firing strictly after `instant` on the wall clock of `zone`. Nothing if there is none
  // in the next 50 years or before the year 10000: the rarest days, 29 February on a given day of
  // the week, are up to 40 years apart; 30 February never comes.
  std::optional<Instant> NextAfter(Instant instant, const TimeZone& zone) const;

  // Whether it fires when the wall clock first shows `local` (which has no part of a second). Not
  // for @every, which knows no wall clock.
  bool Matches(LocalTime local) const;

 private:
  class Parser;

  struct DaysOfMonth {
    std::uint32_t days = 0;             // bit n: day n
    std::uint32_t from_last = 0;        // bit n: n days before the last
    std::uint32_t nearest_weekday = 0;  // bit n: the weekday nearest to day n
    bool last_weekday = false;          // LW
    bool open = false;                  // begins with * or is ?
  };

  struct DaysOfWeek {
    std::uint8_t days = 0;     // bit n: day n, 0 is Sunday
    std::uint8_t last = 0;     // bit n: the last day n of the month
    std::uint8_t nth[5] = {};  // [k] bit n: the day n of which there are k before it
    bool open = false;
  };

  bool MatchesDay(std::chrono::year_month_day date) const;
  bool MatchesDayOfMonth(std::chrono::year_month_day date) const;
  bool MatchesDayOfWeek(std::chrono::year_month_day date) const;
  std::optional<std::chrono::seconds> FirstTimeOfDay(std::chrono::seconds not_before) const;

  std::string text_;
  std::optional<Duration> every_;  // @every; then nothing below counts
  std::uint64_t seconds_ = 1;      // bit n: second n, and so on
  std::uint64_t minutes_ = 0;
  std::uint32_t hours_ = 0;
  std::uint32_t months_ = 0;  // bits 1 to 12
  DaysOfMonth days_of_month_;
  DaysOfWeek days_of_week_;
};

}  // namespace patra
