// Moments as people give them on a command line.
#pragma once

#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "base/time_zone.h"

namespace patra {

// One of
//
//   2026-03-29T01:00:00Z                    RFC 3339
//   2026-03-29T01:00, 2026-03-29 01:00:00   the wall clock of `zone`
//   2026-03-29, 2026-03, 2026               the first moment of that day, month, year in `zone`
//   now, -7d, +PT1H, now-1h30m              from `now`
//
// Numbers of seconds since 1970 are refused, since 2026 could be both: see ParseEpochSeconds.
Result<Instant> ParseMoment(std::string_view text, Instant now,
                            const TimeZone& zone = TimeZone::Utc());

}  // namespace patra
