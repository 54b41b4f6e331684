// Dates of which only the year, or the year and the month, may be known: publication dates.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"

namespace patra {

struct PartialDate {
  int year = 1;                // 1 to 9999
  std::optional<int> month{};  // 1 to 12
  std::optional<int> day{};    // only with a month, which has such a day

  // As precise as the text is:
  //
  //   2020   2020-05   2020/5/7   2020-05-07   20200507   2020 May   2020 May 7
  //
  // Of a period it is the beginning, as far as all of it begins there: `2020 May-Jun` is 2020-05,
  // `1998 Dec-1999 Jan` is 1998-12, `2020 May 7-14` is 2020-05-07, `1999-2000` is 1999. A season
  // has no agreed months: `2020 Spring` and `2020 Winter` are 2020.
  static Result<PartialDate> Parse(std::string_view text);

  // From a string as above, a year in digits or as a number, or a list of year, month, day (also
  // as the only entry of a list, as Crossref's date-parts: [[2020,5,7]]). Null, [], [null] and
  // [[null]], by which providers say that they do not know, are no date.
  static Result<std::optional<PartialDate>> From(const Value& value);

  // 2020, 2020-05, 2020-05-07
  std::string Print() const;

  // The first moment (UTC) that the date can mean.
  Instant Earliest() const;

  // A date that is less precise comes before those inside it.
  friend auto operator<=>(const PartialDate&, const PartialDate&) = default;
};

}  // namespace patra
