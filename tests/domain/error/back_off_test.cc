#include "domain/error/back_off.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::back_off_test {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Le;

std::vector<Duration> WaitsOf(const RetrySpec& spec, int failures, std::uint64_t seed = 7) {
  SeededRandom random(seed);
  std::vector<Duration> waits;
  Duration last{};
  for (int failed = 1; failed <= failures; ++failed)
    waits.push_back(last = BackOff(spec, failed, last, random));
  return waits;
}

TEST(BackOff, ExponentialWaitsGrowByTheirFactorUpToTheLongest) {
  const RetrySpec spec{.backoff = BackoffCurve::kExponential, .first_delay = 3s, .delay_max = 20s};
  EXPECT_THAT(WaitsOf(spec, 5), ElementsAre(3s, 6s, 12s, 20s, 20s));
}

TEST(BackOff, FixedWaitsAreAllTheFirst) {
  const RetrySpec spec{.backoff = BackoffCurve::kFixed, .first_delay = 3s, .factor = 4};
  EXPECT_THAT(WaitsOf(spec, 4), ElementsAre(3s, 3s, 3s, 3s));
}

TEST(BackOff, WithoutAChoiceWaitsAreExponentialAndVaryByTheirJitter) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto waits = WaitsOf({}, 3, seed);
    EXPECT_THAT(waits[0], AllOf(Ge(80ms), Le(120ms)));
    EXPECT_THAT(waits[2], AllOf(Ge(320ms), Le(480ms)));
    EXPECT_EQ(waits, WaitsOf({.backoff = BackoffCurve::kExponentialJitter}, 3, seed));
  }
  EXPECT_THAT(WaitsOf({.jitter = 0}, 3), ElementsAre(100ms, 200ms, 400ms));
}

TEST(BackOff, FullJitterDrawsFromNothingToTheExponential) {
  bool was_short = false;
  bool was_long = false;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto wait = WaitsOf({.backoff = BackoffCurve::kFullJitter}, 3, seed).back();
    EXPECT_THAT(wait, AllOf(Ge(0s), Le(400ms)));
    was_short = was_short || wait < 100ms;
    was_long = was_long || wait > 300ms;
  }
  EXPECT_TRUE(was_short && was_long);
}

TEST(BackOff, DecorrelatedJitterDrawsFromTheFirstToThreeTimesTheLastWait) {
  const RetrySpec spec{.backoff = BackoffCurve::kDecorrelatedJitter};
  bool was_above_exponential = false;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const auto waits = WaitsOf(spec, 3, seed);
    EXPECT_THAT(waits[0], AllOf(Ge(100ms), Le(300ms)));
    EXPECT_THAT(waits[1], AllOf(Ge(100ms), Le(waits[0] * 3)));
    EXPECT_THAT(waits[2], AllOf(Ge(100ms), Le(waits[1] * 3)));
    was_above_exponential = was_above_exponential || waits[2] > 400ms;
  }
  EXPECT_TRUE(was_above_exponential);
}

TEST(BackOff, NoCurveLeavesItsBounds) {
  for (const auto& [curve, code] : CodesOf(BackoffCurve{})) {
    const RetrySpec spec{.backoff = curve};
    EXPECT_THAT(WaitsOf(spec, 100), Each(AllOf(Ge(0s), Le(spec.delay_max)))) << code;
  }
}

TEST(Growth, OfRunsThatFailDoubles) {
  const Growth growth{.first = 15s, .most = 15min};
  EXPECT_EQ(growth.After(1), 15s);
  EXPECT_EQ(growth.After(2), 30s);
  EXPECT_EQ(growth.After(6), 8min);
  EXPECT_EQ(growth.After(7), 15min);
  EXPECT_EQ(growth.After(1'000), 15min);
}

}  // namespace patra::domain::back_off_test
