#include "domain/window/finer_dates.h"

#include <gtest/gtest.h>

namespace patra::domain::finer_dates_test {

using namespace std::chrono_literals;

const Instant kSecond{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

WindowSpec Inclusive(Granularity granularity) {
  return {
      .filter = WindowFilter::kServer, .granularity = granularity, .ends = WindowEnds::kInclusive};
}

TEST(FinerDates, BetweenTheLastSecondThatIsAskedForAndTheNextMayBeMissed) {
  EXPECT_TRUE(MayMissFinerDates(Inclusive(Granularity::kSecond), kSecond + 500ms));
  EXPECT_FALSE(MayMissFinerDates(Inclusive(Granularity::kSecond), kSecond));
  EXPECT_TRUE(MayMissFinerDates(Inclusive(Granularity::kMillisecond), kSecond + 5us));
  EXPECT_FALSE(MayMissFinerDates(Inclusive(Granularity::kMillisecond), kSecond + 500ms));
}

TEST(FinerDates, AreWhereTheyBelongWhereDaysAreAskedForOrTheEndIsExcluded) {
  EXPECT_FALSE(MayMissFinerDates(Inclusive(Granularity::kDay), kSecond + 500ms));
  auto exclusive = Inclusive(Granularity::kSecond);
  exclusive.ends = WindowEnds::kExclusive;
  EXPECT_FALSE(MayMissFinerDates(exclusive, kSecond + 500ms));
}

}  // namespace patra::domain::finer_dates_test
