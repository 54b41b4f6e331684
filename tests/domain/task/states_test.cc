#include "domain/task/states.h"

#include <gtest/gtest.h>

namespace patra::domain::states_test {

TEST(States, SucceededWorkIsFinal) {
  EXPECT_TRUE(IsTerminal(TaskStatus::kSucceeded));
  EXPECT_TRUE(IsTerminal(SliceStatus::kSucceeded));
  EXPECT_TRUE(IsTerminal(RunStatus::kSucceeded));
  EXPECT_TRUE(IsTerminal(BatchStatus::kSucceeded));
  EXPECT_TRUE(IsTerminal(PlanStatus::kCompleted));
}

TEST(States, OnlyFailedAndPartialTasksCanBeRequeuedAfterTheirEnd) {
  EXPECT_TRUE(MayMove(TaskStatus::kFailed, TaskStatus::kQueued));
  EXPECT_TRUE(MayMove(TaskStatus::kPartial, TaskStatus::kQueued));
  EXPECT_FALSE(MayMove(TaskStatus::kSucceeded, TaskStatus::kQueued));
  EXPECT_FALSE(MayMove(TaskStatus::kCancelled, TaskStatus::kQueued));
}

TEST(States, ATerminalBatchOrRunNeverChanges) {
  for (const auto status : {BatchStatus::kSucceeded, BatchStatus::kSkipped, BatchStatus::kGivenBack,
                            BatchStatus::kFailed}) {
    EXPECT_TRUE(IsTerminal(status)) << Code(status);
  }
  for (const auto status :
       {RunStatus::kSucceeded, RunStatus::kPartial, RunStatus::kFailed, RunStatus::kCancelled}) {
    EXPECT_TRUE(IsTerminal(status)) << Code(status);
  }
}

TEST(States, APartialPlanGoesOn) {
  EXPECT_TRUE(MayMove(PlanStatus::kPartial, PlanStatus::kSlicing));
  EXPECT_FALSE(MayMove(PlanStatus::kReady, PlanStatus::kDraft));
  EXPECT_FALSE(MayMove(PlanStatus::kSlicing, PlanStatus::kDraft));
}

TEST(States, EveryCodeReadsBack) {
  for (const auto& move : Transitions<TaskStatus>()) {
    EXPECT_EQ(StatusFromCode<TaskStatus>(Code(move.from)), move.from);
    EXPECT_EQ(StatusFromCode<TaskStatus>(Code(move.to)), move.to);
    EXPECT_FALSE(move.why.empty());
  }
  EXPECT_EQ(StatusFromCode<TaskStatus>("RUNNING").error().code, ErrorCode::kCorruption);
}

}  // namespace patra::domain::states_test
