#include "base/date_pattern.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/calendar_names.h"
#include "base/close_match.h"
#include "base/http_date.h"
#include "base/quote.h"
#include "base/text_scanner.h"
#include "base/time_fields.h"

namespace patra {
namespace {

constexpr std::size_t kDatePatternBytesMax = 200;
constexpr int kOptionalDepthMax = 4;

constexpr std::string_view kIsoSeconds = "yyyy-MM-dd'T'HH:mm:ss[.S][X]";
constexpr std::string_view kIsoDate = "yyyy-MM-dd";

constexpr std::string_view kNames[] = {"iso_instant", "iso_seconds", "iso_date",
                                       "epoch_s",     "epoch_ms",    "rfc1123"};

// The only names of zones that mean the same offset everywhere a date is exchanged (RFC 822 §5).
struct NamedOffset {
  std::string_view name;
  int hours;
};
constexpr NamedOffset kNamedOffsets[] = {{"GMT", 0},  {"UTC", 0},  {"UT", 0},   {"Z", 0},
                                         {"EST", -5}, {"EDT", -4}, {"CST", -6}, {"CDT", -5},
                                         {"MST", -7}, {"MDT", -6}, {"PST", -8}, {"PDT", -7}};

// +02 (or +0230 if need be), +0200 or +02:00 for a width of 1, 2 or 3.
std::string FormatOffset(std::chrono::seconds offset, int width) {
  const std::chrono::hh_mm_ss time{std::chrono::abs(offset)};
  const auto minute = time.minutes().count();
  const char sign = offset < std::chrono::seconds{0} ? '-' : '+';
  auto text = fmt::format("{}{:02}", sign, time.hours().count());
  if (width == 1 && minute == 0) return text;
  return text += fmt::format("{}{:02}", width == 3 ? ":" : "", minute);
}

}  // namespace

// --- Compiling -------------------------------------------------------------------------------

class DatePattern::Compiler {
 public:
  explicit Compiler(std::string_view pattern) : scanner_(pattern) {}

  Result<std::vector<Element>> Compile() {
    while (!scanner_.done()) {
      const char c = scanner_.peek();
      if (IsLetter(c)) {
        elements_.push_back(PATRA_TRY(LetterRun(c)));
      } else if (c == '\'') {
        PATRA_TRY(Quoted());
      } else if (c == '[') {
        PATRA_TRY(OpenOptional());
      } else if (c == ']') {
        PATRA_TRY(CloseOptional());
      } else {
        scanner_.Take(c);
        Literal(std::string_view(&c, 1));
      }
    }
    if (!open_.empty()) return Refuse("expected ']'", "close every '['");
    if (elements_.empty()) return Refuse("it is empty", "write it as yyyy-MM-dd");
    return std::move(elements_);
  }

 private:
  struct Letter {
    char letter;
    std::string_view widths;  // the numbers of letters that have a meaning; empty: 1 to 9
    Field field;
  };

  static constexpr Letter kLetters[] = {
      {'y', "124", Field::kYear},      {'M', "1234", Field::kMonth}, {'d', "12", Field::kDay},
      {'E', "1234", Field::kDayName},  {'H', "12", Field::kHour},    {'h', "12", Field::kHour12},
      {'a', "1", Field::kHalfDay},     {'m', "12", Field::kMinute},  {'s', "12", Field::kSecond},
      {'S', "", Field::kFraction},     {'n', "19", Field::kNanos},   {'x', "123", Field::kOffset},
      {'X', "123", Field::kOffsetOrZ}, {'Z', "1", Field::kOffset},   {'z', "1", Field::kZoneName},
  };

