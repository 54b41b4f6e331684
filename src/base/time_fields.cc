#include "base/time_fields.h"

#include <fmt/format.h>

namespace patra {
namespace {

std::unexpected<Error> OutOfRange(std::string_view field, int value, int from, int to) {
  return Fail(ErrorCode::kInvalidInput,
              fmt::format("the {} is {}, not {} to {}", field, value, from, to));
}

bool StartsAMonth(Instant instant) {
  const auto day = std::chrono::floor<std::chrono::days>(instant);
  return instant == day && std::chrono::year_month_day{day}.day() == std::chrono::day{1};
}

}  // namespace

void AppendDigits(std::int64_t number, int width, std::string& out) {
  const fmt::format_int digits(number);
  for (auto missing = width - static_cast<int>(digits.size()); missing > 0; --missing) out += '0';
  out.append(digits.data(), digits.size());
}

Duration FractionOfSecond(std::string_view digits) {
  std::int64_t micros = 0;
  for (std::size_t i = 0; i < 6; ++i) {
    micros = micros * 10 + (i < digits.size() ? digits[i] - '0' : 0);
  }
  return Duration{micros};
}

Result<LocalTime> ToLocalTime(const TimeFields& fields) {
  const auto outside = [](int value, int from, int to) { return value < from || value > to; };
  if (outside(fields.year, 1, 9999)) return OutOfRange("year", fields.year, 1, 9999);
  if (outside(fields.month, 1, 12)) return OutOfRange("month", fields.month, 1, 12);
  const std::chrono::year_month month{std::chrono::year{fields.year},
                                      std::chrono::month{static_cast<unsigned>(fields.month)}};
  const std::chrono::year_month_day_last last_day = month / std::chrono::last;
  const auto days = static_cast<int>(static_cast<unsigned>(last_day.day()));
  if (outside(fields.day, 1, days)) {
    return Fail(ErrorCode::kInvalidInput, fmt::format("the day is {}, but {:04}-{:02} has {} days",
                                                      fields.day, fields.year, fields.month, days));
  }
  if (outside(fields.hour, 0, 23)) return OutOfRange("hour", fields.hour, 0, 23);
  if (outside(fields.minute, 0, 59)) return OutOfRange("minute", fields.minute, 0, 59);
  if (outside(fields.second, 0, 59)) return OutOfRange("second", fields.second, 0, 59);
  const auto day = month / std::chrono::day{static_cast<unsigned>(fields.day)};
  return std::chrono::local_days{day} + std::chrono::hours{fields.hour} +
         std::chrono::minutes{fields.minute} + std::chrono::seconds{fields.second} +
         fields.fraction;
}

Result<Instant> ToInstant(const TimeFields& fields, std::chrono::seconds offset) {
  auto ordinary = fields;
  const bool leap_second = fields.second == 60;
  if (leap_second) {
    ordinary.second = 59;
    ordinary.fraction = Duration{0};
  }
  const auto local = PATRA_TRY(ToLocalTime(ordinary));
  auto instant = Instant{local.time_since_epoch()} - offset;
  if (leap_second) {
    instant += std::chrono::seconds{1};
    if (!StartsAMonth(instant)) {
      return Fail(ErrorCode::kInvalidInput, "a second 60 exists only at the end of a month in UTC");
    }
  }
  if (instant < kInstantMin || instant > kInstantMax) {
    return Fail(ErrorCode::kInvalidInput, "in UTC it is outside the years 0001 to 9999");
  }
  return instant;
}

}  // namespace patra
