#include "infra/sql/slow_statements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include <fmt/format.h>

#include "tests/world_clock.h"

namespace patra::infra::sql::slow_statements_test {

using namespace std::chrono_literals;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct SlowStatementsTest : ::testing::Test {
  VirtualClock clock{Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})};
  std::vector<SlowStatement> told;
  SlowStatements slow{500ms, clock, [this](const SlowStatement& one) { told.push_back(one); }};
};

TEST_F(SlowStatementsTest, QuickOnesAreNotTold) {
  slow.Note("SELECT 1", 499ms);
  EXPECT_THAT(told, IsEmpty());
  slow.Note("SELECT 1", 500ms);
  EXPECT_THAT(told, SizeIs(1));
}

TEST_F(SlowStatementsTest, OneIsToldOnceAMinuteWithHowOftenAndHowLongMeanwhile) {
  slow.Note("SELECT a\n    FROM b", 600ms);
  for (int i = 1; i <= 5; ++i) slow.Note("SELECT a\n    FROM b", 600ms + i * 100ms);
  slow.Note("SELECT 2", 700ms);
  ASSERT_THAT(told, SizeIs(2)) << "another one is told by itself";
  EXPECT_EQ(told[0].statement, "SELECT a FROM b");
  EXPECT_EQ(told[0].times, 1);
  clock.Advance(61s);
  slow.Note("SELECT a\n    FROM b", 800ms);
  ASSERT_THAT(told, SizeIs(3));
  EXPECT_EQ(told[2].times, 6);
  EXPECT_EQ(told[2].took, 1100ms) << "the longest of them";
}

TEST_F(SlowStatementsTest, ALongOneIsCutAndNoMoreThanSoManyAreRemembered) {
  slow.Note(std::string(10'000, 'x'), 1s);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_LE(told[0].statement.size(), SlowStatements::kTextBytesMax + 3);
  for (std::size_t i = 0; i < 2 * SlowStatements::kStatementsMax; ++i)
    slow.Note(fmt::format("SELECT {}", i), 1s);
  EXPECT_THAT(told, SizeIs(1 + 2 * SlowStatements::kStatementsMax));
}

}  // namespace patra::infra::sql::slow_statements_test
