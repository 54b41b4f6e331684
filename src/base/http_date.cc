#include "base/http_date.h"

#include <fmt/format.h>

#include "base/calendar_names.h"
#include "base/date_pattern.h"
#include "base/quote.h"
#include "base/text_scanner.h"

namespace patra {
namespace {

DatePattern MustCompile(std::string_view pattern) {
  auto compiled = DatePattern::Compile(pattern);
  PATRA_ASSERT(compiled.has_value());
  return *std::move(compiled);
}

// What follows the name of the day.
const DatePattern& FormOf(std::string_view behind_day_name) {
  static const auto kToday = MustCompile("', 'd MMM yyyy HH:mm:ss z");
  static const auto kRfc850 = MustCompile("', 'd-MMM-yy HH:mm:ss z");
  static const auto kAsctime = MustCompile("' 'MMM [ ]d HH:mm:ss yyyy");
  if (!behind_day_name.starts_with(',')) return kAsctime;
  return behind_day_name.substr(0, 5).contains('-') ? kRfc850 : kToday;
}

}  // namespace

Result<Instant> ParseHttpDate(std::string_view text, Instant now) {
  const auto refuse = [&](std::size_t offset) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("{} is no HTTP date", Quote(text)),
                TextScanner::PlaceAt(offset), "it looks like Sun, 06 Nov 1994 08:49:37 GMT");
  };
  TextScanner scanner(text);
  scanner.SkipBlanks();
  if (!DayOfName(scanner.TakeLetters())) return refuse(0);
  const auto rest_start = scanner.offset();
  auto rest = scanner.rest();
  while (!rest.empty() && IsBlank(rest.back())) rest.remove_suffix(1);
  const auto instant = FormOf(rest).Parse(rest, now);
  if (!instant) {
    const int column = instant.error().place.column;
    return refuse(rest_start + static_cast<std::size_t>(column > 0 ? column - 1 : 0));
  }
  return *instant;
}

std::string FormatHttpDate(Instant instant) {
  static const auto kForm = MustCompile("EEE, dd MMM yyyy HH:mm:ss 'GMT'");
  return kForm.Format(instant);
}

int YearOfTwoDigits(int two_digits, Instant now) {
  const std::chrono::year_month_day today{std::chrono::floor<std::chrono::days>(now)};
  const int this_year = static_cast<int>(today.year());
  const int century = this_year - this_year % 100;
  // The latest year with these digits that is at most 50 years ahead.
  int year = century + 100 + two_digits;
  while (year > this_year + 50) year -= 100;
  return year;
}

}  // namespace patra
