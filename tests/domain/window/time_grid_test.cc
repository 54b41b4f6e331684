#include "domain/window/time_grid.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace patra::domain::time_grid_test {

using namespace std::chrono_literals;

Instant At(std::string_view text) { return *ParseRfc3339(text); }

TEST(TimeGrid, DaysOfAZoneStartAtItsMidnight) {
  const TimeGrid days(24h, *TimeZone::Find("America/New_York"));
  EXPECT_EQ(days.Floor(At("2026-01-15T03:00:00Z")), At("2026-01-14T05:00:00Z"));
  EXPECT_EQ(days.After(At("2026-01-15T05:00:00Z")), At("2026-01-16T05:00:00Z"));
  EXPECT_EQ(days.Ceil(At("2026-01-15T05:00:00Z")), At("2026-01-15T05:00:00Z"));
}

TEST(TimeGrid, DaysOnWhichClocksChangeHave23And25Hours) {
  const TimeGrid days(24h, *TimeZone::Find("Europe/Berlin"));
  const auto spring = At("2026-03-28T23:00:00Z");
  EXPECT_EQ(days.Floor(spring), spring);
  EXPECT_EQ(days.After(spring) - spring, 23h);
  const auto autumn = At("2026-10-24T22:00:00Z");
  EXPECT_EQ(days.Floor(autumn), autumn);
  EXPECT_EQ(days.After(autumn) - autumn, 25h);
}

TEST(TimeGrid, IsMonotoneAndConsistentInEveryZone) {
  SeededRandom random(11);
  for (const auto* name : {"UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata",
                           "Australia/Lord_Howe", "Asia/Shanghai", "America/Sao_Paulo"}) {
    const auto zone = *TimeZone::Find(name);
    for (const auto step : {Duration(24h), Duration(1h), Duration(1min)}) {
      const TimeGrid grid(step, zone);
      for (int round = 0; round < 400; ++round) {
        const Instant moment(Duration(random.Between(946'684'800, 1'893'456'000) * 1'000'000));
        ASSERT_LE(grid.Floor(moment), moment) << name;
        ASSERT_GT(grid.After(moment), moment) << name;
        ASSERT_GE(grid.Ceil(moment), moment) << name;
        ASSERT_LE(moment - grid.Floor(moment), step + 2h) << name;
      }
    }
  }
}

}  // namespace patra::domain::time_grid_test