  std::unexpected<Error> Refuse(std::string_view why, std::string hint) const {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} is no date pattern: {}", Quote(scanner_.text()), why),
                scanner_.place(), std::move(hint));
  }

  Result<Element> LetterRun(char c) {
    const auto start = scanner_.offset();
    const auto width = scanner_.TakeWhile([c](char next) { return next == c; }).size();
    const auto* letter = std::ranges::find(kLetters, c, &Letter::letter);
    if (letter == std::end(kLetters)) {
      scanner_.Seek(start);
      return Refuse(fmt::format("'{}' is no field", c), UnknownLetterHint(c));
    }
    const auto digit = static_cast<char>('0' + std::min<std::size_t>(width, 10));
    if (letter->widths.empty() ? width > 9 : !letter->widths.contains(digit)) {
      scanner_.Seek(start);
      return Refuse(fmt::format("'{}' cannot be written {} times", c, width),
                    letter->widths.empty()
                        ? "write it 1 to 9 times"
                        : fmt::format("write it {} times", fmt::join(letter->widths, " or ")));
    }
    Element element{.field = letter->field, .width = static_cast<int>(width)};
    if (c == 'M' && width >= 3) element.field = Field::kMonthName;
    if (c == 'Z') element.width = 2;
    return element;
  }

  std::string UnknownLetterHint(char c) const {
    if (const auto name = CloseMatch(Trim(scanner_.text()), kNames)) {
      return fmt::format("did you mean '{}'?", *name);
    }
    switch (c) {
      case 'Y':
      case 'u':
        return "the calendar year is yyyy";
      case 'D':
        return "the day of the month is dd";
      case 'L':
        return "the month is MM or MMM";
      case 'k':
      case 'K':
        return "the hour is HH, or hh with a";
      case 'e':
      case 'c':
        return "the name of the day is EEE";
      default:
        return fmt::format("put plain text into quotes, as '{}'", c);
    }
  }

  void Literal(std::string_view text) {
    const bool extends = !elements_.empty() && elements_.back().field == Field::kLiteral &&
                         elements_.size() > barrier_;
    if (!extends) elements_.push_back({.field = Field::kLiteral});
    elements_.back().literal += text;
  }

  // Behind a quote: the text up to the next one, where two of them are one character.
  Result<void> Quoted() {
    const auto start = scanner_.offset();
    scanner_.Take('\'');
    if (scanner_.Take('\'')) {
      Literal("'");
      return {};
    }
    while (true) {
      Literal(scanner_.TakeWhile([](char c) { return c != '\''; }));
      if (!scanner_.Take('\'')) {
        scanner_.Seek(start);
        return Refuse("this quote is not closed", "a single quote itself is written ''");
      }
      if (!scanner_.Take('\'')) return {};
      Literal("'");
    }
  }

  Result<void> OpenOptional() {
    if (open_.size() == kOptionalDepthMax) {
      return Refuse(fmt::format("more than {} optional parts in each other", kOptionalDepthMax),
                    "write fewer");
    }
    scanner_.Take('[');
    open_.push_back(elements_.size());
    elements_.push_back({.field = Field::kOptional});
    barrier_ = elements_.size();
    return {};
  }

  Result<void> CloseOptional() {
    if (open_.empty()) return Refuse("this ']' closes nothing", "quote it if it is plain text");
    scanner_.Take(']');
    elements_[open_.back()].end = elements_.size();
    open_.pop_back();
    barrier_ = elements_.size();
    return {};
  }

  TextScanner scanner_;
  std::vector<Element> elements_;
  std::vector<std::size_t> open_;  // optional parts that are not closed yet
  std::size_t barrier_ = 0;        // literals do not grow across the border of an optional part
};

Result<DatePattern> DatePattern::Compile(std::string_view pattern) {
  if (pattern.size() > kDatePatternBytesMax) {
    return Fail(ErrorCode::kLimit,
                fmt::format("a date pattern of {} bytes is longer than the limit of {}",
                            pattern.size(), kDatePatternBytesMax));
  }
  const auto named = [&](Kind kind) { return DatePattern(std::string(pattern), kind); };
  if (pattern == "iso_instant") return named(Kind::kRfc3339);
  if (pattern == "epoch_s") return named(Kind::kEpochSeconds);
  if (pattern == "epoch_ms") return named(Kind::kEpochMillis);
  if (pattern == "rfc1123") return named(Kind::kHttpDate);

  auto compiled = named(Kind::kFields);
  const auto letters = pattern == "iso_seconds" ? kIsoSeconds
                       : pattern == "iso_date"  ? kIsoDate
                                                : pattern;
  compiled.elements_ = PATRA_TRY(Compiler(letters).Compile());
  return compiled;
}

// --- Reading ---------------------------------------------------------------------------------

class DatePattern::Reader {
 public:
  Reader(const DatePattern& pattern, std::string_view text, Instant now)
      : pattern_(pattern), scanner_(text), now_(now) {}

  Result<Instant> Read(const TimeZone& zone) {
    if (!ReadElements(0, pattern_.elements_.size())) return Refuse(problem_, problem_at_);
    if (!scanner_.done()) {
      // An optional part that was begun tells more than that it was not finished.
      if (problem_at_ > scanner_.offset()) return Refuse(problem_, problem_at_);
      return Refuse("expected the end", scanner_.offset());
    }
    if (!found_.year) return Refuse("the pattern has no year", 0);
    if (found_.day && !found_.month) return Refuse("the pattern has a day but no month", 0);

    auto instant = Resolve(zone);
    if (!instant) return Refuse(instant.error().message, 0);
    return instant;
  }

