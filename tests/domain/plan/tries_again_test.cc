#include "domain/plan/tries_again.h"

#include <gtest/gtest.h>

namespace patra::domain::tries_again_test {

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
  const auto chosen = ChooseTriesAgain({Of(1, 11, 0, 2), Of(2, 21, 0, 2, 3)}, "f", {3, {}});
  EXPECT_TRUE(chosen.again.empty()) << "an older plan does not start the count anew";
  ASSERT_EQ(chosen.given_up.size(), 1u);
  EXPECT_EQ(chosen.given_up[0].slice, 21);
}

TEST(TriesAgainTest, SlicesOfOnePlanThatShareAWindowAreAllTried) {
  EXPECT_EQ(ChooseTriesAgain({Of(1, 11, 0, 2), Of(1, 12, 0, 2)}, "f", {3, {}}).again.size(), 2u);
}

TEST(TriesAgainTest, WhatOnlyAnOlderPlanReachesIsTried) {
  EXPECT_EQ(ChooseTriesAgain({Of(1, 11, 0, 3), Of(2, 21, 0, 2)}, "f", {3, {}}).again.size(), 2u);
}

TEST(TriesAgainTest, NothingOfAnotherDefinitionIsTried) {
  const auto chosen = ChooseTriesAgain({Of(1, 11, 0, 2, 5)}, "other", {3, {}});
  EXPECT_TRUE(chosen.again.empty());
  EXPECT_TRUE(chosen.given_up.empty());
}

TEST(TriesAgainTest, WhatWasOnlyReadTooEarlyIsNeverGivenUp) {
  const auto failed = Of(1, 1, 0, 2, 3);
  auto early = Of(1, 2, 2, 4, 3);
  early.provable_to = early.window.from();
  const auto split = SplitByTries({failed, early}, {3, {}});
  ASSERT_EQ(split.again.size(), 1u);
  EXPECT_EQ(split.again[0].slice, 2);
  ASSERT_EQ(split.given_up.size(), 1u);
  EXPECT_EQ(split.given_up[0].slice, 1);
}

TEST(TriesAgainTest, WhatFailsIsGivenUpAlsoWhereItReachedTooFar) {
  auto failed = Of(1, 1, 0, 2, 3);
  failed.provable_to = failed.window.from();
  failed.has_failed = true;
  EXPECT_EQ(SplitByTries({failed}, {3, {}}).given_up.size(), 1u);
}

TEST(TriesAgainTest, WhatWasGivenUpIsTriedOnceMoreADayLater) {
  auto failed = Of(1, 1, 0, 2, 3);
  failed.has_failed = true;
  failed.ended_at = Instant(std::chrono::hours(100));
  const auto at = [&](int hour) { return TryLimit{3, Instant(std::chrono::hours(hour))}; };
  EXPECT_EQ(SplitByTries({failed}, at(123)).given_up.size(), 1u);
  EXPECT_EQ(SplitByTries({failed}, at(124)).again.size(), 1u);
}

TEST(WithoutEarlyTest, WhatTheProviderCannotHaveYetIsNotMissing) {
  auto early = Of(1, 1, 2, 6);
  early.provable_to = early.window.from() + (early.window.width() / 2);
  const auto tail = *Window::Between(*early.provable_to, early.window.to());
  const auto due = WithoutEarly({tail}, {early});
  EXPECT_TRUE(due.stretches.empty());
  EXPECT_EQ(due.not_before, *early.provable_to);

  // It failed besides: what comes before the provider's now should be there.
  const auto failed = WithoutEarly({early.window}, {early});
  ASSERT_EQ(failed.stretches.size(), 1u);
  EXPECT_EQ(failed.stretches[0], *Window::Between(early.window.from(), *early.provable_to));
  EXPECT_EQ(failed.not_before, *early.provable_to);

  const auto plain = WithoutEarly({early.window}, {Of(1, 1, 2, 6)});
  EXPECT_EQ(plain.stretches.size(), 1u);
  EXPECT_FALSE(plain.not_before);
}

}  // namespace patra::domain::tries_again_test
