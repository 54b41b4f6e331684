#include "base/date_pattern.h"

#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/http_date.h"

namespace patra::date_pattern_test {

using namespace std::chrono_literals;

const Instant kNow = ParseRfc3339("2026-03-29T12:00:00Z").value();

DatePattern Pattern(std::string_view text) {
  auto pattern = DatePattern::Compile(text);
  EXPECT_TRUE(pattern) << text << ": " << pattern.error().Describe();
  return pattern ? *std::move(pattern) : DatePattern::Compile("yyyy").value();
}

// The moment in RFC 3339, or why not.
std::string Read(std::string_view pattern, std::string_view text, TimeZone zone = TimeZone::Utc()) {
  const auto instant = Pattern(pattern).Parse(text, kNow, zone);
  return instant ? FormatRfc3339(*instant) : instant.error().message;
}

std::string Written(std::string_view pattern, std::string_view moment,
                    TimeZone zone = TimeZone::Utc()) {
  return Pattern(pattern).Format(ParseRfc3339(moment).value(), zone);
}

TEST(DatePattern, WritesWhatProvidersExpect) {
  const auto* moment = "2026-03-09T13:04:05.678901Z";
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"yyyy/MM/dd", "2026/03/09"},
      {"yyyyMMdd", "20260309"},
      {"yyyyMMddHHmm", "202603091304"},
      {"yyyy-MM-dd'T'HH:mm:ss.SSSX", "2026-03-09T13:04:05.678Z"},
      {"EEE, dd MMM yyyy HH:mm:ss z", "Mon, 09 Mar 2026 13:04:05 GMT"},
      {"yyyy MMM dd", "2026 Mar 09"},
      {"d MMMM yyyy", "9 March 2026"},
      {"EEEE d/M/yy", "Monday 9/3/26"},
      {"h:mm a", "1:04 PM"},
      {"hh", "01"},
      {"H m s", "13 4 5"},
      {"S", "6"},
      {"SSSSSSSSS", "678901000"},
      {"n", "678901000"},
      {"xxx Z XXX", "+00:00 +0000 Z"},
      {"'o''clock'", "o'clock"},
      {"HH 'Uhr', ''yy", "13 Uhr, '26"},
      {"yyyy[-MM]", "2026"},
      {"iso_instant", "2026-03-09T13:04:05.678901Z"},
      {"iso_seconds", "2026-03-09T13:04:05"},
      {"iso_date", "2026-03-09"},
      {"epoch_s", "1773061445"},
      {"epoch_ms", "1773061445678"},
      {"rfc1123", "Mon, 09 Mar 2026 13:04:05 GMT"},
      {"yyyy年MM月dd日", "2026年03月09日"},
  };
  for (const auto& [pattern, expected] : cases) EXPECT_EQ(Written(pattern, moment), expected);
}

TEST(DatePattern, WritesInAZone) {
  const auto kathmandu = TimeZone::Find("Asia/Kathmandu").value();
  const auto new_york = TimeZone::Find("America/New_York").value();
  EXPECT_EQ(Written("yyyy-MM-dd HH:mm:ss X XX XXX z", "2026-03-29T20:00:00Z", kathmandu),
            "2026-03-30 01:45:00 +0545 +0545 +05:45 +0545");
  EXPECT_EQ(Written("iso_date", "2026-03-29T03:00:00Z", new_york), "2026-03-28");
  EXPECT_EQ(Written("HH:mm X", "2026-03-29T03:00:00Z", new_york), "23:00 -04");
  EXPECT_EQ(Written("hh a", "2026-03-29T04:00:00Z", new_york), "12 AM");
  EXPECT_EQ(Written("iso_instant", "2026-03-29T03:00:00Z", new_york), "2026-03-29T03:00:00Z");
}