 private:
  struct Found {
    std::optional<int> year, month, day, weekday, hour, hour12, minute, second;
    std::optional<bool> afternoon;
    std::optional<Duration> fraction;
    std::optional<std::chrono::seconds> offset;
  };

  std::unexpected<Error> Refuse(std::string_view why, std::size_t offset) const {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} does not match the date pattern {}: {}", Quote(scanner_.text()),
                            Quote(pattern_.text_), why),
                TextScanner::PlaceAt(offset));
  }

  bool Expected(std::string_view what) {
    // The problem that lies furthest to the right explains best, also if an optional part had it.
    if (problem_.empty() || scanner_.offset() >= problem_at_) {
      problem_ = fmt::format("expected {}", what);
      problem_at_ = scanner_.offset();
    }
    return false;
  }

  bool ReadElements(std::size_t index, std::size_t end) {
    while (index < end) {
      const auto& element = pattern_.elements_[index];
      if (element.field != Field::kOptional) {
        if (!ReadElement(element, index)) return false;
        ++index;
        continue;
      }
      const auto offset = scanner_.offset();
      const auto found = found_;
      if (!ReadElements(index + 1, element.end)) {
        scanner_.Seek(offset);
        found_ = found;
      }
      index = element.end;
    }
    return true;
  }

  bool ReadElement(const Element& element, std::size_t index) {
    switch (element.field) {
      case Field::kLiteral:
        return scanner_.Take(element.literal) || Expected(Quote(element.literal));
      case Field::kOptional:
        return false;  // ReadElements takes care of it
      case Field::kYear:
        return ReadYear(element.width);
      case Field::kMonth:
        return ReadNumber(element.width, "a month", found_.month);
      case Field::kMonthName:
        return ReadName(MonthOfName, "the name of a month", found_.month);
      case Field::kDay:
        return ReadNumber(element.width, "a day", found_.day);
      case Field::kDayName:
        return ReadName(DayOfName, "the name of a day", found_.weekday);
      case Field::kHour:
        return ReadNumber(element.width, "an hour", found_.hour);
      case Field::kHour12:
        return ReadNumber(element.width, "an hour", found_.hour12);
      case Field::kHalfDay:
        return ReadHalfDay();
      case Field::kMinute:
        return ReadNumber(element.width, "a minute", found_.minute);
      case Field::kSecond:
        return ReadNumber(element.width, "a second", found_.second);
      case Field::kFraction:
        return ReadFraction(element.width, pattern_.IsNumber(index + 1));
      case Field::kNanos:
        return ReadNanos(element.width);
      case Field::kOffset:
      case Field::kOffsetOrZ:
        return ReadOffset();
      case Field::kZoneName:
        return ReadZoneName();
    }
    return false;
  }

  // Two fields of one kind have to agree.
  template <typename T>
  bool Keep(T value, std::optional<T>& kept) {
    if (kept && *kept != value) return Expected("the same as before");
    kept = value;
    return true;
  }

  bool ReadNumber(int width, std::string_view what, std::optional<int>& kept) {
    const auto number = scanner_.TakeNumber(width, 2);
    if (!number) return Expected(fmt::format("{}{}", what, width == 2 ? " of two digits" : ""));
    return Keep(*number, kept);
  }

  bool ReadYear(int width) {
    const auto number = scanner_.TakeNumber(width, width == 1 ? 4 : width);
    if (!number) return Expected(fmt::format("a year of {} digits", width == 1 ? 4 : width));
    return Keep(width == 2 ? YearOfTwoDigits(*number, now_) : *number, found_.year);
  }

  bool ReadName(std::optional<int> (*number_of)(std::string_view), std::string_view what,
                std::optional<int>& kept) {
    const auto start = scanner_.offset();
    if (const auto number = number_of(scanner_.TakeLetters())) return Keep(*number, kept);
    scanner_.Seek(start);
    return Expected(what);
  }

  bool ReadHalfDay() {
    if (scanner_.TakeIgnoringCase("am")) return Keep(false, found_.afternoon);
    if (scanner_.TakeIgnoringCase("pm")) return Keep(true, found_.afternoon);
    return Expected("AM or PM");
  }

  bool ReadFraction(int width, bool number_follows) {
    const auto start = scanner_.offset();
    auto digits = scanner_.TakeDigits();
    const auto fixed = static_cast<std::size_t>(width);
    if (number_follows) {
      digits = digits.substr(0, fixed);
      scanner_.Seek(start + digits.size());
    }
    if (digits.empty() || (number_follows && digits.size() < fixed)) {
      scanner_.Seek(start);
      return Expected("a fraction of a second");
    }
    return Keep(FractionOfSecond(digits), found_.fraction);
  }

  bool ReadNanos(int width) {
    const auto nanos = scanner_.TakeNumber(width, 9);
    if (!nanos) return Expected("nanoseconds");
    return Keep(Duration{*nanos / 1000}, found_.fraction);
  }

  bool ReadOffset() {
    if (scanner_.TakeIgnoringCase("Z")) return Keep(std::chrono::seconds{0}, found_.offset);
    const bool west = scanner_.peek() == '-';
    if (!scanner_.Take('+') && !scanner_.Take('-')) return Expected("an offset as +02:00, or Z");
    const auto hours = scanner_.TakeNumber(2, 2);
    if (!hours || *hours > 23) return Expected("hours of an offset");
    const bool colon = scanner_.Take(':');
    const auto minute = scanner_.TakeNumber(2, 2);
    if ((colon && !minute) || minute.value_or(0) > 59) return Expected("minutes of an offset");
    const std::chrono::seconds offset =
        std::chrono::hours{*hours} + std::chrono::minutes{minute.value_or(0)};
    return Keep(west ? -offset : offset, found_.offset);
  }

  bool ReadZoneName() {
    if (const char c = scanner_.peek(); c == '+' || c == '-') return ReadOffset();
    const auto start = scanner_.offset();
    const auto name = scanner_.TakeLetters();
    for (const auto& named : kNamedOffsets) {
      if (!EqualIgnoringCase(name, named.name)) continue;
      return Keep(std::chrono::seconds{std::chrono::hours{named.hours}}, found_.offset);
    }
    scanner_.Seek(start);
    return Expected("GMT, UTC or an offset");
  }

  Result<Instant> Resolve(const TimeZone& zone) const {
    TimeFields fields{.year = *found_.year,
                      .month = found_.month.value_or(1),
                      .day = found_.day.value_or(1),
                      .hour = PATRA_TRY(Hour()),
                      .minute = found_.minute.value_or(0),
                      .second = found_.second.value_or(0),
                      .fraction = found_.fraction.value_or(Duration{0})};
    PATRA_TRY(CheckWeekday(fields));
    if (found_.offset) return ToInstant(fields, *found_.offset);
    if (zone == TimeZone::Utc()) return ToInstant(fields, std::chrono::seconds{0});
    const auto local = PATRA_TRY(ToLocalTime(fields));
    return zone.ToUtc(local);
  }

  Result<int> Hour() const {
    if (!found_.hour12) return found_.hour.value_or(0);
    if (*found_.hour12 < 1 || *found_.hour12 > 12) {
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("the hour is {}, not 1 to 12", *found_.hour12));
    }
    if (!found_.afternoon) {
      return Fail(ErrorCode::kInvalidInput, "an hour of 12 (h) needs AM or PM (a)");
    }
    const int hour = *found_.hour12 % 12 + (*found_.afternoon ? 12 : 0);
    if (found_.hour && *found_.hour != hour) {
      return Fail(ErrorCode::kInvalidInput, "its two hours differ");
    }
    return hour;
  }

  Result<void> CheckWeekday(const TimeFields& fields) const {
    if (!found_.weekday) return {};
    const auto date =
        PATRA_TRY(ToLocalTime({.year = fields.year, .month = fields.month, .day = fields.day}));
    const std::chrono::weekday weekday{std::chrono::floor<std::chrono::days>(date)};
    if (static_cast<int>(weekday.c_encoding()) == *found_.weekday) return {};
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("it says {}, but that day is a {}", kDayNames[*found_.weekday],
                            kDayNames[weekday.c_encoding()]));
  }

  const DatePattern& pattern_;
  TextScanner scanner_;
  Instant now_;
  Found found_;
  std::string problem_;
  std::size_t problem_at_ = 0;
};

