// What every plan repository must do.
#include "tests/infra/sql/every_ledger.h"

namespace patra::plan_repository_contract_test {

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
  const domain::Trigger trigger{.id = 7, .fired_at = clock_.Now(), .lane = {"demo", "items"}};
  ASSERT_TRUE(ports_->plans().RecordTrigger(trigger));
  ASSERT_TRUE(ports_->plans().RemarkOnTrigger(7, Value::Object{{"error", "no such endpoint"}}));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_schedule_instance WHERE record_remarks LIKE "
                          "'%no such endpoint%'"),
            1);
}

TEST_P(PlanRepositoryContract, ACancelledPlanTakesItsTasksAlongAndIsAudited) {
  const auto plan = Planned(0, 3);
  const auto running = Claim(1);
  ASSERT_EQ(running.size(), 1u);
  const auto run = ports_->runs().Open(running[0], kFirstPage);
  ASSERT_TRUE(run);
  const auto cancelled = ports_->plans().CancelPlan(plan.id, {{"me"}, "a mistake"});
  ASSERT_TRUE(cancelled) << cancelled.error().Describe();
  EXPECT_EQ(cancelled->tasks, 3);
  EXPECT_EQ(cancelled->slices, 3);
  EXPECT_TRUE(Claim(10).empty());
  EXPECT_EQ(ports_->runs().Commit(BatchOf(running[0], *run, {})).error().code,
            ErrorCode::kLeaseLost)
      << "the fence is raised: a worker that is at it commits nothing more";
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task WHERE fence > 0"), 3);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task WHERE status_code = 'CANCELLED'"), 3);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_task_run WHERE status_code = 'CANCELLED'"), 1);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE action = 'CANCEL' AND object_type "
                          "= 'PLAN' AND reason = 'a mistake'"),
            1);
  EXPECT_EQ(ports_->plans().CancelPlan(plan.id, {{"me"}, "again"}).error().code,
            ErrorCode::kConflict);
  EXPECT_EQ(ports_->plans().CancelPlan(1, {{"me"}, "r"}).error().code, ErrorCode::kNotFound);
}

TEST_P(PlanRepositoryContract, ACancelledSliceOrTaskLeavesTheOthersAlone) {
  const auto plan = Planned(0, 3);
  const auto tasks = Claim(3);
  ASSERT_TRUE(ports_->plans().CancelSlice(tasks[0].lineage.slice, {{"me"}, "r"}));
  ASSERT_TRUE(ports_->plans().CancelTask(tasks[1].lineage.task, {{"me"}, "r"}));
  EXPECT_EQ(ports_->plans().CancelTask(tasks[1].lineage.task, {{"me"}, "r"}).error().code,
            ErrorCode::kConflict);
  EXPECT_EQ(ports_->plans().CancelSlice(1, {{"me"}, "r"}).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(Finish(tasks[2]));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_plan_slice WHERE status_code = 'CANCELLED'"),
            2);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_coverage"), 1)
      << "what was cancelled is not proven";
}

TEST_P(PlanRepositoryContract, APlanIsReadBackAsItWasWritten) {
  auto plan = Draft(0, 3);
  plan.slice_params = Value::Object{{"width", "PT1H"}};
  plan.expr_proto_hash = "p";
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  ASSERT_TRUE(ports_->plans().AddSlices(plan, {}, {testing::kStart + testing::kHour, "here"}));
  ASSERT_TRUE(ports_->plans().Remark(plan.id, Value::Object{{"stopped", "r"}}));
  const auto stored = ports_->plans().Find(plan.id);
  ASSERT_TRUE(stored && *stored);
  EXPECT_EQ((*stored)->plan.key, plan.key);
  EXPECT_EQ((*stored)->plan.slice_params, plan.slice_params);
  EXPECT_EQ((*stored)->plan.expr_proto_hash, "p");
  EXPECT_EQ((*stored)->plan.cursor, plan.cursor);
  EXPECT_EQ((*stored)->sliced_to, testing::kStart + testing::kHour);
  EXPECT_EQ((*stored)->position, "here");
  EXPECT_FALSE((*stored)->is_wholly_cut());
  ASSERT_TRUE(ports_->plans().AddSlices(plan, {}, {testing::kStart}));
  EXPECT_EQ((*ports_->plans().Find(plan.id))->sliced_to, testing::kStart + testing::kHour)
      << "a slower planner takes nothing back";
  EXPECT_NE((*stored)->plan.remarks.Find("stopped"), nullptr);
  EXPECT_EQ(*ports_->plans().FindUncut(plan.lane, plan.cursor), plan.id);
}

