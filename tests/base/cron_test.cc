#include "base/cron.h"

#include <algorithm>
#include <functional>
#include <random>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace patra::cron_test {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::minutes;

Cron Parsed(std::string_view text) {
  const auto cron = Cron::Parse(text);
  EXPECT_TRUE(cron) << text << ": " << cron.error().Describe();
  return cron ? *cron : Cron::Parse("@daily").value();
}

TimeZone Zone(std::string_view name) { return TimeZone::Find(name).value(); }

Instant At(std::string_view text) { return ParseRfc3339(text).value(); }

// The next firings after a moment, as text.
std::vector<std::string> Next(std::string_view text, int count, std::string_view after,
                              const TimeZone& zone = TimeZone::Utc()) {
  const auto cron = Parsed(text);
  std::vector<std::string> firings;
  auto at = At(after);
  for (int i = 0; i < count; ++i) {
    const auto next = cron.NextAfter(at, zone);
    firings.push_back(next ? FormatRfc3339(*next) : "never");
    if (!next) break;
    at = *next;
  }
  return firings;
}

using Texts = std::vector<std::string>;

TEST(Cron, FiresStrictlyAfterTheInstant) {
  EXPECT_EQ(Next("0 12 * * *", 2, "2026-03-01T12:00:00Z"),
            (Texts{"2026-03-02T12:00:00Z", "2026-03-03T12:00:00Z"}));
  EXPECT_EQ(Next("0 12 * * *", 1, "2026-03-01T11:59:59.999999Z"), Texts{"2026-03-01T12:00:00Z"});
  EXPECT_EQ(Next("* * * * *", 2, "2026-12-31T23:59:30Z"),
            (Texts{"2027-01-01T00:00:00Z", "2027-01-01T00:01:00Z"}));
}

TEST(Cron, KnowsSeconds) {
  EXPECT_EQ(Next("*/20 * * * * *", 4, "2026-03-01T00:00:00.5Z"),
            (Texts{"2026-03-01T00:00:20Z", "2026-03-01T00:00:40Z", "2026-03-01T00:01:00Z",
                   "2026-03-01T00:01:20Z"}));
  EXPECT_EQ(Next("30 0 0 1 1 ?", 1, "2026-03-01T00:00:00Z"), Texts{"2027-01-01T00:00:30Z"});
}

TEST(Cron, KnowsTheNicknames) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"@yearly", "2027-01-01T00:00:00Z"},  {"@annually", "2027-01-01T00:00:00Z"},
      {"@monthly", "2026-04-01T00:00:00Z"}, {"@weekly", "2026-03-08T00:00:00Z"},
      {"@daily", "2026-03-05T00:00:00Z"},   {"@midnight", "2026-03-05T00:00:00Z"},
      {"@hourly", "2026-03-04T06:00:00Z"},  {" @Hourly ", "2026-03-04T06:00:00Z"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(Next(text, 1, "2026-03-04T05:06:07Z"), Texts{std::string(expected)}) << text;
  }
}

TEST(Cron, CountsEveryFromTheGivenInstant) {
  EXPECT_EQ(Next("@every 90m", 2, "2026-03-04T05:06:07.5Z"),
            (Texts{"2026-03-04T06:36:07.5Z", "2026-03-04T08:06:07.5Z"}));
  EXPECT_EQ(Next("@every PT1H", 1, "2026-03-04T05:00:00Z"), Texts{"2026-03-04T06:00:00Z"});
  EXPECT_EQ(Parsed("@every 100d").NextAfter(kInstantMax - 24h, TimeZone::Utc()), std::nullopt);
  EXPECT_FALSE(Parsed("@every 1h").Matches(LocalTime{}));
}

TEST(Cron, TakesEitherDayWhenBothAreRestrictedAndBothWhenOneIsOpen) {
  // March 2026 begins on a Sunday.
  EXPECT_EQ(Next("0 0 10 * MON", 4, "2026-03-01T00:00:00Z"),
            (Texts{"2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z", "2026-03-10T00:00:00Z",
                   "2026-03-16T00:00:00Z"}));
  EXPECT_EQ(Next("0 0 10 * ?", 2, "2026-03-01T00:00:00Z"),
            (Texts{"2026-03-10T00:00:00Z", "2026-04-10T00:00:00Z"}));
  EXPECT_EQ(Next("0 0 ? * MON", 2, "2026-03-01T00:00:00Z"),
            (Texts{"2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z"}));
  EXPECT_EQ(Next("0 0 */2 * MON", 2, "2026-03-01T00:00:00Z"),
            (Texts{"2026-03-09T00:00:00Z", "2026-03-23T00:00:00Z"}));
}

