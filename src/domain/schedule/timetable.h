// When a job fires: which occurrence, which next, and when it starts. All instances come to the same, whatever the moment at
// which each of them looks.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/cron.h"
#include "base/time_zone.h"
#include "domain/word/execution.h"

namespace patra::domain {

inline constexpr Duration kJitterMost = std::chrono::days(1);

// Lateness up to which a busy scheduler has not missed an occurrence.
inline constexpr Duration kMissedAfter = std::chrono::minutes(5);

class Timetable {
 public:
  static Result<Timetable> Of(std::string_view cron, std::string_view zone);

  const TimeZone& zone() const { return zone_; }

  // Strictly after the moment; nothing where it never comes.
  std::optional<Instant> FirstAfter(Instant moment) const;

  // The first one after `now` that belongs to the same row of occurrences: what counts by itself from a firing (@every) goes on
  // in its steps.
  std::optional<Instant> NextAfter(Instant occurrence, Instant now) const;

 private:
  Timetable(Cron cron, TimeZone zone, bool counts)
      : cron_(std::move(cron)), zone_(zone), counts_(counts) {}

  Cron cron_;
  TimeZone zone_;
  bool counts_;
};

// What is done with an occurrence whose time has come.
struct DueOccurrence {
  bool fires = true;
  std::string note{};             // what is said of it in the log
  std::optional<Instant> next{};  // when the job comes due again
};

// REQUIRES: occurrence <= now
DueOccurrence Judge(const Timetable& timetable, Instant occurrence, Instant now, Misfire policy);

// When an occurrence starts: as long after it as the names of job and moment make, less than `jitter`.
Instant StartOf(std::string_view job, Instant occurrence, Duration jitter);

// A time of day for a job that is to run daily, spread by its name.
std::string DailyCron(std::string_view name);

}  // namespace patra::domain
