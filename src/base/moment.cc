#include "base/moment.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/duration.h"
#include "base/quote.h"
#include "base/text_scanner.h"
#include "base/time_fields.h"

namespace patra {
namespace {

constexpr std::string_view kMomentHint =
    "write it as 2026-03-29T01:00:00Z, 2026-03-29, now, or relative as -7d";

std::unexpected<Error> Refuse(std::string_view text, std::string_view why, Place place = {},
                              std::string_view hint = kMomentHint) {
  return Fail(ErrorCode::kInvalidInput,
              why.empty() ? fmt::format("{} is no moment", Quote(text))
                          : fmt::format("{} is no moment: {}", Quote(text), why),
              std::move(place), std::string(hint));
}

Result<Instant> FromNow(std::string_view text, std::size_t sign_at, Instant now) {
  auto length = ParseDuration(text.substr(sign_at));
  if (!length) {
    auto error = std::move(length).error();
    if (error.place.column > 0) error.place.column += static_cast<int>(sign_at);
    return std::unexpected(std::move(error));
  }
  return Add(now, *length);
}

// A date or a time of the wall clock, as precise as it is written.
Result<Instant> OnTheWallClock(std::string_view text, const TimeZone& zone) {
  TextScanner scanner(text);
  TimeFields fields;
  const auto part = [&](int& field, int digits) {
    const auto number = scanner.TakeNumber(digits, digits);
    if (number) field = *number;
    return number.has_value();
  };
  const auto next_part = [&](char separator, int& field) {
    return scanner.done() || (scanner.Take(separator) && part(field, 2));
  };
  bool understood =
      part(fields.year, 4) && next_part('-', fields.month) && next_part('-', fields.day);
  if (understood && (scanner.Take('T') || scanner.Take('t') || scanner.Take(' '))) {
    understood = part(fields.hour, 2) && scanner.Take(':') && part(fields.minute, 2) &&
                 next_part(':', fields.second);
    if (understood && scanner.Take('.')) {
      const auto digits = scanner.TakeDigits();
      understood = !digits.empty();
      fields.fraction = FractionOfSecond(digits);
    }
  }
  if (!understood || !scanner.done()) return Refuse(text, {}, scanner.place());

  const auto local = ToLocalTime(fields);
  if (!local) return Refuse(text, local.error().message);
  const auto instant = zone.ToUtc(*local);
  if (!instant) return Refuse(text, instant.error().message);
  return *instant;
}

bool NamesItsOffset(std::string_view text) {
  const auto time_at = text.find_first_of("Tt ");
  return time_at != std::string_view::npos &&
         text.find_first_of("Zz+-", time_at) != std::string_view::npos;
}

}  // namespace

Result<Instant> ParseMoment(std::string_view text, Instant now, const TimeZone& zone) {
  text = Trim(text);
  if (text == "now") return now;
  if (text.starts_with("now+") || text.starts_with("now-")) return FromNow(text, 3, now);
  if (text.starts_with('+') || text.starts_with('-')) return FromNow(text, 0, now);
  if (text.size() > 4 && std::ranges::all_of(text, IsDigit)) {
    return Refuse(text, "a number of seconds or milliseconds is ambiguous here");
  }
  if (!text.empty() && IsDigit(text.front()) && NamesItsOffset(text)) return ParseRfc3339(text);
  return OnTheWallClock(text, zone);
}

}  // namespace patra