TEST(Cron, FindsTheRarestDays) {
  EXPECT_EQ(Next("0 0 29 2 *", 2, "2096-03-01T00:00:00Z"),
            (Texts{"2104-02-29T00:00:00Z", "2108-02-29T00:00:00Z"}));
  // 29 February on a Monday: 40 years apart over 2100, which is no leap year.
  EXPECT_EQ(Next("0 0 ? 2 MON#5", 2, "2072-03-01T00:00:00Z"),
            (Texts{"2112-02-29T00:00:00Z", "2140-02-29T00:00:00Z"}));
}

TEST(Cron, KnowsThatSomeDaysNeverCome) {
  for (const auto* text :
       {"0 0 30 2 *", "0 0 31 4,6,9,11 ?", "0 0 30W 2 *", "0 0 L-29 2 ?", "0 0 30 2 */6"}) {
    EXPECT_EQ(Next(text, 1, "2026-01-01T00:00:00Z"), Texts{"never"}) << text;
  }
  EXPECT_EQ(Parsed("0 0 1 1 *").NextAfter(kInstantMax - 1h, TimeZone::Utc()), std::nullopt);
  EXPECT_EQ(Parsed("0 0 1 1 *").NextAfter(Instant::max(), TimeZone::Utc()), std::nullopt);
  EXPECT_EQ(Parsed("0 0 1 1 *").NextAfter(Instant::min(), TimeZone::Utc()), kInstantMin);
}

TEST(Cron, FiresOnceRightAfterAGap) {
  const auto berlin = Zone("Europe/Berlin");  // 02:00 becomes 03:00 at 01:00Z
  EXPECT_EQ(Next("30 2 * * *", 2, "2026-03-28T12:00:00Z", berlin),
            (Texts{"2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"}));
  EXPECT_EQ(Next("0,15,30,45 2 * * *", 2, "2026-03-29T00:00:00Z", berlin),
            (Texts{"2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z"}));
  EXPECT_EQ(Next("*/15 * * * *", 3, "2026-03-29T00:40:00Z", berlin),
            (Texts{"2026-03-29T00:45:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:15:00Z"}));
  // The half hour of Lord Howe: 02:00 becomes 02:30.
  EXPECT_EQ(Next("15 2 * * *", 2, "2026-10-03T12:00:00Z", Zone("Australia/Lord_Howe")),
            (Texts{"2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z"}));
}

TEST(Cron, FiresOnceWhenAnHourRepeats) {
  const auto berlin = Zone("Europe/Berlin");  // 03:00 becomes 02:00 at 01:00Z
  EXPECT_EQ(Next("30 2 * * *", 2, "2026-10-24T12:00:00Z", berlin),
            (Texts{"2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"}));
  EXPECT_EQ(Next("30 2 * * *", 1, "2026-10-25T01:10:00Z", berlin), Texts{"2026-10-26T01:30:00Z"});
  EXPECT_EQ(Next("*/30 * * * *", 4, "2026-10-25T00:00:00Z", berlin),
            (Texts{"2026-10-25T00:30:00Z", "2026-10-25T02:00:00Z", "2026-10-25T02:30:00Z",
                   "2026-10-25T03:00:00Z"}));
}