TEST(DatePattern, ReadsWhatProvidersSend) {
  struct Case {
    std::string_view pattern, text, expected;
  };
  const Case cases[] = {
      {"yyyy/MM/dd", "2026/03/09", "2026-03-09T00:00:00Z"},
      {"yyyyMMdd", "20260309", "2026-03-09T00:00:00Z"},
      {"yyyyMMddHHmmssSSS", "20260309130405678", "2026-03-09T13:04:05.678Z"},
      {"yyyy-MM-dd'T'HH:mm:ss.SSSX", "2026-03-09T13:04:05.678Z", "2026-03-09T13:04:05.678Z"},
      {"yyyy-MM-dd'T'HH:mm:ss.SSSX", "2026-03-09T13:04:05.6789019+02:00",
       "2026-03-09T11:04:05.678901Z"},
      {"yyyy-MM-dd'T'HH:mm:ssXXX", "2026-03-09T13:04:05-0330", "2026-03-09T16:34:05Z"},
      {"EEE, dd MMM yyyy HH:mm:ss z", "mon, 09 MAR 2026 13:04:05 GMT", "2026-03-09T13:04:05Z"},
      {"EEE, dd MMM yyyy HH:mm:ss z", "Mon, 09 March 2026 13:04:05 +0100", "2026-03-09T12:04:05Z"},
      {"EEE, dd MMM yyyy HH:mm:ss z", "Monday, 09 Mar 2026 13:04:05 EST", "2026-03-09T18:04:05Z"},
      {"yyyy MMM dd", "2026 Mar 09", "2026-03-09T00:00:00Z"},
      {"dd MMM yyyy", "09 Sept 2026", "2026-09-09T00:00:00Z"},
      {"d MMM yyyy", "9 Mar 2026", "2026-03-09T00:00:00Z"},
      {"d/M/yy", "9/3/76", "2076-03-09T00:00:00Z"},
      {"d/M/yy", "9/3/77", "1977-03-09T00:00:00Z"},
      {"yyyy", "2026", "2026-01-01T00:00:00Z"},
      {"MMM yyyy", "May 2026", "2026-05-01T00:00:00Z"},
      {"y", "26", "0026-01-01T00:00:00Z"},
      {"yyyy-MM-dd hh:mm a", "2026-03-09 12:30 am", "2026-03-09T00:30:00Z"},
      {"yyyy-MM-dd hh:mm a", "2026-03-09 12:30 PM", "2026-03-09T12:30:00Z"},
      {"yyyy-MM-dd[ HH[:mm]]", "2026-03-09", "2026-03-09T00:00:00Z"},
      {"yyyy-MM-dd[ HH[:mm]]", "2026-03-09 13", "2026-03-09T13:00:00Z"},
      {"yyyy-MM-dd[ HH[:mm]]", "2026-03-09 13:04", "2026-03-09T13:04:00Z"},
      {"yyyy n", "2026 1999", "2026-01-01T00:00:00.000001Z"},
      {"yyyy [MMM][MM]", "2026 03", "2026-03-01T00:00:00Z"},
      {"iso_instant", "2026-03-09T13:04:05+01:00", "2026-03-09T12:04:05Z"},
      {"iso_seconds", "2026-03-09T13:04:05", "2026-03-09T13:04:05Z"},
      {"iso_seconds", "2026-03-09T13:04:05.678901", "2026-03-09T13:04:05.678901Z"},
      {"iso_seconds", "2026-03-09T13:04:05.5+01:00", "2026-03-09T12:04:05.5Z"},
      {"iso_date", "2026-03-09", "2026-03-09T00:00:00Z"},
      {"epoch_s", "1773061445.5", "2026-03-09T13:04:05.5Z"},
      {"epoch_ms", "1773061445678", "2026-03-09T13:04:05.678Z"},
      {"rfc1123", "Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"},
      {"yyyy-MM-dd'T'HH:mm:ssX", "2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"},
      {"iso_seconds", "2016-12-31T23:59:60", "2017-01-01T00:00:00Z"},
  };
  for (const auto& [pattern, text, expected] : cases) {
    EXPECT_EQ(Read(pattern, text), expected) << pattern;
  }
}

