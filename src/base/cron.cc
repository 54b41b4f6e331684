// Firing times are found on the wall clock, where the expression lives, and only the result is
// turned into an instant. The rule for changes of the clock (the first instant at which the wall
// clock shows the time or a later one) grows with the wall clock time, so the next firing after an
// instant is the next matching time after the latest that the wall clock has shown so far.
#include "base/cron.h"

#include <algorithm>
#include <bit>
#include <span>

#include <fmt/format.h>

#include "base/calendar_names.h"
#include "base/close_match.h"
#include "base/duration.h"
#include "base/quote.h"
#include "base/text_scanner.h"

namespace patra {
namespace {

using std::chrono::days;
using std::chrono::hours;
using std::chrono::local_days;
using std::chrono::minutes;
using std::chrono::seconds;
using std::chrono::weekday;
using std::chrono::year_month_day;

constexpr std::size_t kTextBytesMax = 256;
constexpr std::chrono::years kSearchMax{50};

struct Nickname {
  std::string_view name;
  std::string_view meaning;
};
constexpr Nickname kNicknames[] = {
    {"@yearly", "0 0 1 1 *"}, {"@annually", "0 0 1 1 *"}, {"@monthly", "0 0 1 * *"},
    {"@weekly", "0 0 * * 0"}, {"@daily", "0 0 * * *"},    {"@midnight", "0 0 * * *"},
    {"@hourly", "0 * * * *"},
};

struct FieldKind {
  std::string_view name;
  int min;
  int max;
  std::optional<int> (*number_of_name)(std::string_view) = nullptr;
};
constexpr FieldKind kSecondField{"second", 0, 59};
constexpr FieldKind kMinuteField{"minute", 0, 59};
constexpr FieldKind kHourField{"hour", 0, 23};
constexpr FieldKind kDayOfMonthField{"day of the month", 1, 31};
constexpr FieldKind kMonthField{"month", 1, 12, MonthOfName};
constexpr FieldKind kDayOfWeekField{"day of the week", 0, 7, DayOfName};

template <typename Bits>
bool Has(Bits bits, unsigned n) {
  return (std::uint64_t{bits} >> n & 1) != 0;
}

// The lowest bit from `from` on, or nothing.
std::optional<int> NextBit(std::uint64_t bits, int from) {
  if (from > 63) return std::nullopt;
  const auto rest = bits >> from;
  return rest == 0 ? std::nullopt : std::optional(from + std::countr_zero(rest));
}

unsigned LastDay(year_month_day date) {
  return static_cast<unsigned>((date.year() / date.month() / std::chrono::last).day());
}

bool IsWorkday(weekday day) { return day != std::chrono::Saturday && day != std::chrono::Sunday; }

weekday WeekdayOf(year_month_day date) { return weekday{local_days{date}}; }

// The day of the same month that is Monday to Friday and nearest to `date`.
unsigned NearestWorkday(year_month_day date) {
  const auto day = static_cast<unsigned>(date.day());
  const auto on = WeekdayOf(date);
  if (on == std::chrono::Saturday) return day == 1 ? 3 : day - 1;
  if (on == std::chrono::Sunday) return day == LastDay(date) ? day - 2 : day + 1;
  return day;
}

}  // namespace

// --- Reading ---------------------------------------------------------------------------------

class Cron::Parser {
 public:
  explicit Parser(std::string_view text) : scanner_(text) {}

  Result<Cron> Parse() {
    Cron cron;
    scanner_.SkipBlanks();
    if (scanner_.peek() == '@') {
      PATRA_TRY(ParseNickname(cron));
    } else {
      PATRA_TRY(ParseFields(cron));
    }
    cron.text_ = scanner_.text();
    return cron;
  }

 private:
  std::unexpected<Error> Refuse(std::string_view why, std::string hint) const {
    return RefuseAt(scanner_.offset(), why, std::move(hint));
  }

