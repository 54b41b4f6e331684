// What a record's date says about its version (I7).
#pragma once

#include "base/result.h"
#include "base/time.h"

namespace patra::domain {

// A date that lies further ahead is wrong, or is not the time of a change: as a version it would win over
// everything that comes until then. Clocks and time zones differ by less.
inline constexpr Duration kAheadMax = std::chrono::hours(24);

// The time by which versions are ordered. Where a source's dates may lie ahead, they do not tell which of two versions is
// newer, for none of its versions: the later look does. Else a date that lies ahead is an error.
//
// Either way the time depends on this version alone, never on others that are there: so what remains
// depends on the versions received, not on their order.
Result<Instant> VersionTime(Instant dated_at, Instant fetched_at, bool may_lie_ahead);

}  // namespace patra::domain
