// Moments and lengths of time. Everything in patra is UTC with microseconds; zones exist only at
// the edges, where people and providers write dates (base/time_zone.h, base/date_pattern.h).
// Finer fractions are cut off, never rounded, so that a moment is never read as a later one.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace patra {

using Duration = std::chrono::microseconds;
using Instant = std::chrono::sys_time<Duration>;

// What a wall clock shows. It takes a TimeZone to make it an Instant.
using LocalTime = std::chrono::local_time<Duration>;

// The moments that can be written with four digits of year. Everything that parses stays inside.
inline constexpr Instant kInstantMin = std::chrono::sys_days{std::chrono::year{1} / 1 / 1};
inline constexpr Instant kInstantMax =
    std::chrono::sys_days{std::chrono::year{10'000} / 1 / 1} - Duration{1};

// The sum, or an error if it leaves [kInstantMin, kInstantMax].
Result<Instant> Add(Instant start, Duration length);

// RFC 3339, the offset included: 2026-03-29T01:00:00Z, 2026-03-29t03:00:00.25+02:00.
//
// A leap second (:60) is accepted only where one can occur, in the last minute UTC of a month, and
// is read as the midnight after it, as POSIX clocks have it; its fraction is dropped.
Result<Instant> ParseRfc3339(std::string_view text);

// 2026-03-29T01:00:00Z, with a fraction (as short as possible) only where there is one.
// Outside [kInstantMin, kInstantMax], where RFC 3339 ends, it is the count since 1970: "-5us".
std::string FormatRfc3339(Instant instant);

// 2026-03-29T01:00:00.000000Z: always 27 characters, so that texts sort like the moments.
std::string FormatRfc3339Micros(Instant instant);

// Decimal seconds or milliseconds since 1970, with an optional sign and fraction: 1774746000.5
Result<Instant> ParseEpochSeconds(std::string_view text);
Result<Instant> ParseEpochMillis(std::string_view text);

// Whole units since 1970, rounded down.
std::int64_t EpochSeconds(Instant instant);
std::int64_t EpochMillis(Instant instant);

}  // namespace patra