  std::unexpected<Error> RefuseAt(std::size_t offset, std::string_view why,
                                  std::string hint) const {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} is no cron expression: {}", Quote(scanner_.text()), why),
                TextScanner::PlaceAt(offset), std::move(hint));
  }

  // --- @names

  Result<void> ParseNickname(Cron& cron) {
    const auto start = scanner_.offset();
    const auto name = scanner_.TakeWhile([](char c) { return !IsBlank(c); });
    if (EqualIgnoringCase(name, "@every")) return ParseEvery(cron);
    for (const auto& nickname : kNicknames) {
      if (!EqualIgnoringCase(name, nickname.name)) continue;
      scanner_.SkipBlanks();
      if (!scanner_.done()) return Refuse("expected the end", "such a name stands alone");
      auto meant = PATRA_TRY(Parser(nickname.meaning).Parse());
      cron = std::move(meant);
      return {};
    }
    std::vector<std::string_view> names = {"@every"};
    for (const auto& nickname : kNicknames) names.push_back(nickname.name);
    return RefuseAt(start, fmt::format("{} is unknown", Quote(name)),
                    DidYouMean(name, names,
                               "use @hourly, @daily, @weekly, @monthly, @yearly or "
                               "@every with a duration"));
  }

  Result<void> ParseEvery(Cron& cron) {
    scanner_.SkipBlanks();
    const auto start = scanner_.offset();
    auto length = ParseDuration(Trim(scanner_.rest()));
    if (!length) {
      const auto& error = length.error();
      const auto column = static_cast<std::size_t>(std::max(error.place.column, 1));
      return RefuseAt(start + column - 1, error.message, error.hint);
    }
    if (*length < seconds{1}) {
      return RefuseAt(start, "the interval is shorter than a second", "write it as @every 90m");
    }
    cron.every_ = *length;
    return {};
  }

  // --- Fields

  Result<void> ParseFields(Cron& cron) {
    const auto count = CountFields();
    if (count == 6) {
      const auto bits = PATRA_TRY(Numbers(kSecondField));
      cron.seconds_ = bits;
    } else if (count != 5) {
      return RefuseAt(0, fmt::format("it has {} fields", count),
                      "write 5 (minute, hour, day of the month, month, day of the week) or 6 with "
                      "the second in front");
    }
    cron.minutes_ = PATRA_TRY(Numbers(kMinuteField));
    cron.hours_ = static_cast<std::uint32_t>(PATRA_TRY(Numbers(kHourField)));
    cron.days_of_month_ = PATRA_TRY(ParseDaysOfMonth());
    cron.months_ = static_cast<std::uint32_t>(PATRA_TRY(Numbers(kMonthField)));
    cron.days_of_week_ = PATRA_TRY(ParseDaysOfWeek());
    return {};
  }

  int CountFields() const {
    TextScanner fields(scanner_.rest());
    int count = 0;
    while (true) {
      fields.SkipBlanks();
      if (fields.done()) return count;
      fields.TakeWhile([](char c) { return !IsBlank(c); });
      ++count;
    }
  }

  bool AtEndOfEntry() const {
    return scanner_.done() || IsBlank(scanner_.peek()) || scanner_.peek() == ',';
  }

  // Runs `entry` for each part between commas, and moves on to the next field.
  template <typename Entry>
  Result<void> List(const FieldKind& kind, Entry entry) {
    do {
      PATRA_TRY(entry());
      if (!AtEndOfEntry()) {
        return Refuse(fmt::format("expected the end of the {}", kind.name),
                      "fields are separated by blanks, entries of a list by commas");
      }
    } while (scanner_.Take(','));
    scanner_.SkipBlanks();
    return {};
  }

  Result<std::uint64_t> Numbers(const FieldKind& kind) {
    std::uint64_t bits = 0;
    PATRA_TRY(List(kind, [&] { return Range(kind, bits); }));
    return bits;
  }

  // a, a-b, *, each with /n or without.
  Result<void> Range(const FieldKind& kind, std::uint64_t& bits) {
    const auto start = scanner_.offset();
    const int last = kind.max == 7 ? 6 : kind.max;  // what * means in the days of the week
    int from = kind.min;
    int to = last;
    if (!scanner_.Take('*')) {
      from = PATRA_TRY(Number(kind));
      to = from;
      if (scanner_.Take('-')) {
        to = PATRA_TRY(Number(kind));
      } else if (scanner_.peek() == '/') {
        to = std::max(last, from);
      }
    }
    const int step = PATRA_TRY(Step(kind));
    if (from > to && kind.max == 7) {
      // Past Sunday, which is both 0 and 7.
      if (from == 7) from = 0;
      if (from > to) to += 7;
    }
    if (from > to) {
      return RefuseAt(start, fmt::format("the range {}-{} runs backwards", from, to),
                      fmt::format("split it as {}-{},{}-{}", from, kind.max, kind.min, to));
    }
    for (int n = from; n <= to; n += step) bits |= std::uint64_t{1} << (kind.max == 7 ? n % 7 : n);
    return {};
  }

  Result<int> Step(const FieldKind& kind) {
    if (!scanner_.Take('/')) return 1;
    const auto start = scanner_.offset();
    const auto step = scanner_.TakeNumber(1, 9);
    if (!step || *step == 0) {
      return RefuseAt(start, "expected a step of 1 or more", "write it as */5 or 10-50/10");
    }
    if (*step > kind.max - kind.min) {
      return RefuseAt(start,
                      fmt::format("the step {} is longer than the {} field", *step, kind.name),
                      kind.max == 59 ? "for longer intervals write them as @every 90m"
                                     : "name the values instead, separated by commas");
    }
    return *step;
  }

  Result<int> Number(const FieldKind& kind) {
    const auto start = scanner_.offset();
    if (const auto word = scanner_.TakeLetters(); !word.empty()) {
      const auto number = kind.number_of_name == nullptr ? std::nullopt : kind.number_of_name(word);
      if (number) return *number;
      return RefuseAt(start, fmt::format("{} is no {}", Quote(word), kind.name), Expected(kind));
    }
    const auto number = scanner_.TakeNumber(1, 9);
    if (!number) return Refuse(fmt::format("expected a {}", kind.name), Expected(kind));
    if (*number < kind.min || *number > kind.max) {
      return RefuseAt(start, fmt::format("the {} is {}", kind.name, *number), Expected(kind));
    }
    return *number;
  }

  static std::string Expected(const FieldKind& kind) {
    const std::string_view names = kind.max == 12  ? ", or JAN to DEC"
                                   : kind.max == 7 ? ", or SUN to SAT"
                                                   : "";
    return fmt::format("a {} is {} to {}{}; * is every one", kind.name, kind.min, kind.max, names);
  }

  // --- Days

  Result<DaysOfMonth> ParseDaysOfMonth() {
    DaysOfMonth field{.open = scanner_.peek() == '*' || scanner_.peek() == '?'};
    PATRA_TRY(List(kDayOfMonthField, [&] { return DayOfMonth(field); }));
    return field;
  }

  Result<void> DayOfMonth(DaysOfMonth& field) {
    if (scanner_.Take('?')) {
      field.days = ~0u;
      return {};
    }
    if (scanner_.TakeIgnoringCase("LW")) {
      field.last_weekday = true;
      return {};
    }
    if (scanner_.TakeIgnoringCase("L")) return BeforeLast(field);

    const auto start = scanner_.offset();
    const auto day = scanner_.TakeNumber(1, 2);
    if (day && *day >= 1 && *day <= 31 && scanner_.TakeIgnoringCase("W")) {
      field.nearest_weekday |= 1u << *day;
      return {};
    }
    scanner_.Seek(start);
    std::uint64_t bits = 0;
    PATRA_TRY(Range(kDayOfMonthField, bits));
    field.days |= static_cast<std::uint32_t>(bits);
    return {};
  }

  // Behind an L.
  Result<void> BeforeLast(DaysOfMonth& field) {
    int before = 0;
    if (scanner_.Take('-')) {
      const auto start = scanner_.offset();
      const auto number = scanner_.TakeNumber(1, 2);
      if (!number || *number > 30) {
        return RefuseAt(start, "expected how many days before the last",
                        "write it as L-3, with 0 to 30");
      }
      before = *number;
    }
    field.from_last |= 1u << before;
    return {};
  }

  Result<DaysOfWeek> ParseDaysOfWeek() {
    DaysOfWeek field{.open = scanner_.peek() == '*' || scanner_.peek() == '?'};
    PATRA_TRY(List(kDayOfWeekField, [&] { return DayOfWeek(field); }));
    return field;
  }

  Result<void> DayOfWeek(DaysOfWeek& field) {
    if (scanner_.Take('?')) {
      field.days = 0x7F;
      return {};
    }
    if (scanner_.peek() == 'L' || scanner_.peek() == 'l') {
      return Refuse("L needs a day of the week", "write it as FRIL or 5L");
    }
    const auto start = scanner_.offset();
    if (const auto day = DayWithMark()) {
      const auto bit = static_cast<std::uint8_t>(1 << *day % 7);
      if (scanner_.TakeIgnoringCase("L")) {
        field.last |= bit;
        return {};
      }
      scanner_.Take('#');
      const auto nth = scanner_.TakeNumber(1, 9);
      if (!nth || *nth < 1 || *nth > 5) {
        return Refuse("expected which one of the month", "write it as MON#2, with 1 to 5");
      }
      field.nth[*nth - 1] |= bit;
      return {};
    }
    scanner_.Seek(start);
    std::uint64_t bits = 0;
    PATRA_TRY(Range(kDayOfWeekField, bits));
    field.days |= static_cast<std::uint8_t>(bits);
    return {};
  }

  // The day before an L or #, if that is what comes next.
  std::optional<int> DayWithMark() {
    std::optional<int> day;
    if (IsDigit(scanner_.peek())) {
      day = scanner_.TakeNumber(1, 1);
    } else {
      auto word = scanner_.TakeLetters();
      day = DayOfName(word);
      if (!day && !word.empty() && ToLower(word.back()) == 'l') {
        word.remove_suffix(1);
        day = DayOfName(word);
        if (day) scanner_.Seek(scanner_.offset() - 1);
      }
    }
    const char mark = ToLower(scanner_.peek());
    if (!day || *day > 7 || (mark != 'l' && mark != '#')) return std::nullopt;
    return day;
  }

  TextScanner scanner_;
};

