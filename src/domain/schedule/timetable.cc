#include "domain/schedule/timetable.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/hash.h"

namespace patra::domain {
namespace {

// The same number from the same text, on every machine.
std::uint64_t NumberOf(std::string_view text) {
  const auto digest = Sha256(text);
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < sizeof(number); ++i) number = number << 8 | digest[i];
  return number;
}

std::string Late(Instant occurrence, Instant now) {
  return FormatDuration(std::chrono::floor<std::chrono::seconds>(now - occurrence));
}

}  // namespace

Result<Timetable> Timetable::Of(std::string_view cron, std::string_view zone) {
  auto parsed = PATRA_TRY(Cron::Parse(cron));
  const auto where = PATRA_TRY(TimeZone::Find(zone));
  const bool counts = LowerCode(parsed.text()).starts_with("@every");
  return Timetable(std::move(parsed), where, counts);
}

std::optional<Instant> Timetable::FirstAfter(Instant moment) const {
  return cron_.NextAfter(moment, zone_);
}

std::optional<Instant> Timetable::NextAfter(Instant occurrence, Instant now) const {
  if (!counts_) return FirstAfter(std::max(occurrence, now));
  const auto first = FirstAfter(occurrence);
  if (!first || *first > now) return first;
  const auto step = *first - occurrence;
  return occurrence + step * ((now - occurrence) / step + 1);
}

DueOccurrence Judge(const Timetable& timetable, Instant occurrence, Instant now, Misfire policy) {
  const bool is_missed = now - occurrence > kMissedAfter;
  if (!is_missed || policy == Misfire::kOnce) {
    DueOccurrence due{.next = timetable.NextAfter(occurrence, now)};
    const auto following = timetable.NextAfter(occurrence, occurrence);
    const bool stands_for_more = following && *following <= now;
    if (stands_for_more) {
      due.note =
          fmt::format("{} late: fires once for all that came due meanwhile", Late(occurrence, now));
    } else if (is_missed) {
      due.note = fmt::format("fires {} late", Late(occurrence, now));
    }
    return due;
  }
  return {.fires = false,
          .note = fmt::format("missed: nobody claimed it for {}, and the job skips what it missed",
                              Late(occurrence, now)),
          .next = timetable.NextAfter(occurrence, now - kMissedAfter)};
}

Instant StartOf(std::string_view job, Instant occurrence, Duration jitter) {
  if (jitter <= Duration::zero()) return occurrence;
  const auto number = NumberOf(fmt::format("{}\n{}", job, occurrence.time_since_epoch().count()));
  const auto span = static_cast<std::uint64_t>(jitter.count());
  return occurrence + Duration(static_cast<Duration::rep>(number % span));
}

std::string DailyCron(std::string_view name) {
  constexpr std::uint64_t kMinutesOfDay = 1'440;
  const auto minute = NumberOf(name) % kMinutesOfDay;
  return fmt::format("{} {} * * *", minute % 60, minute / 60);
}

}  // namespace patra::domain