TEST(Cron, SaysWhatIsWrongAndWhere) {
  struct Case {
    std::string_view text;
    int column;
    std::string_view why;
  };
  const Case cases[] = {
      {"", 1, "it has 0 fields"},
      {"* * * *", 1, "it has 4 fields"},
      {"0 0 0 1 1 ? 2026", 1, "it has 7 fields"},
      {"60 * * * *", 1, "the minute is 60"},
      {"* 24 * * *", 3, "the hour is 24"},
      {"* * 0 * *", 5, "the day of the month is 0"},
      {"* * 32 * *", 5, "the day of the month is 32"},
      {"* * * 13 *", 7, "the month is 13"},
      {"* * * FOO *", 7, "'FOO' is no month"},
      {"* * * * 8", 9, "the day of the week is 8"},
      {"* * * * MOO", 9, "'MOO' is no day of the week"},
      {"*/0 * * * *", 3, "expected a step of 1 or more"},
      {"*/ * * * *", 3, "expected a step of 1 or more"},
      {"*/90 * * * *", 3, "the step 90 is longer than the minute field"},
      {"30-10 * * * *", 1, "the range 30-10 runs backwards"},
      {"1,,2 * * * *", 3, "expected a minute"},
      {"1, * * * *", 3, "expected a minute"},
      {"1- * * * *", 3, "expected a minute"},
      {"-1 * * * *", 1, "expected a minute"},
      {"1x * * * *", 2, "expected the end of the minute"},
      {"1.5 * * * *", 2, "expected the end of the minute"},
      {"? * * * *", 1, "expected a minute"},
      {"*5 * * * *", 2, "expected the end of the minute"},
      {"* * L-31 * *", 7, "expected how many days before the last"},
      {"* * L-x * *", 7, "expected how many days before the last"},
      {"* * 1-5W * *", 8, "expected the end of the day of the month"},
      {"* * 32W * *", 5, "the day of the month is 32"},
      {"* * W * *", 5, "'W' is no day of the month"},
      {"* * * * L", 9, "L needs a day of the week"},
      {"* * * * MON#6", 14, "expected which one of the month"},
      {"* * * * MON#", 13, "expected which one of the month"},
      {"* * * * MON-FRI#2", 16, "expected the end of the day of the week"},
      {"@reboot", 1, "'@reboot' is unknown"},
      {"@dayly", 1, "'@dayly' is unknown"},
      {"@daily 5", 8, "expected the end"},
      {"@every", 7, "'' is no duration: expected a number"},
      {"@every 5x", 9, "'5x' is no duration: expected a unit: w, d, h, m, s, ms or us"},
      {"@every 10ms", 8, "the interval is shorter than a second"},
      {"@every -1h", 8, "the interval is shorter than a second"},
      {"99999999999 * * * *", 1, "the minute is 999999999"},
  };
  for (const auto& [text, column, why] : cases) {
    const auto cron = Cron::Parse(text);
    ASSERT_FALSE(cron) << text;
    EXPECT_EQ(cron.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(cron.error().place.column, column) << text;
    EXPECT_TRUE(cron.error().message.ends_with(why)) << cron.error().message;
    EXPECT_FALSE(cron.error().hint.empty()) << text;
  }
  EXPECT_EQ(Cron::Parse("@dayly").error().hint, "did you mean '@daily'?");
  EXPECT_EQ(Cron::Parse(std::string(257, '*')).error().code, ErrorCode::kLimit);
}

// --- Against a slow reference ------------------------------------------------------------------
//
// The reference walks minute by minute and fires when the wall clock, for the first time, shows a
// matching minute or has jumped over one. What matches is said by predicates that share nothing
// with the parser or the matcher.

struct Minute {
  int year, month, day, last_day, hour, minute;
  int weekday;  // 0 is Sunday
};

using Predicate = std::function<bool(const Minute&)>;

// The minutes that the wall clock of a zone shows or jumps over, each with the first instant at
// which that has happened.
struct Walk {
  TimeZone zone;
  Instant from, to;
  std::vector<std::pair<Instant, Minute>> minutes;
};

Minute Describe(std::chrono::local_time<minutes> local) {
  const auto day = std::chrono::floor<days>(local);
  const std::chrono::year_month_day date{day};
  const auto next_month = date.year() / date.month() / 1 + std::chrono::months{1};
  const auto last = std::chrono::year_month_day{std::chrono::local_days{next_month} - days{1}};
  const auto time = (local - day).count();
  return {.year = static_cast<int>(date.year()),
          .month = static_cast<int>(static_cast<unsigned>(date.month())),
          .day = static_cast<int>(static_cast<unsigned>(date.day())),
          .last_day = static_cast<int>(static_cast<unsigned>(last.day())),
          .hour = static_cast<int>(time / 60),
          .minute = static_cast<int>(time % 60),
          .weekday = static_cast<int>(std::chrono::weekday{day}.c_encoding())};
}

Walk WalkThrough(std::string_view zone_name, std::string_view from, std::string_view to) {
  Walk walk{Zone(zone_name), At(from), At(to), {}};
  auto shown = std::chrono::floor<minutes>(walk.zone.ToLocal(walk.from));
  for (auto at = walk.from + 1min; at < walk.to; at += 1min) {
    const auto local = std::chrono::floor<minutes>(walk.zone.ToLocal(at));
    while (shown < local) {
      shown += 1min;
      walk.minutes.emplace_back(at, Describe(shown));
    }
  }
  return walk;
}

const std::vector<Walk>& Walks() {
  static const std::vector<Walk> walks = [] {
    std::vector<Walk> made;
    for (const auto* zone :
         {"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"}) {
      made.push_back(WalkThrough(zone, "2023-12-31T00:00:00Z", "2026-12-31T00:00:00Z"));
    }
    // The year in which Samoa left out a day, and moved its clock three times.
    made.push_back(WalkThrough("Pacific/Apia", "2011-01-01T00:00:00Z", "2012-06-01T00:00:00Z"));
    return made;
  }();
  return walks;
}

std::vector<Instant> ReferenceFirings(const Walk& walk, const Predicate& matches) {
  std::vector<Instant> firings;
  for (const auto& [at, minute] : walk.minutes) {
    if (matches(minute) && (firings.empty() || firings.back() != at)) firings.push_back(at);
  }
  return firings;
}

void ExpectSameFirings(std::string_view text, const Predicate& matches, const Walk& walk,
                       std::mt19937_64& random) {
  const auto cron = Parsed(text);
  const auto expected = ReferenceFirings(walk, matches);
  // Of schedules that fire all the time, those around a change of the clock and a sample.
  const auto near_a_change = [&](Instant at) {
    return walk.zone.OffsetAt(at - days{1}) != walk.zone.OffsetAt(at + days{1});
  };
  auto at = walk.from;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto firing = expected[i];
    if (expected.size() < 20'000 || i % 50 == 0 || near_a_change(firing)) {
      const auto next = cron.NextAfter(at, walk.zone);
      ASSERT_TRUE(next == firing) << text << " fires at "
                                  << (next ? FormatRfc3339(*next) : "no time") << " instead of "
                                  << FormatRfc3339(firing) << " after " << FormatRfc3339(at)
                                  << " in " << walk.zone.name();
    }
    at = firing;
  }
  const auto beyond = cron.NextAfter(at, walk.zone);
  ASSERT_TRUE(!beyond || *beyond >= walk.to) << text;

  std::uniform_int_distribution<std::int64_t> any(walk.from.time_since_epoch().count(),
                                                  walk.to.time_since_epoch().count() - 1);
  for (int i = 0; i < 200; ++i) {
    const Instant probe{Duration{any(random)}};
    const auto firing = std::ranges::upper_bound(expected, probe);
    if (firing != expected.end()) {
      ASSERT_EQ(cron.NextAfter(probe, walk.zone), *firing) << text;
    }
  }
}

