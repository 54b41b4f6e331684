#include "base/duration.h"

#include <cstdint>
#include <span>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text_scanner.h"

namespace patra {
namespace {

constexpr std::int64_t Micros(Duration duration) { return duration.count(); }
constexpr std::int64_t kWeek = Micros(std::chrono::weeks{1});
constexpr std::int64_t kDay = Micros(std::chrono::days{1});
constexpr std::int64_t kHour = Micros(std::chrono::hours{1});
constexpr std::int64_t kMinute = Micros(std::chrono::minutes{1});
constexpr std::int64_t kSecond = Micros(std::chrono::seconds{1});
constexpr std::int64_t kMilli = Micros(std::chrono::milliseconds{1});

struct Unit {
  std::string_view name;
  std::int64_t micros;
};

// What a number may be followed by at one place of a duration.
struct UnitSet {
  std::span<const Unit> units;
  std::string_view expected;
};

// The micro sign has two code points in Unicode; both are in use.
constexpr Unit kShort[] = {{"w", kWeek},   {"d", kDay},    {"h", kHour},
                           {"m", kMinute}, {"s", kSecond}, {"ms", kMilli},
                           {"us", 1},      {"µs", 1},      {"μs", 1}};
constexpr Unit kIsoDays[] = {{"W", kWeek}, {"D", kDay}};
constexpr Unit kIsoTime[] = {{"H", kHour}, {"M", kMinute}, {"S", kSecond}};

constexpr UnitSet kShortUnits{kShort, "a unit: w, d, h, m, s, ms or us"};
constexpr UnitSet kIsoDayUnits{kIsoDays, "'W' or 'D'"};
constexpr UnitSet kIsoTimeUnits{kIsoTime, "'H', 'M' or 'S'"};

constexpr std::string_view kDurationHint =
    "write it as 10m, 1h30m, 30d, 250ms, or in ISO 8601 as PT10M";
constexpr std::string_view kCalendarHint =
    "years and months have no fixed length: write days, as 365d or P365D";

class DurationParser {
 public:
  explicit DurationParser(std::string_view text) : scanner_(text) {}

  Result<Duration> Parse() {
    const bool negative = scanner_.Take('-');
    if (!negative) scanner_.Take('+');
    if (scanner_.rest() == "0") return Duration{0};
    if (scanner_.Take('P')) {
      PATRA_TRY(ParseIso());
    } else {
      PATRA_TRY(ParseShort());
    }
    return Duration{negative ? -total_ : total_};
  }

 private:
  std::unexpected<Error> Refuse(std::string_view why, std::string_view hint = kDurationHint) const {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} is no duration: {}", Quote(scanner_.text()), why), scanner_.place(),
                std::string(hint));
  }

  Result<void> ParseIso() {
    if (scanner_.done()) return Refuse("expected a number or 'T' behind 'P'");
    while (!scanner_.done() && scanner_.peek() != 'T') PATRA_TRY(Component(kIsoDayUnits));
    if (!scanner_.Take('T')) return {};
    if (scanner_.done()) return Refuse("expected a number behind 'T'");
    while (!scanner_.done()) PATRA_TRY(Component(kIsoTimeUnits));
    return {};
  }

  Result<void> ParseShort() {
    if (scanner_.done()) return Refuse("expected a number");
    while (!scanner_.done()) {
      PATRA_TRY(Component(kShortUnits));
      // Blanks stand only between components.
      if (!scanner_.done()) scanner_.TakeWhile([](char c) { return c == ' '; });
      if (scanner_.done() && scanner_.text().back() == ' ') return Refuse("expected a number");
    }
    return {};
  }

  // One number with its unit, which must be smaller than the one before.
  Result<void> Component(const UnitSet& set) {
    if (fraction_seen_) return Refuse("only the last number may have a fraction");
    const auto whole = scanner_.TakeDigits();
    if (whole.empty()) return Refuse("expected a number");
    std::string_view fraction;
    if (scanner_.Take('.') || scanner_.Take(',')) {
      fraction = scanner_.TakeDigits();
      if (fraction.empty()) return Refuse("expected a digit");
      fraction_seen_ = true;
    }

    const auto unit = LongestUnit(set);
    if (!unit) return RefuseUnit(set);
    if (unit->micros >= smallest_) return Refuse("units must fall from large to small, each once");
    scanner_.Take(unit->name);
    smallest_ = unit->micros;
    return Count(whole, fraction, unit->micros);
  }

