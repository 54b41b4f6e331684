#include "app/work/stall.h"

#include <gtest/gtest.h>

namespace patra::app::stall_test {

using namespace std::chrono_literals;

TEST(Stall, IsEnoughAfterSoLongWithoutAPage) {
  Stall stall({.at_once = 5min});
  EXPECT_FALSE(stall.IsEnough(1h)) << "nothing is wrong";
  stall.MeetTrouble(1h, "BREAKER_OPEN");
  stall.MeetTrouble(1h + 4min, "BREAKER_OPEN");
  EXPECT_FALSE(stall.IsEnough(1h + 4min));
  EXPECT_TRUE(stall.IsEnough(1h + 5min));
  stall.Recover(1h + 4min);
  EXPECT_FALSE(stall.IsEnough(2h));
}

TEST(Stall, IsEnoughAfterSoLongInAll) {
  Stall stall({.in_all = 2min});
  for (int i = 0; i < 3; ++i) {
    stall.MeetTrouble(i * 1h, "COOL_DOWN");
    EXPECT_FALSE(stall.IsEnough(i * 1h + 30s)) << i;
    stall.Recover(i * 1h + 30s);
  }
  stall.MeetTrouble(5h, "the connection was refused");
  EXPECT_FALSE(stall.IsEnough(5h + 29s));
  EXPECT_TRUE(stall.IsEnough(5h + 30s));
  EXPECT_EQ(stall.InAll(5h + 30s), 2min);
  EXPECT_EQ(stall.what(), "the connection was refused");
}

TEST(Stall, WithoutBoundsIsNeverEnough) {
  Stall stall({});
  stall.MeetTrouble(0s, "BREAKER_OPEN");
  EXPECT_FALSE(stall.IsEnough(24h * 365));
}

TEST(Stall, CountsFromTheRequestThatFailedFirst) {
  Stall stall({.in_all = 10s});
  stall.MeetFailure(1h, "HTTP 503");
  stall.MeetFailure(1h + 2s, "HTTP 503");
  stall.MeetTrouble(1h + 9s, "HTTP 503");
  EXPECT_FALSE(stall.IsEnough(1h + 9s));
  EXPECT_TRUE(stall.IsEnough(1h + 10s));
}

TEST(Stall, WhatIsOvercomeByTryingAgainAtOnceIsNoWaiting) {
  Stall stall({.in_all = 10s});
  for (int i = 0; i < 100; ++i) {
    stall.MeetFailure(i * 1min, "HTTP 503");
    stall.Recover(i * 1min + 5s);
  }
  EXPECT_EQ(stall.InAll(2h), 0s);
}

TEST(Stall, AShutDoorIsExplainedByWhatWasSaidOfTheProviderBefore) {
  Stall stall({.in_all = 10s});
  stall.MeetShutDoor(0s, "COOL_DOWN");
  EXPECT_EQ(stall.what(), "COOL_DOWN");
  stall.MeetFailure(1s, "HTTP 503");
  stall.MeetShutDoor(2s, "BREAKER_OPEN");
  EXPECT_EQ(stall.what(), "HTTP 503");
  stall.Recover(3s);
  stall.MeetShutDoor(4s, "BREAKER_OPEN");
  EXPECT_EQ(stall.what(), "BREAKER_OPEN");
}

}  // namespace patra::app::stall_test