bool Workday(int weekday) { return weekday >= 1 && weekday <= 5; }

// The day of the week of another day of the same month.
int WeekdayOf(const Minute& m, int day) { return ((m.weekday + day - m.day) % 7 + 7) % 7; }

// By definition: of the workdays of the month, the one with the smallest distance.
bool IsNearestWorkday(const Minute& m, int wanted) {
  if (wanted > m.last_day || !Workday(m.weekday)) return false;
  for (int distance = 0;; ++distance) {
    for (const int day : {wanted - distance, wanted + distance}) {
      if (day < 1 || day > m.last_day || !Workday(WeekdayOf(m, day))) continue;
      return m.day == day;
    }
  }
}

bool IsNth(const Minute& m, int weekday, int nth) {
  int count = 0;
  for (int day = 1; day <= m.day; ++day) count += WeekdayOf(m, day) == weekday;
  return m.weekday == weekday && count == nth;
}

TEST(Cron, AgreesWithASlowReference) {
  const auto at = [](int hour, int minute) {
    return [=](const Minute& m) { return m.hour == hour && m.minute == minute; };
  };
  const auto midnight = at(0, 0);
  const std::pair<std::string_view, Predicate> cases[] = {
      {"* * * * *", [](const Minute&) { return true; }},
      {"*/15 * * * *", [](const Minute& m) { return m.minute % 15 == 0; }},
      {"5/15 * * * *", [](const Minute& m) { return m.minute % 15 == 5; }},
      {"10-50/10 * * * *",
       [](const Minute& m) { return m.minute % 10 == 0 && m.minute >= 10 && m.minute <= 50; }},
      {"0 * * * *", [](const Minute& m) { return m.minute == 0; }},
      {"30 2 * * *", at(2, 30)},
      {"15 2 * * ?", at(2, 15)},
      {"0 3 * * *", at(3, 0)},
      {"59 1 * * *", at(1, 59)},
      {"0 0 * * *", midnight},
      {"*/7 1-3 * * *",
       [](const Minute& m) { return m.minute % 7 == 0 && m.hour >= 1 && m.hour <= 3; }},
      {"0 22,23,0 * * *",
       [](const Minute& m) { return m.minute == 0 && (m.hour >= 22 || m.hour == 0); }},
      {"0 0 1 1 *", [=](const Minute& m) { return midnight(m) && m.day == 1 && m.month == 1; }},
      {"0 0 29 FEB *", [=](const Minute& m) { return midnight(m) && m.day == 29 && m.month == 2; }},
      {"0 0 31 * *", [=](const Minute& m) { return midnight(m) && m.day == 31; }},
      {"30 2 * jan-Mar,10 sun",
       [](const Minute& m) {
         return m.hour == 2 && m.minute == 30 && (m.month <= 3 || m.month == 10) && m.weekday == 0;
       }},
      {"0 0 13 * 5",
       [=](const Minute& m) { return midnight(m) && (m.day == 13 || m.weekday == 5); }},
      {"0 0 */2 * MON",
       [=](const Minute& m) { return midnight(m) && m.day % 2 == 1 && m.weekday == 1; }},
      {"0 0 * * 7", [=](const Minute& m) { return midnight(m) && m.weekday == 0; }},
      {"0 0 * * FRI-MON",
       [=](const Minute& m) { return midnight(m) && (m.weekday >= 5 || m.weekday <= 1); }},
      {"0 0 * * 5-7",
       [=](const Minute& m) { return midnight(m) && (m.weekday >= 5 || m.weekday == 0); }},
      {"0 0 * * 6-0",
       [=](const Minute& m) { return midnight(m) && (m.weekday == 6 || m.weekday == 0); }},
      {"0 0 * * 7-2", [=](const Minute& m) { return midnight(m) && m.weekday <= 2; }},
      {"0 0 * * FRI-TUE/2",
       [=](const Minute& m) {
         return midnight(m) && (m.weekday == 5 || m.weekday == 0 || m.weekday == 2);
       }},
      {"0 0 * * 1/2", [=](const Minute& m) { return midnight(m) && m.weekday % 2 == 1; }},
      {"0 0 ? * MON-FRI", [=](const Minute& m) { return midnight(m) && Workday(m.weekday); }},
      {"0 0 L * ?", [=](const Minute& m) { return midnight(m) && m.day == m.last_day; }},
      {"0 0 L-3 * ?", [=](const Minute& m) { return midnight(m) && m.day == m.last_day - 3; }},
      {"0 0 L-30 * ?", [=](const Minute& m) { return midnight(m) && m.day == m.last_day - 30; }},
      {"0 0 LW * ?",
       [=](const Minute& m) { return midnight(m) && IsNearestWorkday(m, m.last_day); }},
      {"0 0 15W * ?", [=](const Minute& m) { return midnight(m) && IsNearestWorkday(m, 15); }},
      {"0 0 1w * ?", [=](const Minute& m) { return midnight(m) && IsNearestWorkday(m, 1); }},
      {"0 0 31W * ?", [=](const Minute& m) { return midnight(m) && IsNearestWorkday(m, 31); }},
      {"0 0 30W,L,3 * ?",
       [=](const Minute& m) {
         return midnight(m) && (IsNearestWorkday(m, 30) || m.day == m.last_day || m.day == 3);
       }},
      {"0 0 ? * 5L",
       [=](const Minute& m) { return midnight(m) && m.weekday == 5 && m.day + 7 > m.last_day; }},
      {"0 0 ? * fril,SUNL",
       [=](const Minute& m) {
         return midnight(m) && (m.weekday == 5 || m.weekday == 0) && m.day + 7 > m.last_day;
       }},
      {"0 0 ? * MON#2", [=](const Minute& m) { return midnight(m) && IsNth(m, 1, 2); }},
      {"0 0 ? * 7#5,3#1",
       [=](const Minute& m) { return midnight(m) && (IsNth(m, 0, 5) || IsNth(m, 3, 1)); }},
      {"0 0 L * MON#1",
       [=](const Minute& m) { return midnight(m) && (m.day == m.last_day || IsNth(m, 1, 1)); }},
  };
  std::mt19937_64 random(1);
  for (const auto& [text, matches] : cases) {
    for (const auto& walk : Walks()) ExpectSameFirings(text, matches, walk, random);
  }
}

