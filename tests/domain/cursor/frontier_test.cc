#include "domain/cursor/frontier.h"

#include <gtest/gtest.h>

namespace patra::domain::frontier_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
Window Between(Duration from, Duration to) { return *Window::Between(kBegin + from, kBegin + to); }
const Window kPlan = Between(0h, 10h);

TEST(Frontier, GoesAsFarAsEverythingIsProvenWithoutAHole) {
  const Frontier frontier(CursorDirection::kForward, kPlan, std::nullopt);
  EXPECT_EQ(frontier.start(), kBegin);
  EXPECT_EQ(frontier.After(Coverage({Between(0h, 2h), Between(3h, 5h)})), kBegin + 2h);
  EXPECT_EQ(frontier.After(Coverage({Between(3h, 5h)})), std::nullopt) << "it does not skip";
}

TEST(Frontier, BeginsWhereTheCursorStands) {
  const Frontier frontier(CursorDirection::kForward, kPlan, kBegin + 2h);
  EXPECT_EQ(frontier.After(Coverage({Between(0h, 2h)})), std::nullopt) << "it is there already";
  EXPECT_EQ(frontier.After(Coverage({Between(1h, 4h)})), kBegin + 4h);
}

TEST(Frontier, OfABackfillGoesIntoThePastAndNotBeyondItsPlan) {
  const Frontier frontier(CursorDirection::kBackfill, kPlan, std::nullopt);
  EXPECT_EQ(frontier.start(), kBegin + 10h);
  EXPECT_EQ(frontier.After(Coverage({Between(7h, 10h)})), kBegin + 7h);
  EXPECT_EQ(frontier.After(Coverage({Between(-5h, 10h)})), kBegin);
  EXPECT_EQ(frontier.After(Coverage({Between(0h, 9h)})), std::nullopt);
}

}  // namespace patra::domain::frontier_test
