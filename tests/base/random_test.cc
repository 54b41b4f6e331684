#include "base/random.h"

#include <array>

#include <gtest/gtest.h>

namespace patra::random_test {

TEST(SeededRandom, TheSameSeedGivesTheSameStream) {
  SeededRandom a(42), b(42), c(43);
  bool differs = false;
  for (int i = 0; i < 100; ++i) {
    const auto drawn = a.Next();
    EXPECT_EQ(drawn, b.Next());
    differs |= drawn != c.Next();
  }
  EXPECT_TRUE(differs);
}

TEST(SeededRandom, AForkDependsOnSeedAndNameButNotOnWhatWasDrawn) {
  SeededRandom fresh(7), used(7);
  (void)used.Next();
  EXPECT_EQ(fresh.Fork("faults").Next(), used.Fork("faults").Next());
  EXPECT_NE(fresh.Fork("faults").Next(), fresh.Fork("latency").Next());
}

TEST(SeededRandom, BelowIsUniform) {
  SeededRandom random(1);
  std::array<int, 7> counts{};
  for (int i = 0; i < 70'000; ++i) ++counts[random.Below(7)];
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 400);  // four standard deviations
}

TEST(SeededRandom, BetweenReachesBothEndsAndTheWholeRange) {
  SeededRandom random(2);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const auto drawn = random.Between(-2, 2);
    ASSERT_GE(drawn, -2);
    ASSERT_LE(drawn, 2);
    low |= drawn == -2;
    high |= drawn == 2;
  }
  EXPECT_TRUE(low && high);
  (void)random.Between(INT64_MIN, INT64_MAX);  // the span does not overflow
  EXPECT_EQ(random.Between(5, 5), 5);
}

TEST(SeededRandom, FractionStaysBelowOne) {
  SeededRandom random(3);
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto fraction = random.Fraction();
    ASSERT_GE(fraction, 0);
    ASSERT_LT(fraction, 1);
    sum += fraction;
  }
  EXPECT_NEAR(sum / 10'000, 0.5, 0.02);
}

}  // namespace patra::random_test
