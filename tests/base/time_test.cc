#include "base/time.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace patra::time_test {

using std::chrono::sys_days;
using namespace std::chrono_literals;

std::string Reprinted(std::string_view text) {
  const auto instant = ParseRfc3339(text);
  return instant ? FormatRfc3339(*instant) : "error: " + instant.error().message;
}

TEST(Rfc3339, ReadsWhatTheStandardAllowsAndPrintsTheShortForm) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2026-03-29T01:00:00Z", "2026-03-29T01:00:00Z"},
      {"2026-03-29t01:00:00z", "2026-03-29T01:00:00Z"},
      {"2026-03-29T01:00:00-00:00", "2026-03-29T01:00:00Z"},
      {"2026-03-29T03:00:00+02:00", "2026-03-29T01:00:00Z"},
      {"2026-03-28T19:45:00-05:15", "2026-03-29T01:00:00Z"},
      {"2026-03-29T23:30:00-23:59", "2026-03-30T23:29:00Z"},
      {"2026-03-29T01:00:00.5Z", "2026-03-29T01:00:00.5Z"},
      {"2026-03-29T01:00:00.120Z", "2026-03-29T01:00:00.12Z"},
      {"2026-03-29T01:00:00.000001Z", "2026-03-29T01:00:00.000001Z"},
      {"2026-03-29T01:00:00.123456789Z", "2026-03-29T01:00:00.123456Z"},
      {"2026-03-29T01:00:00.9999999999999Z", "2026-03-29T01:00:00.999999Z"},
      {"1969-12-31T23:59:59.9999999Z", "1969-12-31T23:59:59.999999Z"},
      {"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
      {"9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z"},
      {"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
      {"2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Reprinted(text), expected) << text;
}

TEST(Rfc3339, ReadsALeapSecondAsTheMidnightAfterIt) {
  EXPECT_EQ(Reprinted("2016-12-31T23:59:60Z"), "2017-01-01T00:00:00Z");
  EXPECT_EQ(Reprinted("2016-12-31T23:59:60.75Z"), "2017-01-01T00:00:00Z");
  EXPECT_EQ(Reprinted("1990-12-31T15:59:60-08:00"), "1991-01-01T00:00:00Z");
  EXPECT_FALSE(ParseRfc3339("2016-12-30T23:59:60Z"));
  EXPECT_FALSE(ParseRfc3339("2016-12-31T22:59:60Z"));
  EXPECT_FALSE(ParseRfc3339("2016-12-31T23:59:60+01:00"));
  EXPECT_FALSE(ParseRfc3339("2016-12-31T23:59:61Z"));
  EXPECT_FALSE(ParseRfc3339("9999-12-31T23:59:60Z"));
}

TEST(Rfc3339, RefusesEverythingElseAndSaysWhere) {
  const std::pair<std::string_view, int> cases[] = {
      {"", 1},
      {"26-03-29T01:00:00Z", 1},
      {"2026-3-29T01:00:00Z", 6},
      {"2026-03-29", 11},
      {"2026-03-29 01:00:00Z", 11},
      {"2026-03-29T01:00Z", 17},
      {"2026-03-29T01:00:00", 20},
      {"2026-03-29T01:00:00.Z", 21},
      {"2026-03-29T01:00:00,5Z", 20},
      {"2026-03-29T01:00:00+0200", 23},
      {"2026-03-29T01:00:00+02", 23},
      {"2026-03-29T01:00:00+24:00", 26},
      {"2026-03-29T01:00:00Z ", 21},
      {" 2026-03-29T01:00:00Z", 1},
      {"+2026-03-29T01:00:00Z", 1},
      {std::string_view("2026-03-29T01:00:00Z\0", 21), 21},
      {std::string_view("2026\0", 5), 5},
  };
  for (const auto& [text, column] : cases) {
    const auto result = ParseRfc3339(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(result.error().place.column, column) << text;
    EXPECT_FALSE(result.error().hint.empty());
  }
}

TEST(Rfc3339, RefusesFieldsThatNoCalendarHas) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2026-00-01T00:00:00Z", "the month is 0, not 1 to 12"},
      {"2026-13-01T00:00:00Z", "the month is 13, not 1 to 12"},
      {"2026-04-31T00:00:00Z", "the day is 31, but 2026-04 has 30 days"},
      {"2026-02-29T00:00:00Z", "the day is 29, but 2026-02 has 28 days"},
      {"1900-02-29T00:00:00Z", "the day is 29, but 1900-02 has 28 days"},
      {"2026-03-00T00:00:00Z", "the day is 0, but 2026-03 has 31 days"},
      {"2026-03-01T24:00:00Z", "the hour is 24, not 0 to 23"},
      {"2026-03-01T23:60:00Z", "the minute is 60, not 0 to 59"},
      {"0000-03-01T00:00:00Z", "the year is 0, not 1 to 9999"},
      {"0001-01-01T00:00:00+00:01", "in UTC it is outside the years 0001 to 9999"},
      {"9999-12-31T23:59:59-00:01", "in UTC it is outside the years 0001 to 9999"},
  };
  for (const auto& [text, why] : cases) {
    EXPECT_EQ(Reprinted(text), fmt::format("error: '{}' is no RFC 3339 time: {}", text, why));
  }
}

TEST(Rfc3339, PrintsSixDigitsAlwaysWhereTextsMustSort) {
  EXPECT_EQ(FormatRfc3339Micros(sys_days{2026y / 3 / 29} + 1h), "2026-03-29T01:00:00.000000Z");
  EXPECT_EQ(FormatRfc3339Micros(Instant{-1us}), "1969-12-31T23:59:59.999999Z");
}

TEST(Rfc3339, PrintsMomentsOutsideTheCalendarAsTheirCountSoThatNobodyReadsThemBack) {
  EXPECT_EQ(FormatRfc3339(kInstantMax + 1us), "253402300800000000us");
  EXPECT_EQ(FormatRfc3339Micros(kInstantMin - 1us), "-62135596800000001us");
  EXPECT_EQ(FormatRfc3339(Instant::max()), "9223372036854775807us");
}

TEST(Rfc3339, ReadsBackWhatItPrints) {
  std::mt19937_64 random(20260329);
  std::uniform_int_distribution<std::int64_t> any(kInstantMin.time_since_epoch().count(),
                                                  kInstantMax.time_since_epoch().count());
  for (int i = 0; i < 50'000; ++i) {
    const Instant instant{Duration{any(random)}};
    ASSERT_EQ(ParseRfc3339(FormatRfc3339(instant)), instant);
    ASSERT_EQ(ParseRfc3339(FormatRfc3339Micros(instant)), instant);
  }
}

TEST(Epoch, ReadsSecondsAndMillisecondsWithFractions) {
  const Instant moment = sys_days{2026y / 3 / 29} + 1h;
  EXPECT_EQ(ParseEpochSeconds("1774746000"), moment);
  EXPECT_EQ(ParseEpochSeconds("+1774746000.0000019"), moment + 1us);
  EXPECT_EQ(ParseEpochMillis("1774746000000"), moment);
  EXPECT_EQ(ParseEpochMillis("1774746000000.0019"), moment + 1us);
  EXPECT_EQ(ParseEpochMillis("1.5"), Instant{1500us});
  EXPECT_EQ(ParseEpochSeconds("-1.25"), Instant{-1'250'000us});
  EXPECT_EQ(ParseEpochSeconds("-0"), Instant{});
  EXPECT_EQ(ParseEpochSeconds("-62135596800"), kInstantMin);
  EXPECT_EQ(ParseEpochSeconds("253402300799.999999"), kInstantMax);
}

TEST(Epoch, RefusesWhatIsNoPlainNumberOrLeavesTheCalendar) {
  for (const auto* text :
       {"", "-", "+", ".5", "1.", "1e3", "0x1", " 1", "1 ", "1,5", "--1", "now", "1774746000000",
        "253402300800", "-62135596800.000001", "99999999999999999999999999"}) {
    const auto result = ParseEpochSeconds(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
    EXPECT_FALSE(result.error().hint.empty());
  }
}

TEST(Epoch, RoundsDownSoThatAMomentIsNeverInTheFuture) {
  EXPECT_EQ(EpochSeconds(Instant{1'999'999us}), 1);
  EXPECT_EQ(EpochSeconds(Instant{-1us}), -1);
  EXPECT_EQ(EpochMillis(Instant{-1us}), -1);
}

TEST(Instant, AddRefusesToLeaveTheCalendar) {
  EXPECT_EQ(Add(Instant{}, 1s), Instant{1s});
  EXPECT_FALSE(Add(kInstantMax, 1us));
  EXPECT_FALSE(Add(kInstantMin, -1us));
  EXPECT_FALSE(Add(kInstantMax, Duration::max()));
  EXPECT_FALSE(Add(kInstantMin, Duration::min()));
}

}  // namespace patra::time_test
