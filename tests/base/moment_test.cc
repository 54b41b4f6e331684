#include "base/moment.h"

#include <gtest/gtest.h>

namespace patra::moment_test {

const Instant kNow = ParseRfc3339("2026-03-29T12:00:00.5Z").value();

std::string Read(std::string_view text, TimeZone zone = TimeZone::Utc()) {
  const auto instant = ParseMoment(text, kNow, zone);
  return instant ? FormatRfc3339(*instant) : "error: " + instant.error().Describe();
}

TEST(Moment, ReadsWhatPeopleType) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"2026-03-01T10:00:00+02:00", "2026-03-01T08:00:00Z"},
      {"2026-03-01T10:00:00.25Z", "2026-03-01T10:00:00.25Z"},
      {"2026-03-01", "2026-03-01T00:00:00Z"},
      {"2026-03", "2026-03-01T00:00:00Z"},
      {"2026", "2026-01-01T00:00:00Z"},
      {"2026-03-01T10:00", "2026-03-01T10:00:00Z"},
      {"2026-03-01 10:00:05.5", "2026-03-01T10:00:05.5Z"},
      {"now", "2026-03-29T12:00:00.5Z"},
      {" now ", "2026-03-29T12:00:00.5Z"},
      {"-7d", "2026-03-22T12:00:00.5Z"},
      {"+PT1H", "2026-03-29T13:00:00.5Z"},
      {"now-1h30m", "2026-03-29T10:30:00.5Z"},
      {"now+P1D", "2026-03-30T12:00:00.5Z"},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(Read(text), expected) << text;
}

TEST(Moment, ReadsDatesOnTheWallClockOfTheZone) {
  const auto berlin = TimeZone::Find("Europe/Berlin").value();
  EXPECT_EQ(Read("2026-07-01", berlin), "2026-06-30T22:00:00Z");
  EXPECT_EQ(Read("2026", berlin), "2025-12-31T23:00:00Z");
  EXPECT_EQ(Read("2026-07-01T12:00", berlin), "2026-07-01T10:00:00Z");
  EXPECT_EQ(Read("2026-07-01T12:00:00Z", berlin), "2026-07-01T12:00:00Z");
  EXPECT_EQ(Read("-1d", berlin), "2026-03-28T12:00:00.5Z");
}

TEST(Moment, RefusesTheRestWithAHint) {
  for (const auto* text : {"",
                           "yesterday",
                           "7d",
                           "-7",
                           "now-",
                           "nowish",
                           "now 7d",
                           "2026-3-1",
                           "2026-02-30",
                           "2026-13",
                           "20260301",
                           "1774746000",
                           "26",
                           "2026-03-01T",
                           "2026-03-01T10",
                           "2026-03-01x",
                           "2026-03-01T10:00Z",
                           "2026-03-01T25:00",
                           "+P1Y",
                           "-9999999d",
                           "0000",
                           "2026-03-01T10:00:00."}) {
    const auto result = ParseMoment(text, kNow);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
  }
  EXPECT_EQ(ParseMoment("now-7x", kNow).error().place.column, 6);
  EXPECT_EQ(ParseMoment("1774746000", kNow).error().message,
            "'1774746000' is no moment: a number of seconds or milliseconds is ambiguous here");
}

}  // namespace patra::moment_test
