// The numbers of a written time, before anybody knows whether they make sense: shared by the
// parsers of times. Not for other layers.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace patra {

struct TimeFields {
  int year = 1970;
  int month = 1;
  int day = 1;
  int hour = 0;
  int minute = 0;
  int second = 0;  // 60 is a leap second
  Duration fraction{0};
};

// Appends a number with leading zeros up to `width`. REQUIRES: number >= 0
void AppendDigits(std::int64_t number, int width, std::string& out);

// The first six of the digits behind a decimal point, as a part of a second.
Duration FractionOfSecond(std::string_view digits);

// The wall clock time, with years 0001 to 9999, days that the month has, and no leap second. The
// error's message says which field is wrong and why; it has no place and no hint.
Result<LocalTime> ToLocalTime(const TimeFields& fields);

// The moment of a wall clock that is `offset` ahead of UTC. Knows leap seconds (see ParseRfc3339).
Result<Instant> ToInstant(const TimeFields& fields, std::chrono::seconds offset);

}  // namespace patra
