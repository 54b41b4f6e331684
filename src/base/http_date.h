// Dates in HTTP headers (RFC 9110 §5.6.7).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace patra {

// All three forms that a recipient has to accept:
//
//   Sun, 06 Nov 1994 08:49:37 GMT     the one that is sent today
//   Sunday, 06-Nov-94 08:49:37 GMT    RFC 850
//   Sun Nov  6 08:49:37 1994          asctime
//
// A two-digit year that would be more than 50 years after `now` is the one a century earlier. The
// day of the week has to be one, but is not compared with the date: a header that is wrong there
// (Retry-After, say) still says when. UTC and offsets as +0000 are taken for GMT's place as well.
Result<Instant> ParseHttpDate(std::string_view text, Instant now);

// Sun, 06 Nov 1994 08:49:37 GMT; fractions are cut off.
std::string FormatHttpDate(Instant instant);

// The year that two digits stand for, by the rule above.
int YearOfTwoDigits(int two_digits, Instant now);

}  // namespace patra