// A field of random form whose meaning is kept as the set of its values.
struct RandomField {
  std::string text;
  std::set<int> values;
  bool open = false;

  RandomField(int min, int max, std::mt19937_64& random) {
    const auto pick = [&](int from, int to) {
      return std::uniform_int_distribution<int>(from, to)(random);
    };
    const auto add = [&](int from, int to, int step) {
      for (int n = from; n <= to; n += step) values.insert(n);
    };
    const int form = pick(0, 6);
    if (form <= 1) {
      text = "*";
      open = true;
      add(min, max, 1);
      return;
    }
    if (form == 2) {
      const int step = pick(1, max - min);
      text = fmt::format("*/{}", step);
      open = true;
      add(min, max, step);
      return;
    }
    for (int entries = pick(1, 3); entries > 0; --entries) {
      if (!text.empty()) text += ',';
      const int from = pick(min, max);
      const int to = pick(from, max);
      const int step = pick(1, max - min);
      switch (pick(0, 3)) {
        case 0:
          text += fmt::format("{}", from);
          values.insert(from);
          break;
        case 1:
          text += fmt::format("{}-{}", from, to);
          add(from, to, 1);
          break;
        case 2:
          text += fmt::format("{}-{}/{}", from, to, step);
          add(from, to, step);
          break;
        default:
          text += fmt::format("{}/{}", from, step);
          add(from, max, step);
      }
    }
  }
};

