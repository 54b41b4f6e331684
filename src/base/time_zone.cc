// Howard Hinnant's library reads the system's compiled zone files. Its answers are copied once per
// zone into a sorted list of periods of constant offset: then every question is a binary search
// that cannot throw and needs no lock.
#include "base/time_zone.h"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <date/tz.h>
#include <fmt/format.h>

#include "base/close_match.h"
#include "base/quote.h"

namespace patra {

using std::chrono::seconds;

// No zone has ever been further from UTC than this, so a wall clock time and the moments that it
// can mean are never further apart.
constexpr std::chrono::hours kOffsetMax{26};

struct Period {
  Instant from;  // included; until the next period's start
  seconds offset;
};

struct TimeZone::Rules {
  std::string name;
  std::vector<Period> periods;  // sorted, never empty, the first from Instant::min()

  using Iterator = std::vector<Period>::const_iterator;

  Iterator PeriodAt(Instant instant) const {
    return std::prev(std::ranges::upper_bound(periods, instant, {}, &Period::from));
  }

  Instant EndOf(Iterator period) const {
    const auto next = std::next(period);
    return next == periods.end() ? Instant::max() : next->from;
  }
};

namespace {

Instant ToInstant(date::sys_seconds moment) {
  return Instant{std::chrono::duration_cast<Duration>(moment.time_since_epoch())};
}

// All periods of constant offset that touch the years 0001 to 9999.
std::vector<Period> PeriodsOf(const date::time_zone& zone) {
  const date::sys_seconds last{std::chrono::floor<seconds>(kInstantMax).time_since_epoch()};
  std::vector<Period> periods;
  date::sys_seconds at{std::chrono::floor<seconds>(kInstantMin).time_since_epoch()};
  while (at <= last) {
    const auto info = zone.get_info(at);
    // Names and daylight saving marks change more often than offsets do.
    if (periods.empty() || periods.back().offset != info.offset) {
      periods.push_back({periods.empty() ? Instant::min() : ToInstant(at), info.offset});
    }
    if (info.end <= at) break;
    at = info.end;
  }
  return periods;
}

LocalTime Shown(Instant instant, seconds offset) {
  return LocalTime{instant.time_since_epoch() + offset};
}

}  // namespace

// Null if there is no zone of that name. Throws what the library throws without a database.
const TimeZone::Rules* TimeZone::LoadRules(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string, std::unique_ptr<const Rules>, std::less<>> loaded;
  const std::lock_guard lock(mutex);
  if (const auto found = loaded.find(name); found != loaded.end()) return found->second.get();

  const auto& zones = date::get_tzdb().zones;
  const auto zone = std::ranges::find(zones, name, &date::time_zone::name);
  if (zone == zones.end()) return nullptr;
  auto rules = std::make_unique<const Rules>(Rules{std::string(name), PeriodsOf(*zone)});
  return loaded.emplace(name, std::move(rules)).first->second.get();
}

Result<TimeZone> TimeZone::Find(std::string_view name) {
  if (name == "UTC") return Utc();
  try {
    if (const auto* rules = LoadRules(name)) return TimeZone(*rules);
    std::vector<std::string_view> names;
    for (const auto& zone : date::get_tzdb().zones) names.push_back(zone.name());
    return Fail(ErrorCode::kInvalidInput, fmt::format("there is no time zone {}", Quote(name)), {},
                DidYouMean(name, names, "use an IANA name, as Europe/Berlin or UTC"));
  } catch (const std::exception& problem) {
    return Fail(ErrorCode::kInternal,
                fmt::format("cannot read the time zone {}: {}", Quote(name), problem.what()), {},
                "install the system's tzdata package");
  }
}

TimeZone TimeZone::Utc() {
  static const Rules rules{"UTC", {{Instant::min(), seconds{0}}}};
  return TimeZone(rules);
}

const std::string& TimeZone::name() const { return rules_->name; }

seconds TimeZone::OffsetAt(Instant instant) const { return rules_->PeriodAt(instant)->offset; }

LocalTime TimeZone::ToLocal(Instant instant) const { return Shown(instant, OffsetAt(instant)); }

Result<Instant> TimeZone::ToUtc(LocalTime local, InGap in_gap, WhenRepeated when_repeated) const {
  const auto outside_calendar = [] {
    return Fail(ErrorCode::kInvalidInput, "in UTC the time is outside the years 0001 to 9999");
  };
  const Instant as_if_utc{local.time_since_epoch()};
  if (as_if_utc < kInstantMin - kOffsetMax || as_if_utc > kInstantMax + kOffsetMax) {
    return outside_calendar();
  }

  std::optional<Instant> first, last;  // of the moments that show the time
  auto jumped_to = rules_->PeriodAt(as_if_utc - kOffsetMax);
  for (auto period = jumped_to; period != rules_->periods.end(); ++period) {
    if (period->from > as_if_utc + kOffsetMax) break;
    const auto moment = as_if_utc - period->offset;
    if (moment >= period->from && moment < rules_->EndOf(period)) {
      last = moment;
      if (!first) first = moment;
    } else if (!first && moment < period->from) {
      // The clock shows a later time already when this period begins: it jumped over `local`.
      jumped_to = period;
      break;
    }
  }

  Instant chosen;
  if (!first) {
    if (in_gap == InGap::kError) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("this time does not exist in {}: the clock jumps over it", name()));
    }
    // The search began in a period that holds a moment before any that could show the time.
    PATRA_ASSERT(jumped_to != rules_->periods.begin());
    chosen = in_gap == InGap::kAfter ? jumped_to->from : as_if_utc - std::prev(jumped_to)->offset;
  } else {
    if (first != last && when_repeated == WhenRepeated::kError) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("this time occurs twice in {}: the clock is set back", name()));
    }
    chosen = when_repeated == WhenRepeated::kSecond ? *last : *first;
  }
  if (chosen < kInstantMin || chosen > kInstantMax) return outside_calendar();
  return chosen;
}

Result<Instant> TimeZone::StartOfDay(Instant instant) const {
  return ToUtc(std::chrono::floor<std::chrono::days>(ToLocal(instant)));
}

LocalTime TimeZone::LatestShown(Instant instant) const {
  auto period = rules_->PeriodAt(instant);
  auto latest = Shown(instant, period->offset);
  while (period != rules_->periods.begin() && instant - period->from <= kOffsetMax) {
    const auto end = period->from - Duration{1};
    --period;
    latest = std::max(latest, Shown(end, period->offset));
  }
  return latest;
}

}  // namespace patra