Result<Cron> Cron::Parse(std::string_view text) {
  if (text.size() > kTextBytesMax) {
    return Fail(ErrorCode::kLimit,
                fmt::format("a cron expression of {} bytes is longer than the limit of {}",
                            text.size(), kTextBytesMax));
  }
  return Parser(text).Parse();
}

// --- Matching --------------------------------------------------------------------------------

bool Cron::MatchesDayOfMonth(year_month_day date) const {
  const auto& field = days_of_month_;
  const auto day = static_cast<unsigned>(date.day());
  const auto last = LastDay(date);
  if (Has(field.days, day) || Has(field.from_last, last - day)) return true;
  if (!IsWorkday(WeekdayOf(date))) return false;
  if (field.last_weekday &&
      NearestWorkday(date.year() / date.month() / std::chrono::day{last}) == day)
    return true;
  for (unsigned near = 1; near <= last; ++near) {
    if (!Has(field.nearest_weekday, near)) continue;
    if (NearestWorkday(date.year() / date.month() / std::chrono::day{near}) == day) return true;
  }
  return false;
}

bool Cron::MatchesDayOfWeek(year_month_day date) const {
  const auto& field = days_of_week_;
  const auto day = static_cast<unsigned>(date.day());
  const auto on = WeekdayOf(date).c_encoding();
  return Has(field.days, on) || (Has(field.last, on) && day + 7 > LastDay(date)) ||
         Has(field.nth[(day - 1) / 7], on);
}

