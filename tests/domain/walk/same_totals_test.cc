#include "domain/walk/same_totals.h"

#include <gtest/gtest.h>

namespace patra::domain::same_totals_test {

using namespace std::chrono_literals;

Window Hours(int from, int to) {
  const Instant begin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  return *Window::Between(begin + from * 1h, begin + to * 1h);
}

TEST(SameTotals, TheThirdWindowWithATotalIsLookedAtAndNoOther) {
  SameTotals totals;
  EXPECT_FALSE(totals.IsToldBy(1, Hours(0, 1), 137));
  EXPECT_FALSE(totals.IsToldBy(1, Hours(1, 2), 137));
  EXPECT_FALSE(totals.IsToldBy(1, Hours(2, 3), 138)) << "another total";
  EXPECT_FALSE(totals.IsToldBy(2, Hours(2, 3), 137)) << "another plan";
  EXPECT_TRUE(totals.IsToldBy(1, Hours(3, 4), 137));
  EXPECT_TRUE(totals.IsToldBy(1, Hours(3, 4), 137)) << "its second page";
  EXPECT_FALSE(totals.IsToldBy(1, Hours(4, 5), 137)) << "one tells for all";
}

TEST(SameTotals, PartsOfOneAnotherAndSecondWalksAreNoOthers) {
  SameTotals totals;
  EXPECT_FALSE(totals.IsToldBy(1, Hours(0, 8), 137));
  EXPECT_FALSE(totals.IsToldBy(1, Hours(0, 4), 137));
  EXPECT_FALSE(totals.IsToldBy(1, Hours(0, 2), 137));
  EXPECT_FALSE(totals.IsToldBy(1, Hours(0, 2), 137));
}

TEST(SameTotals, OfMoreRecordsTheSecondTells) {
  SameTotals totals;
  EXPECT_FALSE(totals.IsToldBy(1, Hours(0, 1), 437));
  EXPECT_TRUE(totals.IsToldBy(1, Hours(1, 2), 437));
  EXPECT_FALSE(totals.IsToldBy(1, Hours(2, 3), 437));
}

TEST(SameTotals, OfFewRecordsTheSixthTellsForSourcesHaveRhythms) {
  SameTotals totals;
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(totals.IsToldBy(1, Hours(i, i + 1), 45)) << i;
  EXPECT_TRUE(totals.IsToldBy(1, Hours(5, 6), 45));
  EXPECT_FALSE(totals.IsToldBy(1, Hours(6, 7), 45));
}

TEST(SameTotals, HardlyAnyRecordsTellNothing) {
  SameTotals totals;
  for (int i = 0; i < 9; ++i) EXPECT_FALSE(totals.IsToldBy(1, Hours(i, i + 1), kCapLeast - 1));
}

}  // namespace patra::domain::same_totals_test
