#include "domain/plan/unfinished_slice.h"

#include <gtest/gtest.h>

namespace patra::domain {
namespace {

UnfinishedSlice Of(Id plan, Id slice, int from, int to, std::int64_t tries = 0) {
  const auto at = [](int hour) { return Instant(std::chrono::hours(hour)); };
  return {.plan = plan,
          .slice = slice,
          .task = slice,
          .window = *Window::Between(at(from), at(to)),
          .fingerprint = "f",
          .tries = tries};
}

TEST(TriesAgainTest, TheNewestPlanStandsForAllThatFailedAtTheStretch) {
  const auto chosen = ChooseTriesAgain({Of(1, 11, 0, 2), Of(2, 21, 0, 2, 3)}, "f", 3);
  EXPECT_TRUE(chosen.again.empty()) << "an older plan does not start the count anew";
  ASSERT_EQ(chosen.given_up.size(), 1u);
  EXPECT_EQ(chosen.given_up[0].slice, 21);
}

TEST(TriesAgainTest, SlicesOfOnePlanThatShareAWindowAreAllTried) {
  EXPECT_EQ(ChooseTriesAgain({Of(1, 11, 0, 2), Of(1, 12, 0, 2)}, "f", 3).again.size(), 2u);
}

TEST(TriesAgainTest, WhatOnlyAnOlderPlanReachesIsTried) {
  EXPECT_EQ(ChooseTriesAgain({Of(1, 11, 0, 3), Of(2, 21, 0, 2)}, "f", 3).again.size(), 2u);
}

TEST(TriesAgainTest, NothingOfAnotherDefinitionIsTried) {
  const auto chosen = ChooseTriesAgain({Of(1, 11, 0, 2, 5)}, "other", 3);
  EXPECT_TRUE(chosen.again.empty());
  EXPECT_TRUE(chosen.given_up.empty());
}

}  // namespace
}  // namespace patra::domain
