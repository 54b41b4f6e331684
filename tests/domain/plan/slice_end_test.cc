#include "domain/plan/slice_end.h"

#include <gtest/gtest.h>

namespace patra::domain::slice_end_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

TEST(SliceEnd, ASliceAndItsRunEndAsTheirTaskDoes) {
  for (const auto& [task, slice, run] :
       {std::tuple{TaskStatus::kSucceeded, SliceStatus::kSucceeded, RunStatus::kSucceeded},
        {TaskStatus::kPartial, SliceStatus::kPartial, RunStatus::kPartial},
        {TaskStatus::kCancelled, SliceStatus::kCancelled, RunStatus::kCancelled},
        {TaskStatus::kFailed, SliceStatus::kFailed, RunStatus::kFailed}}) {
    EXPECT_EQ(SliceStatusAfter(task), slice);
    EXPECT_EQ(RunStatusAfter(task), run);
  }
}

TEST(SliceEnd, CuttingEndsAfterAHundredThousandPieces) {
  EXPECT_TRUE(RefuseEndlessCuts(kFirstPieceNumber, 100'000));
  EXPECT_EQ(RefuseEndlessCuts(kFirstPieceNumber + 99'999, 2).error().code, ErrorCode::kLimit);
  EXPECT_TRUE(RefuseEndlessCuts(kFirstPieceNumber + 200'000, 0)) << "nothing is cut";
}

TEST(SliceEnd, PiecesShareWhatTheirParentHadLeft) {
  const Plan plan{.key = "plan",
                  .lane = {"demo", "items", Operation::kHarvest},
                  .window = *Window::Between(kBegin, kBegin + 3h)};
  std::vector<SliceSpec> specs;
  for (int i = 0; i < 3; ++i)
    specs.push_back({.window = *Window::Between(kBegin + i * 1h, kBegin + (i + 1) * 1h)});
  const auto pieces = PiecesOf(plan, specs, kFirstPieceNumber + 7, 10, kBegin + 5h);
  ASSERT_EQ(pieces.size(), 3U);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].slice.number, kFirstPieceNumber + 7 + static_cast<int>(i));
    EXPECT_EQ(pieces[i].slice.window, specs[i].window);
    EXPECT_EQ(pieces[i].task.requests_left, 4);
    EXPECT_EQ(pieces[i].task.scheduled_at, kBegin + 5h);
  }
  EXPECT_EQ(PiecesOf(plan, specs, kFirstPieceNumber, 0, kBegin).front().task.requests_left, 1);
}

}  // namespace patra::domain::slice_end_test