TEST(DatePattern, ReadsTheWallClockOfAZoneUnlessTheTextNamesAnOffset) {
  const auto berlin = TimeZone::Find("Europe/Berlin").value();
  EXPECT_EQ(Read("iso_seconds", "2026-07-01T12:00:00", berlin), "2026-07-01T10:00:00Z");
  EXPECT_EQ(Read("iso_seconds", "2026-07-01T12:00:00Z", berlin), "2026-07-01T12:00:00Z");
  EXPECT_EQ(Read("iso_seconds", "2026-03-29T02:30:00", berlin), "2026-03-29T01:00:00Z");
  EXPECT_EQ(Read("iso_seconds", "2026-10-25T02:30:00", berlin), "2026-10-25T00:30:00Z");
  EXPECT_EQ(Read("iso_date", "2026-07-01", berlin), "2026-06-30T22:00:00Z");
}

TEST(DatePattern, RefusesTextsThatDoNotFitAndSaysWhere) {
  struct Case {
    std::string_view pattern, text;
    int column;
    std::string_view why;
  };
  const Case cases[] = {
      {"yyyy/MM/dd", "2026-03-09", 5, "expected '/'"},
      {"yyyy/MM/dd", "2026/3/09", 6, "expected a month of two digits"},
      {"yyyy/MM/dd", "2026/03/09 ", 11, "expected the end"},
      {"yyyy/MM/dd", "", 1, "expected a year of 4 digits"},
      {"yyyy/MM/dd", "2026/02/29", 1, "the day is 29, but 2026-02 has 28 days"},
      {"dd MMM yyyy", "09 Mär 2026", 4, "expected the name of a month"},
      {"EEE yyyy-MM-dd", "Tue 2026-03-09", 1, "it says Tuesday, but that day is a Monday"},
      {"yyyy hh", "2026 11", 1, "an hour of 12 (h) needs AM or PM (a)"},
      {"yyyy hh a", "2026 13 AM", 1, "the hour is 13, not 1 to 12"},
      {"yyyy z", "2026 CET", 6, "expected GMT, UTC or an offset"},
      {"yyyy X", "2026 +24", 9, "expected hours of an offset"},
      {"yyyy X", "2026 +02:", 10, "expected minutes of an offset"},
      {"MM-dd", "03-09", 1, "the pattern has no year"},
      {"yyyy dd", "2026 09", 1, "the pattern has a day but no month"},
      {"yyyy-MM-dd[ HH:mm]", "2026-03-09 13", 14, "expected ':'"},
      {"yyyy yyyy", "2026 2027", 10, "expected the same as before"},
      {"yyyy HH hh a", "2026 13 02 PM", 1, "its two hours differ"},
  };
  for (const auto& [pattern, text, column, why] : cases) {
    const auto result = Pattern(pattern).Parse(text, kNow);
    ASSERT_FALSE(result) << pattern << " read " << text;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
    EXPECT_TRUE(result.error().message.ends_with(why)) << result.error().message;
    EXPECT_EQ(result.error().place.column, column) << text;
  }
}

TEST(DatePattern, RefusesPatternsWithoutMeaning) {
  struct Case {
    std::string_view pattern;
    int column;
    std::string_view hint;
  };
  const Case cases[] = {
      {"", 1, "write it as yyyy-MM-dd"},
      {"YYYY-MM-dd", 1, "the calendar year is yyyy"},
      {"yyyy-MM-DD", 9, "the day of the month is dd"},
      {"yyyy-MM-ddTHH", 11, "put plain text into quotes, as 'T'"},
      {"yyy", 1, "write it 1 or 2 or 4 times"},
      {"MMMMM", 1, "write it 1 or 2 or 3 or 4 times"},
      {"SSSSSSSSSS", 1, "write it 1 to 9 times"},
      {"yyyy'T", 5, "a single quote itself is written ''"},
      {"yyyy[MM", 8, "close every '['"},
      {"yyyy]", 5, "quote it if it is plain text"},
      {"[[[[[yyyy]]]]]", 5, "write fewer"},
      {"iso_second", 1, "did you mean 'iso_seconds'?"},
      {"iso-date", 1, "did you mean 'iso_date'?"},
      {"epoch", 1, "the name of the day is EEE"},
  };
  for (const auto& [pattern, column, hint] : cases) {
    const auto result = DatePattern::Compile(pattern);
    ASSERT_FALSE(result) << pattern;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(result.error().place.column, column) << pattern;
    EXPECT_EQ(result.error().hint, hint) << pattern;
  }
  EXPECT_EQ(DatePattern::Compile(std::string(201, 'y')).error().code, ErrorCode::kLimit);
}