TEST(Cron, AgreesWithASlowReferenceOnRandomExpressions) {
  std::mt19937_64 random(20261025);
  for (int i = 0; i < 60; ++i) {
    const RandomField minute(0, 59, random), hour(0, 23, random), day(1, 31, random),
        month(1, 12, random), weekday(0, 6, random);
    const auto text =
        fmt::format("{} {} {} {} {}", minute.text, hour.text, day.text, month.text, weekday.text);
    const bool either = !day.open && !weekday.open;
    const auto matches = [&](const Minute& m) {
      if (!minute.values.contains(m.minute) || !hour.values.contains(m.hour)) return false;
      const bool by_month = day.values.contains(m.day);
      const bool by_week = weekday.values.contains(m.weekday);
      return month.values.contains(m.month) && (either ? by_month || by_week : by_month && by_week);
    };
    ExpectSameFirings(text, matches, Walks()[static_cast<std::size_t>(i) % Walks().size()], random);
  }
}

TEST(Cron, MatchesExactlyTheTimesOnTheWallClockThatItFiresAt) {
  const auto cron = Parsed("*/10 5 1,L * MON");
  for (auto local = std::chrono::local_days{2026y / 1 / 1} + 0min;
       local < std::chrono::local_days{2026y / 6 / 1}; local += 1min) {
    const auto m = Describe(std::chrono::floor<minutes>(local));
    const bool expected =
        m.minute % 10 == 0 && m.hour == 5 && (m.day == 1 || m.day == m.last_day || m.weekday == 1);
    ASSERT_EQ(cron.Matches(local), expected);
  }
}

}  // namespace patra::cron_test
