// Lengths of time as people and standards write them.
//
//   ISO 8601     PT10M, P1DT2H, P2W, PT0.5S, -PT1H
//   short form   10m, 1d2h, 2w, 250ms, 15us, 1h 30m, -1h, 0
//
// A day is 24 hours and a week 7 days. Years and months have no fixed length and are refused. Units
// come in falling order, each once; the last number may have a fraction, cut to microseconds.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace patra {

// Either form, with an optional sign in front. The error has the column and says what was expected.
Result<Duration> ParseDuration(std::string_view text);

// PT10M, P1DT2H, PT0.5S, PT0S: the canonical form, for snapshots and hashes.
std::string FormatIsoDuration(Duration duration);

// 10m, 1d 2h, 500ms, 0s: for people; exact, and ParseDuration reads it back.
std::string FormatDuration(Duration duration);

}  // namespace patra