TEST_P(PlanRepositoryContract, OpenStretchesAreThoseOfUnfinishedSlices) {
  const auto plan = Planned(0, 3);
  const auto tasks = Claim(1);
  ASSERT_TRUE(Finish(tasks[0]));
  const auto open = ports_->plans().OpenStretches(plan.lane, plan.query_hash, plan.window);
  ASSERT_TRUE(open);
  EXPECT_EQ(*open, (std::vector{testing::Hours(1, 2), testing::Hours(2, 3)}));
}

// Ranges of pages prove their window only together. Whether the last of them or the planner comes to its end
// first makes no difference, nor whether another planner gave up in between.
TEST_P(PlanRepositoryContract, PagesProveTheirWindowInWhateverOrderTheyAndThePlannerEnd) {
  int hour = 0;
  for (const auto end : {domain::PlanStatus::kReady, domain::PlanStatus::kPartial}) {
    for (const bool planner_is_last : {true, false}) {
      auto plan = Draft(hour, hour + 1);
      ++hour;
      plan.slice_strategy = "PAGE";
      ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
      ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
      std::vector<domain::SliceWithTask> pages;
      for (const int from : {1, 201}) {
        const domain::SliceSpec spec{.dimension = domain::SliceDimension::kPage,
                                     .window = plan.window,
                                     .pages = domain::PageBounds{.from = from, .to = from + 200}};
        pages.push_back(domain::MakeSlice(plan, spec, 0, clock_.Now()));
        pages.back().slice.id = ids_.Next();
        pages.back().task.id = ids_.Next();
      }
      ASSERT_EQ(ports_->plans().AddSlices(plan, pages, {plan.window.from(), "401"}), 2);
      const auto tasks = Claim(5);
      ASSERT_EQ(tasks.size(), 2u);
      ASSERT_TRUE(Finish(tasks[1]));
      if (planner_is_last) {
        ASSERT_TRUE(Finish(tasks[0]));
      }
      EXPECT_NE(Watermark(plan), plan.window.to()) << "more of them may be planned";
      if (end == domain::PlanStatus::kPartial) {
        ASSERT_TRUE(ports_->plans().Move(plan.id, end));
      }
      ASSERT_TRUE(ports_->plans().AddSlices(plan, {}, {plan.window.to(), "401"}));
      if (end == domain::PlanStatus::kReady) {
        ASSERT_TRUE(ports_->plans().Move(plan.id, end));
      }
      if (!planner_is_last) {
        ASSERT_TRUE(Finish(tasks[0]));
      }
      EXPECT_EQ(Watermark(plan), plan.window.to()) << planner_is_last;
      EXPECT_EQ((*ports_->plans().Find(plan.id))->status, domain::PlanStatus::kCompleted);
    }
  }
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_cursor_event"), 4) << "one step for each";
}

TEST_P(PlanRepositoryContract, PagesOfWhichSomeWereWithdrawnProveNothing) {
  auto plan = Draft(0, 1);
  plan.slice_strategy = "PAGE";
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
  ASSERT_TRUE(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()));
  ASSERT_TRUE(ports_->plans().CancelTask(Claim(1).at(0).lineage.task, {{"me"}, "r"}));
  ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kReady));
  EXPECT_EQ((*ports_->plans().Find(plan.id))->status, domain::PlanStatus::kCompleted);
  EXPECT_EQ(Watermark(plan), std::nullopt);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_coverage"), 0);
}

}  // namespace patra::plan_repository_contract_test
