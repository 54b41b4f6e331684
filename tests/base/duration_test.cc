#include "base/duration.h"

#include <random>

#include <gtest/gtest.h>

namespace patra::duration_test {

using namespace std::chrono_literals;
using std::chrono::days;
using std::chrono::weeks;

TEST(Duration, ReadsIso8601) {
  const std::pair<std::string_view, Duration> cases[] = {
      {"PT10M", 10min},
      {"P1DT2H", 26h},
      {"P2W", weeks{2}},
      {"P1W1D", days{8}},
      {"PT0.5S", 500ms},
      {"PT0,5S", 500ms},
      {"PT1.5H", 90min},
      {"P0.5D", 12h},
      {"PT0.0000019S", 1us},
      {"PT36H", 36h},
      {"PT0S", 0s},
      {"P0D", 0s},
      {"P1DT2H3M4.000005S", 26h + 3min + 4s + 5us},
      {"-PT1H", -1h},
      {"+PT1H", 1h},
      {"PT90M", 90min},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(ParseDuration(text), expected) << text;
}

TEST(Duration, ReadsShortForms) {
  const std::pair<std::string_view, Duration> cases[] = {
      {"30d", days{30}},
      {"10m", 10min},
      {"1h30m", 90min},
      {"1h 30m", 90min},
      {"250ms", 250ms},
      {"2w", weeks{2}},
      {"15us", 15us},
      {"15µs", 15us},
      {"1.5h", 90min},
      {"0", 0s},
      {"0s", 0s},
      {"-0", 0s},
      {"1w2d3h4m5s6ms7us", weeks{1} + days{2} + 3h + 4min + 5s + 6ms + 7us},
      {"-7d", -days{7}},
      {"+1h", 1h},
      {"0.1us", 0us},
      {"1s500ms", 1500ms},
      {"0.3333333333333333333s", 333333us},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(ParseDuration(text), expected) << text;
}

TEST(Duration, RefusesTheRestAndSaysWhere) {
  const std::pair<std::string_view, int> cases[] = {
      {"", 1},       {"P", 2},      {"PT", 3},    {"P1", 3},     {"P1H", 3},      {"PT1D", 4},
      {"PT1H1H", 6}, {"PT1M1H", 6}, {"P1DT", 5},  {"P1D1W", 5},  {"PT1.5H3M", 7}, {"PT.5S", 3},
      {"PT1.S", 5},  {"P-1D", 2},   {"PT1H ", 5}, {" PT1H", 1},  {"10", 3},       {"m", 1},
      {"10x", 3},    {"1m1h", 4},   {"1m1m", 4},  {"1h ", 4},    {"1h  ", 5},     {"1 h", 2},
      {"--1h", 2},   {"1,h", 3},    {"10min", 4}, {"1h-30m", 3}, {"ten", 1},      {"00", 3},
  };
  for (const auto& [text, column] : cases) {
    const auto result = ParseDuration(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().code, ErrorCode::kInvalidInput);
    EXPECT_EQ(result.error().place.column, column) << text;
    EXPECT_FALSE(result.error().hint.empty());
  }
}

TEST(Duration, RefusesYearsAndMonthsWithTheReason) {
  for (const auto* text : {"P1Y", "P1M", "P1Y2M3D", "1y", "3mo", "1M", "2months", "1Y"}) {
    const auto result = ParseDuration(text);
    ASSERT_FALSE(result) << text;
    EXPECT_EQ(result.error().hint,
              "years and months have no fixed length: write days, as 365d or P365D")
        << text;
  }
}

TEST(Duration, RefusesToOverflow) {
  EXPECT_EQ(ParseDuration("106751991d"), days{106'751'991});
  for (const auto* text : {"106751992d", "99999999999999999999s", "P9223372036854775807W",
                           "9223372036854775807us1", "106751991d99h"}) {
    EXPECT_FALSE(ParseDuration(text)) << text;
  }
  EXPECT_FALSE(ParseDuration(std::string(100'000, '9')));
}

TEST(Duration, PrintsTheCanonicalIsoForm) {
  const std::pair<Duration, std::string_view> cases[] = {
      {10min, "PT10M"}, {24h, "P1D"},           {26h, "P1DT2H"},      {weeks{2}, "P14D"},
      {0s, "PT0S"},     {500ms, "PT0.5S"},      {-90min, "-PT1H30M"}, {1us, "PT0.000001S"},
      {61s, "PT1M1S"},  {1s + 20ms, "PT1.02S"},
  };
  for (const auto& [duration, expected] : cases) EXPECT_EQ(FormatIsoDuration(duration), expected);
}

TEST(Duration, PrintsForPeople) {
  const std::pair<Duration, std::string_view> cases[] = {
      {90min, "1h 30m"}, {days{30}, "30d"}, {0s, "0s"},
      {250ms, "250ms"},  {-1h, "-1h"},      {26h + 1s + 2us, "1d 2h 1s 2us"},
  };
  for (const auto& [duration, expected] : cases) EXPECT_EQ(FormatDuration(duration), expected);
}

TEST(Duration, PrintsTheExtremes) {
  EXPECT_EQ(FormatIsoDuration(Duration::min()), "-P106751991DT4H54.775808S");
  EXPECT_EQ(FormatDuration(Duration::max()), "106751991d 4h 54s 775ms 807us");
}

TEST(Duration, ReadsBackWhatItPrints) {
  std::mt19937_64 random(8601);
  for (int i = 0; i < 50'000; ++i) {
    // Of all magnitudes: a random number of bits is kept.
    const auto magnitude = static_cast<std::int64_t>(random() >> (1 + random() % 63));
    const Duration duration{random() % 2 == 0 ? magnitude : -magnitude};
    ASSERT_EQ(ParseDuration(FormatIsoDuration(duration)), duration);
    ASSERT_EQ(ParseDuration(FormatDuration(duration)), duration);
  }
}

}  // namespace patra::duration_test
