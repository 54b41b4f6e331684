#include "sim/pubmed_term.h"

#include <gtest/gtest.h>

namespace patra::sim::pubmed_term_test {

constexpr Instant Day(int year, unsigned month, unsigned day) {
  return std::chrono::sys_days{std::chrono::year{year} / std::chrono::month{month} /
                               std::chrono::day{day}};
}

class TermWithRange : public ::testing::TestWithParam<const char*> {};

TEST_P(TermWithRange, IsFound) {
  const auto range = FindRangeInTerm(GetParam());
  ASSERT_TRUE(range) << GetParam();
  EXPECT_EQ(range->from, Day(2024, 1, 1));
  EXPECT_EQ(range->to, Day(2024, 2, 1));
  EXPECT_TRUE(CountsModification(range->field));
}

INSTANTIATE_TEST_SUITE_P(
    Spellings, TermWithRange,
    ::testing::Values("2024/01/01:2024/01/31[mdat]", "cancer AND 2024/01/01:2024/01/31[MDAT]",
                      "2024/01[mdat]", "(\"2024/01/01\"[mdat] : \"2024/01/31\"[mdat])",
                      "\"2024/01/01\"[Date - Modification] : \"2024/01/31\"[Date - Modification]",
                      "2024/01/01:2024/01/31[lr]"));

TEST(TermRange, IsNotInventedWhereThereIsNone) {
  for (const auto* term : {"", "[mdat]", "cancer[mdat]", "2024/13[mdat]", "cancer 2024/01/01",
                           "[mdat][mdat]", ":[mdat]"}) {
    EXPECT_FALSE(FindRangeInTerm(term)) << term;
  }
}

}  // namespace patra::sim::pubmed_term_test