  const Unit* LongestUnit(const UnitSet& set) const {
    if (scanner_.rest().starts_with("mo")) return nullptr;
    const Unit* longest = nullptr;
    for (const auto& unit : set.units) {
      if (!scanner_.rest().starts_with(unit.name)) continue;
      if (longest == nullptr || unit.name.size() > longest->name.size()) longest = &unit;
    }
    return longest;
  }

  std::unexpected<Error> RefuseUnit(const UnitSet& set) const {
    const char c = scanner_.peek();
    if (c == 'Y' || c == 'y' || c == 'M' || scanner_.rest().starts_with("mo")) {
      return Refuse("years and months are not accepted", kCalendarHint);
    }
    return Refuse(fmt::format("expected {}", set.expected));
  }

  Result<void> Count(std::string_view whole, std::string_view fraction, std::int64_t unit) {
    std::int64_t count = 0;
    bool overflow = false;
    for (const char digit : whole) {
      overflow |= __builtin_mul_overflow(count, 10, &count);
      overflow |= __builtin_add_overflow(count, digit - '0', &count);
    }
    overflow |= __builtin_mul_overflow(count, unit, &count);
    overflow |= __builtin_add_overflow(total_, count, &total_);
    // From the last digit to the first, dividing as it goes: exact, and nothing grows.
    std::int64_t part = 0;
    for (auto digit = fraction.rbegin(); digit != fraction.rend(); ++digit) {
      part = ((*digit - '0') * unit + part) / 10;
    }
    overflow |= __builtin_add_overflow(total_, part, &total_);
    if (overflow) return Refuse("it is longer than 292,000 years", "write a shorter one");
    return {};
  }

  TextScanner scanner_;
  std::int64_t total_ = 0;
  std::int64_t smallest_ = INT64_MAX;  // the unit of the last component
  bool fraction_seen_ = false;
};

// The parts of a length of time, without its sign.
struct Parts {
  bool negative;
  std::uint64_t days, hours, minutes, seconds, micros;
};

Parts Split(Duration duration) {
  const std::int64_t count = duration.count();
  // The magnitude of the smallest number has no signed form.
  auto rest = count < 0 ? 0 - static_cast<std::uint64_t>(count) : static_cast<std::uint64_t>(count);
  const auto take = [&](std::int64_t unit) {
    const auto whole = rest / static_cast<std::uint64_t>(unit);
    rest %= static_cast<std::uint64_t>(unit);
    return whole;
  };
  Parts parts{.negative = count < 0};
  parts.days = take(kDay);
  parts.hours = take(kHour);
  parts.minutes = take(kMinute);
  parts.seconds = take(kSecond);
  parts.micros = rest;
  return parts;
}

}  // namespace

Result<Duration> ParseDuration(std::string_view text) { return DurationParser(text).Parse(); }

std::string FormatIsoDuration(Duration duration) {
  if (duration == Duration{0}) return "PT0S";
  const auto parts = Split(duration);
  std::string date;
  if (parts.days > 0) date = fmt::format("{}D", parts.days);
  std::string time;
  if (parts.hours > 0) time += fmt::format("{}H", parts.hours);
  if (parts.minutes > 0) time += fmt::format("{}M", parts.minutes);
  if (parts.seconds > 0 || parts.micros > 0) time += fmt::format("{}", parts.seconds);
  if (parts.micros > 0) {
    time += fmt::format(".{:06}", parts.micros);
    time.erase(time.find_last_not_of('0') + 1);
  }
  if (parts.seconds > 0 || parts.micros > 0) time += 'S';
  return fmt::format("{}P{}{}{}", parts.negative ? "-" : "", date, time.empty() ? "" : "T", time);
}

std::string FormatDuration(Duration duration) {
  if (duration == Duration{0}) return "0s";
  const auto parts = Split(duration);
  std::string text = parts.negative ? "-" : "";
  const auto sign_length = text.size();
  const auto append = [&](std::uint64_t count, std::string_view unit) {
    if (count == 0) return;
    if (text.size() > sign_length) text += ' ';
    text += fmt::format("{}{}", count, unit);
  };
  append(parts.days, "d");
  append(parts.hours, "h");
  append(parts.minutes, "m");
  append(parts.seconds, "s");
  append(parts.micros / 1000, "ms");
  append(parts.micros % 1000, "us");
  return text;
}

}  // namespace patra
