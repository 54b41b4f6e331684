#include "base/time.h"

#include <charconv>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text_scanner.h"
#include "base/time_fields.h"

namespace patra {
namespace {

constexpr std::string_view kRfc3339Hint = "write it as 2026-03-29T01:00:00Z";

// Reads the parts of an RFC 3339 time in order and remembers what it was reading.
class Rfc3339Parser {
 public:
  explicit Rfc3339Parser(std::string_view text) : scanner_(text) {}

  Result<Instant> Parse() {
    TimeFields fields;
    fields.year = PATRA_TRY(Number(4, "a year of four digits"));
    PATRA_TRY(Separator("-"));
    fields.month = PATRA_TRY(Number(2, "a month of two digits"));
    PATRA_TRY(Separator("-"));
    fields.day = PATRA_TRY(Number(2, "a day of two digits"));
    PATRA_TRY(Separator("Tt"));
    fields.hour = PATRA_TRY(Number(2, "an hour of two digits"));
    PATRA_TRY(Separator(":"));
    fields.minute = PATRA_TRY(Number(2, "a minute of two digits"));
    PATRA_TRY(Separator(":"));
    fields.second = PATRA_TRY(Number(2, "a second of two digits"));
    if (scanner_.Take('.')) {
      const auto digits = scanner_.TakeDigits();
      if (digits.empty()) return Expected("a digit");
      fields.fraction = FractionOfSecond(digits);
    }
    const auto offset = PATRA_TRY(Offset());
    if (!scanner_.done()) return Expected("the end");

    auto instant = ToInstant(fields, offset);
    if (instant) return instant;
    return Fail(
        ErrorCode::kInvalidInput,
        fmt::format("{} is no RFC 3339 time: {}", Quote(scanner_.text()), instant.error().message),
        {}, std::string(kRfc3339Hint));
  }

 private:
  std::unexpected<Error> Expected(std::string_view what) const {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} is no RFC 3339 time: expected {}", Quote(scanner_.text()), what),
                scanner_.place(), std::string(kRfc3339Hint));
  }

  Result<int> Number(int digits, std::string_view what) {
    if (const auto number = scanner_.TakeNumber(digits, digits)) return *number;
    return Expected(what);
  }

  Result<void> Separator(std::string_view choices) {
    const char c = scanner_.peek();
    if (!choices.contains(c) || !scanner_.Take(c)) return Expected(fmt::format("'{}'", choices[0]));
    return {};
  }

  Result<std::chrono::seconds> Offset() {
    if (scanner_.Take('Z') || scanner_.Take('z')) return std::chrono::seconds{0};
    const bool west = scanner_.peek() == '-';
    if (!scanner_.Take('+') && !scanner_.Take('-')) return Expected("'Z' or an offset as +02:00");
    const int hours = PATRA_TRY(Number(2, "the two digits of the offset's hours"));
    PATRA_TRY(Separator(":"));
    const int minutes = PATRA_TRY(Number(2, "the two digits of the offset's minutes"));
    if (hours > 23 || minutes > 59) return Expected("an offset below 24:00 before this place");
    const std::chrono::seconds offset = std::chrono::hours{hours} + std::chrono::minutes{minutes};
    return west ? -offset : offset;
  }

  TextScanner scanner_;
};

bool InCalendar(Instant instant) { return instant >= kInstantMin && instant <= kInstantMax; }

// 2026-03-29T01:00:00, with room for the rest.
std::string FormatUntilSeconds(std::chrono::sys_seconds moment) {
  const auto day = std::chrono::floor<std::chrono::days>(moment);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss time{moment - day};
  std::string text;
  text.reserve(sizeof "2026-03-29T01:00:00.000000Z");
  AppendDigits(static_cast<int>(date.year()), 4, text);
  text += '-';
  AppendDigits(static_cast<unsigned>(date.month()), 2, text);
  text += '-';
  AppendDigits(static_cast<unsigned>(date.day()), 2, text);
  text += 'T';
  AppendDigits(time.hours().count(), 2, text);
  text += ':';
  AppendDigits(time.minutes().count(), 2, text);
  text += ':';
  AppendDigits(time.seconds().count(), 2, text);
  return text;
}

std::string FormatOutsideCalendar(Instant instant) {
  return fmt::format("{}us", instant.time_since_epoch().count());
}

// `unit` microseconds are one; a fraction is cut to microseconds.
Result<Instant> ParseEpoch(std::string_view text, std::int64_t unit, std::string_view unit_name) {
  TextScanner scanner(text);
  const bool negative = scanner.Take('-');
  if (!negative) scanner.Take('+');
  const auto whole = scanner.TakeDigits();
  std::string_view fraction;
  if (scanner.Take('.')) {
    fraction = scanner.TakeDigits();
    if (fraction.empty()) scanner.Seek(scanner.offset() - 1);
  }
  if (whole.empty() || !scanner.done()) {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} is no number of {} since 1970", Quote(text), unit_name),
                scanner.place(), "write plain decimal digits, as 1774746000");
  }

  const auto out_of_range = [&] {
    return Fail(
        ErrorCode::kInvalidInput,
        fmt::format("{} {} since 1970 are outside the years 0001 to 9999", Quote(text), unit_name),
        {}, "check whether the number counts seconds or milliseconds");
  };
  std::int64_t count = 0;
  const auto read = std::from_chars(whole.data(), whole.data() + whole.size(), count);
  if (read.ec != std::errc{} || count > kInstantMax.time_since_epoch().count() / unit + 1) {
    return out_of_range();
  }
  auto micros = count * unit + FractionOfSecond(fraction).count() / (1'000'000 / unit);
  if (negative) micros = -micros;
  const Instant instant{Duration{micros}};
  if (!InCalendar(instant)) return out_of_range();
  return instant;
}

}  // namespace

Result<Instant> Add(Instant start, Duration length) {
  std::int64_t sum = 0;
  const bool overflow =
      __builtin_add_overflow(start.time_since_epoch().count(), std::int64_t{length.count()}, &sum);
  const Instant instant{Duration{sum}};
  if (overflow || !InCalendar(instant)) {
    return Fail(ErrorCode::kInvalidInput, "the moment is outside the years 0001 to 9999");
  }
  return instant;
}

Result<Instant> ParseRfc3339(std::string_view text) { return Rfc3339Parser(text).Parse(); }

std::string FormatRfc3339(Instant instant) {
  if (!InCalendar(instant)) return FormatOutsideCalendar(instant);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(instant);
  auto text = FormatUntilSeconds(seconds);
  if (const auto fraction = (instant - seconds).count(); fraction != 0) {
    text += '.';
    AppendDigits(fraction, 6, text);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text += 'Z';
}

std::string FormatRfc3339Micros(Instant instant) {
  if (!InCalendar(instant)) return FormatOutsideCalendar(instant);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(instant);
  auto text = FormatUntilSeconds(seconds) + '.';
  AppendDigits((instant - seconds).count(), 6, text);
  return text += 'Z';
}

Result<Instant> ParseEpochSeconds(std::string_view text) {
  return ParseEpoch(text, 1'000'000, "seconds");
}

Result<Instant> ParseEpochMillis(std::string_view text) {
  return ParseEpoch(text, 1'000, "milliseconds");
}

std::int64_t EpochSeconds(Instant instant) {
  return std::chrono::floor<std::chrono::seconds>(instant).time_since_epoch().count();
}

std::int64_t EpochMillis(Instant instant) {
  return std::chrono::floor<std::chrono::milliseconds>(instant).time_since_epoch().count();
}

}  // namespace patra
