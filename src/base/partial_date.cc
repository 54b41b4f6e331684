#include "base/partial_date.h"

#include <cmath>

#include <fmt/format.h>

#include "base/calendar_names.h"
#include "base/quote.h"
#include "base/text_scanner.h"
#include "base/time_fields.h"

namespace patra {
namespace {

constexpr std::string_view kPartialDateHint = "write it as 2020, 2020-05, 2020-05-07 or 2020 May 7";

constexpr std::string_view kSeasons[] = {"Spring", "Summer", "Autumn", "Fall", "Winter"};

Result<PartialDate> Checked(PartialDate date) {
  PATRA_TRY(ToLocalTime(
      {.year = date.year, .month = date.month.value_or(1), .day = date.day.value_or(1)}));
  return date;
}

class PartialDateParser {
 public:
  explicit PartialDateParser(std::string_view text) : scanner_(text) {}

  Result<PartialDate> Parse() {
    const auto year = scanner_.TakeNumber(4, 4);
    if (!year) return Expected("a year of four digits");
    date_.year = *year;
    const bool understood = scanner_.done() || Compact() || RangeOfYears() || Digits() || Words();
    if (!understood || !scanner_.done()) return Expected("the rest of a date");

    auto checked = Checked(date_);
    if (checked) return checked;
    return Refuse(checked.error().message, {});
  }

 private:
  std::unexpected<Error> Refuse(std::string_view why, Place place) const {
    return Fail(ErrorCode::kInvalidInput,
                fmt::format("{} is no date: {}", Quote(scanner_.text()), why), std::move(place),
                std::string(kPartialDateHint));
  }

  std::unexpected<Error> Expected(std::string_view what) const {
    return Refuse(fmt::format("expected {}", what), scanner_.place());
  }

  // 20200507
  bool Compact() {
    const auto rest = scanner_.rest();
    if (rest.size() != 4 || !IsDigit(rest[0])) return false;
    date_.month = scanner_.TakeNumber(2, 2);
    date_.day = scanner_.TakeNumber(2, 2);
    return date_.day.has_value();
  }

  // 1999-2000
  bool RangeOfYears() {
    const auto start = scanner_.offset();
    if (scanner_.Take('-') && scanner_.TakeNumber(4, 4) && scanner_.done()) return true;
    scanner_.Seek(start);
    return false;
  }

  // 2020-05, 2020/5/7
  bool Digits() {
    const char separator = scanner_.peek();
    if (separator != '-' && separator != '/') return false;
    scanner_.Take(separator);
    date_.month = scanner_.TakeNumber(1, 2);
    if (!date_.month || scanner_.done()) return date_.month.has_value();
    if (!scanner_.Take(separator)) return false;
    date_.day = scanner_.TakeNumber(1, 2);
    return date_.day.has_value();
  }

  // 2020 May, 2020 May 7, 2020 Spring, and periods that begin with one of them
  bool Words() {
    if (!scanner_.Take(' ')) return false;
    if (TakeSeason()) return scanner_.done() || TakeEndOfPeriod();
    date_.month = TakeMonth();
    if (!date_.month) return false;
    if (const auto rest = scanner_.rest(); rest.size() > 1 && rest[0] == ' ' && IsDigit(rest[1])) {
      scanner_.Take(' ');
      date_.day = scanner_.TakeNumber(1, 2);
    }
    return scanner_.done() || TakeEndOfPeriod();
  }

  std::optional<int> TakeMonth() {
    const auto start = scanner_.offset();
    const auto month = MonthOfName(scanner_.TakeLetters());
    if (!month) scanner_.Seek(start);
    return month;
  }

  bool TakeSeason() {
    const auto start = scanner_.offset();
    const auto word = scanner_.TakeLetters();
    for (const auto season : kSeasons) {
      if (EqualIgnoringCase(word, season)) return true;
    }
    scanner_.Seek(start);
    return false;
  }

  // "-Jun", "-1999 Jan", "-14", "-Jun 3", "-1999 Winter": it says nothing about the beginning, but
  // has to be the end of a period.
  bool TakeEndOfPeriod() {
    scanner_.Take(' ');
    if (!scanner_.Take('-') && !scanner_.Take('/')) return false;
    scanner_.Take(' ');
    if (scanner_.TakeNumber(4, 4) && !scanner_.Take(' ')) return scanner_.done();
    if (TakeSeason()) return true;
    if (!TakeMonth()) return scanner_.TakeNumber(1, 2).has_value();
    return !scanner_.Take(' ') || scanner_.TakeNumber(1, 2).has_value();
  }

  TextScanner scanner_;
  PartialDate date_;
};

std::optional<int> WholeNumber(const Value& value) {
  if (const auto* integer = value.AsInteger()) {
    if (*integer >= 0 && *integer <= 9999) return static_cast<int>(*integer);
  } else if (const auto* number = value.AsDouble()) {
    if (*number >= 0 && *number <= 9999 && std::floor(*number) == *number) {
      return static_cast<int>(*number);
    }
  } else if (const auto* text = value.AsString()) {
    TextScanner scanner(*text);
    const auto digits = scanner.TakeNumber(1, 4);
    if (digits && scanner.done()) return digits;
  }
  return std::nullopt;
}

std::unexpected<Error> RefuseParts(std::string_view why) {
  return Fail(ErrorCode::kInvalidInput, fmt::format("these parts make no date: {}", why), {},
              "a list of year, month and day looks like [2020, 5, 7]");
}

Result<std::optional<PartialDate>> FromParts(const Value::Array& parts) {
  if (parts.empty() || parts[0].is_null()) return std::nullopt;
  if (parts.size() > 3) return RefuseParts(fmt::format("there are {} of them", parts.size()));
  std::optional<int> numbers[3];
  bool ended = false;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].is_null()) {
      ended = true;
      continue;
    }
    if (ended) return RefuseParts("one of them is missing in between");
    numbers[i] = WholeNumber(parts[i]);
    if (!numbers[i]) return RefuseParts(fmt::format("the one at {} is no whole number", i));
  }
  const auto date = Checked({.year = *numbers[0], .month = numbers[1], .day = numbers[2]});
  if (!date) return RefuseParts(date.error().message);
  return *date;
}

}  // namespace

Result<PartialDate> PartialDate::Parse(std::string_view text) {
  return PartialDateParser(Trim(text)).Parse();
}

Result<std::optional<PartialDate>> PartialDate::From(const Value& value) {
  if (value.is_null()) return std::nullopt;
  if (const auto* text = value.AsString()) return PATRA_TRY(Parse(*text));
  if (const auto* parts = value.AsArray()) {
    const bool nested = parts->size() == 1 && parts->front().AsArray() != nullptr;
    return FromParts(nested ? *parts->front().AsArray() : *parts);
  }
  if (value.AsInteger() != nullptr || value.AsDouble() != nullptr) return FromParts({value});
  return Fail(ErrorCode::kInvalidInput, fmt::format("a {} is no date", value.TypeName()), {},
              "a date is a text, a year or a list of year, month and day");
}

std::string PartialDate::Print() const {
  auto text = fmt::format("{:04}", year);
  if (month) text += fmt::format("-{:02}", *month);
  if (month && day) text += fmt::format("-{:02}", *day);
  return text;
}

Instant PartialDate::Earliest() const {
  return std::chrono::sys_days{std::chrono::year{year} /
                               std::chrono::month{static_cast<unsigned>(month.value_or(1))} /
                               std::chrono::day{static_cast<unsigned>(day.value_or(1))}};
}

}  // namespace patra
