// What every plan repository must do.
#include "tests/infra/sqlite_backend.h"

namespace patra {
namespace {

class PlanRepositoryContract : public testing::LedgerTest {};
RUN_ON_EVERY_LEDGER(PlanRepositoryContract);

TEST_P(PlanRepositoryContract, ASecondPlanWithTheSameKeyFindsTheFirst) {
  const auto first = Draft(0, 2);
  const auto second = Draft(0, 2);
  EXPECT_TRUE(ports_->plans().AddIfAbsent(first)->is_new);
  const auto added = ports_->plans().AddIfAbsent(second);
  ASSERT_TRUE(added);
  EXPECT_FALSE(added->is_new);
  EXPECT_EQ(added->id, first.id);
}

TEST_P(PlanRepositoryContract, AddingTheSameSlicesTwiceMakesOneSetOfTasks) {
  const auto plan = Draft(0, 3);
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  EXPECT_EQ(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()), 3);
  EXPECT_EQ(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()), 0);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task"), 3);
}

TEST_P(PlanRepositoryContract, OverlappingPlansHaveTasksOfTheirOwn) {
  Planned(0, 3);
  Planned(1, 4);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task"), 6);
}

TEST_P(PlanRepositoryContract, APlanMovesOnlyAlongItsTable) {
  const auto plan = Draft(0, 1);
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  EXPECT_EQ(ports_->plans().Move(plan.id, domain::PlanStatus::kReady).error().code,
            ErrorCode::kConflict);
  EXPECT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
  EXPECT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kReady));
  EXPECT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kCancelled));
  EXPECT_EQ(ports_->plans().Move(plan.id, domain::PlanStatus::kReady).error().code,
            ErrorCode::kConflict);
}

TEST_P(PlanRepositoryContract, ATriggerThatLedToNoPlanSaysWhy) {
  const domain::Trigger trigger{.id = 7, .fired_at = clock_.Now(), .partition = {"demo", "items"}};
  ASSERT_TRUE(ports_->plans().RecordTrigger(trigger));
  ASSERT_TRUE(ports_->plans().RemarkOnTrigger(7, Value::Object{{"error", "no such endpoint"}}));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_schedule_instance WHERE record_remarks LIKE "
                          "'%no such endpoint%'"),
            1);
}

}  // namespace
}  // namespace patra