TEST(DatePattern, ReadsBackWhatItWrites) {
  const auto lord_howe = TimeZone::Find("Australia/Lord_Howe").value();
  const std::string_view complete[] = {"yyyy-MM-dd'T'HH:mm:ss.SSSSSSX",
                                       "EEEE d MMMM yyyy h:mm:ss a n xxx", "yyyyMMddHHmmssSSSSSSZ",
                                       "dd/MM/yyyy H.m.s.SSSSSSSSS z", "iso_instant"};
  std::mt19937_64 random(9110);
  std::uniform_int_distribution<std::int64_t> micros(0, 4'000'000'000'000'000);
  for (const auto text : complete) {
    const auto pattern = Pattern(text);
    for (int i = 0; i < 5'000; ++i) {
      const Instant instant{Duration{micros(random)}};
      for (const auto& zone : {TimeZone::Utc(), lord_howe}) {
        const auto written = pattern.Format(instant, zone);
        ASSERT_EQ(pattern.Parse(written, kNow), instant) << text << " wrote " << written;
      }
    }
  }
}

TEST(HttpDate, ReadsAllThreeForms) {
  const auto moment = ParseRfc3339("1994-11-06T08:49:37Z").value();
  for (const auto* text : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                           "Sun Nov  6 08:49:37 1994", "sun, 6 nov 1994 08:49:37 gmt",
                           "  Sun, 06 Nov 1994 08:49:37 UTC ", "Sun, 06 Nov 1994 08:49:37 +0000",
                           "Mon, 06 Nov 1994 08:49:37 GMT"}) {
    EXPECT_EQ(ParseHttpDate(text, kNow), moment) << text;
  }
  EXPECT_EQ(ParseHttpDate("Sun Nov 16 08:49:37 1994", kNow), moment + 240h);
}

TEST(HttpDate, TakesATwoDigitYearForTheOneAtMostFiftyYearsAhead) {
  EXPECT_EQ(YearOfTwoDigits(26, kNow), 2026);
  EXPECT_EQ(YearOfTwoDigits(76, kNow), 2076);
  EXPECT_EQ(YearOfTwoDigits(77, kNow), 1977);
  EXPECT_EQ(YearOfTwoDigits(0, kNow), 2000);
  EXPECT_EQ(YearOfTwoDigits(99, kNow), 1999);
  const auto later = ParseRfc3339("2077-01-01T00:00:00Z").value();
  EXPECT_EQ(YearOfTwoDigits(26, later), 2126);
  EXPECT_EQ(YearOfTwoDigits(28, later), 2028);
}

TEST(HttpDate, RefusesTheRest) {
  for (const auto* text :
       {"", "120", "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Xun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun", "Sun,",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT x"}) {
    const auto result = ParseHttpDate(text, kNow);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
    EXPECT_GT(result.error().place.column, 0);
  }
}

TEST(HttpDate, WritesTheFormOfToday) {
  EXPECT_EQ(FormatHttpDate(ParseRfc3339("1994-11-06T08:49:37.9Z").value()),
            "Sun, 06 Nov 1994 08:49:37 GMT");
}

}  // namespace patra::date_pattern_test