bool Cron::MatchesDay(year_month_day date) const {
  const bool by_month = MatchesDayOfMonth(date);
  const bool by_week = MatchesDayOfWeek(date);
  const bool either = !days_of_month_.open && !days_of_week_.open;
  return either ? by_month || by_week : by_month && by_week;
}

bool Cron::Matches(LocalTime local) const {
  const auto day = std::chrono::floor<days>(local);
  const year_month_day date{day};
  const auto time = std::chrono::duration_cast<seconds>(local - day);
  return !every_ && Has(months_, static_cast<unsigned>(date.month())) && MatchesDay(date) &&
         FirstTimeOfDay(time) == time;
}

// The first matching time of a day from `not_before` on.
std::optional<seconds> Cron::FirstTimeOfDay(seconds not_before) const {
  const std::chrono::hh_mm_ss start{not_before};
  const auto first_hour = static_cast<int>(start.hours().count());
  const auto first_minute = static_cast<int>(start.minutes().count());
  const auto first_second = static_cast<int>(start.seconds().count());
  for (auto hour = NextBit(hours_, first_hour); hour; hour = NextBit(hours_, *hour + 1)) {
    const bool same_hour = *hour == first_hour;
    for (auto minute = NextBit(minutes_, same_hour ? first_minute : 0); minute;
         minute = NextBit(minutes_, *minute + 1)) {
      const bool same_minute = same_hour && *minute == first_minute;
      const auto second = NextBit(seconds_, same_minute ? first_second : 0);
      if (second) return hours{*hour} + minutes{*minute} + seconds{*second};
    }
  }
  return std::nullopt;
}

std::optional<Instant> Cron::NextAfter(Instant instant, const TimeZone& zone) const {
  if (instant < kInstantMin) instant = kInstantMin - Duration{1};
  if (instant >= kInstantMax) return std::nullopt;
  if (every_) {
    const auto next = Add(instant, *every_);
    return next ? std::optional(*next) : std::nullopt;
  }

  const auto not_before = std::chrono::floor<seconds>(zone.LatestShown(instant)) + seconds{1};
  auto day = std::chrono::floor<days>(not_before);
  auto time = not_before - day;
  const auto search_end = local_days{year_month_day{day} + kSearchMax};
  while (day < search_end) {
    const year_month_day date{day};
    if (!Has(months_, static_cast<unsigned>(date.month()))) {
      day = local_days{(date.year() / date.month() + std::chrono::months{1}) / 1};
      time = seconds{0};
      continue;
    }
    if (MatchesDay(date)) {
      if (const auto at = FirstTimeOfDay(time)) {
        const auto firing = zone.ToUtc(day + *at);
        return firing ? std::optional(*firing) : std::nullopt;
      }
    }
    day += days{1};
    time = seconds{0};
  }
  return std::nullopt;
}

}  // namespace patra
