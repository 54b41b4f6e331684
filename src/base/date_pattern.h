// Dates in the forms that providers use, for reading and for writing.
//
// A pattern is one of these names:
//
//   iso_instant   2026-03-29T01:00:00Z   RFC 3339 (base/time.h); any offset when read
//   iso_seconds   2026-03-29T01:00:00    without a zone; read with and without fraction and zone
//   iso_date      2026-03-29
//   epoch_s       1774746000             read with and without a fraction
//   epoch_ms      1774746000000
//   rfc1123       Sun, 29 Mar 2026 01:00:00 GMT   reads all forms of HTTP (base/http_date.h)
//
// or text with letters that stand for fields, as in Java:
//
//   yyyy, y, yy    year: four digits, one to four digits, two digits (see YearOfTwoDigits)
//   MM, M          month in digits          MMM, MMMM      its English name, short or long
//   dd, d          day of the month         EEE, EEEE      English name of the day of the week
//   HH, H          hour 0-23                hh, h with a   hour 1-12, AM or PM
//   mm, m, ss, s   minute, second
//   S, SS, …       fraction of the second, so many digits when written
//   nnnnnnnnn, n   nanoseconds
//   X, XX, XXX     offset: +02, +0200, +02:00, but Z for UTC
//   x, xx, xxx     the same, with +00, +0000, +00:00 for UTC
//   Z              offset: +0200            z              GMT, or the offset if it is not zero
//   'text', ''     text as it stands, a single quote; only letters and [ ] need quotes
//   [ … ]          optional: may be missing when read, and is left out when written
//
// When reading, names are understood in any case, short or long; a two-letter field has exactly two
// digits, a one-letter field one or two; a fraction may have any number of digits unless another
// number follows at once; each kind of offset reads all of them, and z the names UTC, UT, GMT, Z
// and the American ones of RFC 822 (EST to PDT). Fields that the pattern lacks are those of the
// start of the year, month, day or hour that it has. A time that a clock change leaves out is read
// as the first moment after it, one that occurs twice as the first. A day of the week has to fit
// the date.
//
// When writing, the seconds that offsets had before about 1920 are cut off.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/time_zone.h"

namespace patra {

// Immutable, so threads may share it.
class DatePattern {
 public:
  // A name or a pattern, of at most 200 bytes. The error has the column.
  static Result<DatePattern> Compile(std::string_view pattern);

  // The name or pattern that it was made from.
  const std::string& text() const { return text_; }

  // `zone` tells where the date was written if the text does not; `now` is for two-digit years.
  Result<Instant> Parse(std::string_view text, Instant now,
                        const TimeZone& zone = TimeZone::Utc()) const;

  // The date as it is written in `zone` (which the named patterns other than iso_seconds and
  // iso_date ignore). REQUIRES: kInstantMin <= instant <= kInstantMax
  std::string Format(Instant instant, const TimeZone& zone = TimeZone::Utc()) const;

 private:
  enum class Kind { kFields, kRfc3339, kEpochSeconds, kEpochMillis, kHttpDate };

  enum class Field : std::uint8_t {
    kLiteral,
    kOptional,  // the elements up to `end` are optional
    kYear,
    kMonth,
    kMonthName,
    kDay,
    kDayName,
    kHour,
    kHour12,
    kHalfDay,
    kMinute,
    kSecond,
    kFraction,
    kNanos,
    kOffset,
    kOffsetOrZ,
    kZoneName,
  };

  struct Element {
    Field field;
    int width = 0;        // how many letters
    std::string literal;  // kLiteral
    std::size_t end = 0;  // kOptional
  };

  class Compiler;
  class Reader;
  struct Written;

  DatePattern(std::string text, Kind kind) : text_(std::move(text)), kind_(kind) {}

  bool IsNumber(std::size_t index) const;
  static void Append(const Element& element, const Written& written, std::string& out);

  std::string text_;
  Kind kind_;
  std::vector<Element> elements_;
};

}  // namespace patra