Result<Instant> DatePattern::Parse(std::string_view text, Instant now, const TimeZone& zone) const {
  switch (kind_) {
    case Kind::kRfc3339:
      return ParseRfc3339(text);
    case Kind::kEpochSeconds:
      return ParseEpochSeconds(text);
    case Kind::kEpochMillis:
      return ParseEpochMillis(text);
    case Kind::kHttpDate:
      return ParseHttpDate(text, now);
    case Kind::kFields:
      break;
  }
  return Reader(*this, text, now).Read(zone);
}

// Whether a text for the element at `index` begins with a digit, so that the number before it must
// end by counting.
bool DatePattern::IsNumber(std::size_t index) const {
  if (index >= elements_.size()) return false;
  const auto& element = elements_[index];
  switch (element.field) {
    case Field::kYear:
    case Field::kMonth:
    case Field::kDay:
    case Field::kHour:
    case Field::kHour12:
    case Field::kMinute:
    case Field::kSecond:
    case Field::kFraction:
    case Field::kNanos:
      return true;
    case Field::kLiteral:
      return IsDigit(element.literal.front());
    default:
      return false;
  }
}

// --- Writing ---------------------------------------------------------------------------------

// A moment taken apart as it is written in a zone.
struct DatePattern::Written {
  std::chrono::seconds offset;
  std::chrono::weekday weekday;
  std::chrono::year_month_day date;
  std::chrono::hh_mm_ss<Duration> time;

  static Written In(const TimeZone& zone, Instant instant) {
    const auto offset = zone.OffsetAt(instant);
    const LocalTime local{instant.time_since_epoch() + offset};
    const auto day = std::chrono::floor<std::chrono::days>(local);
    return {offset, std::chrono::weekday{day}, std::chrono::year_month_day{day},
            std::chrono::hh_mm_ss{local - day}};
  }
};

std::string DatePattern::Format(Instant instant, const TimeZone& zone) const {
  PATRA_ASSERT(instant >= kInstantMin && instant <= kInstantMax);
  switch (kind_) {
    case Kind::kRfc3339:
      return FormatRfc3339(instant);
    case Kind::kEpochSeconds:
      return fmt::format("{}", EpochSeconds(instant));
    case Kind::kEpochMillis:
      return fmt::format("{}", EpochMillis(instant));
    case Kind::kHttpDate:
      return FormatHttpDate(instant);
    case Kind::kFields:
      break;
  }
  const auto written = Written::In(zone, instant);
  std::string out;
  for (std::size_t i = 0; i < elements_.size();) {
    const auto& element = elements_[i];
    if (element.field == Field::kOptional) {
      i = element.end;
      continue;
    }
    Append(element, written, out);
    ++i;
  }
  return out;
}

void DatePattern::Append(const Element& element, const Written& written, std::string& out) {
  const auto& [offset, weekday, date, time] = written;
  const auto month = static_cast<unsigned>(date.month());
  const auto hour = time.hours().count();
  const auto number = [&](std::int64_t value) { AppendDigits(value, element.width, out); };
  const auto name = [&](std::string_view full) {
    out += element.width == 4 ? full : ShortName(full);
  };
  switch (element.field) {
    case Field::kLiteral:
      out += element.literal;
      break;
    case Field::kOptional:
      break;
    case Field::kYear:
      number(element.width == 2 ? static_cast<int>(date.year()) % 100
                                : static_cast<int>(date.year()));
      break;
    case Field::kMonth:
      number(month);
      break;
    case Field::kMonthName:
      name(kMonthNames[month - 1]);
      break;
    case Field::kDay:
      number(static_cast<unsigned>(date.day()));
      break;
    case Field::kDayName:
      name(kDayNames[weekday.c_encoding()]);
      break;
    case Field::kHour:
      number(hour);
      break;
    case Field::kHour12:
      number(hour % 12 == 0 ? 12 : hour % 12);
      break;
    case Field::kHalfDay:
      out += hour < 12 ? "AM" : "PM";
      break;
    case Field::kMinute:
      number(time.minutes().count());
      break;
    case Field::kSecond:
      number(time.seconds().count());
      break;
    case Field::kFraction: {
      const auto start = out.size();
      AppendDigits(time.subseconds().count() * 1000, 9, out);
      out.resize(start + static_cast<std::size_t>(element.width));
      break;
    }
    case Field::kNanos:
      number(time.subseconds().count() * 1000);
      break;
    case Field::kOffset:
    case Field::kOffsetOrZ:
      out += element.field == Field::kOffsetOrZ && offset == std::chrono::seconds{0}
                 ? "Z"
                 : FormatOffset(offset, element.width);
      break;
    case Field::kZoneName:
      out += offset == std::chrono::seconds{0} ? "GMT" : FormatOffset(offset, 2);
      break;
  }
}

}  // namespace patra
