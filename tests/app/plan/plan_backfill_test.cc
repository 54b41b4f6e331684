#include "app/plan/plan_backfill.h"

#include <gtest/gtest.h>

#include "app/plan/plan_harvest.h"
#include "tests/app/plan/planning_fixture.h"

namespace patra::app::plan_backfill_test {

using namespace std::chrono_literals;
using testing::kStart;
using Kind = Planned::Kind;

class PlanBackfillTest : public PlanningTest {
 protected:
  static BackfillCommand Range(Duration from, Duration to) {
    return {.spec = Spec(), .scope = BackfillRange{kStart + from, kStart + to}};
  }

  // A harvest of the last of three days.
  void HarvestLastDay() {
    PlanHarvest harvest(PortsOf(*ports_, clock_, ids_));
    ASSERT_TRUE(harvest.Run({.spec = Spec(), .from = kStart + 48h}));
    WorkEverythingOff();
  }

  PlanBackfill plan_{PortsOf(*ports_, clock_, ids_)};
};

TEST_F(PlanBackfillTest, CutsTheNewestFirst) {
  const auto planned = plan_.Run(Range(0h, 72h));
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE slice_no = 1 AND window_to = (SELECT "
                  "window_to FROM ing_plan)"),
            1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE priority = 7"), 3);
}

TEST_F(PlanBackfillTest, NeverTouchesTheHarvestsWatermark) {
  HarvestLastDay();
  ASSERT_TRUE(plan_.Run(Range(0h, 24h)));
  WorkEverythingOff();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_cursor WHERE operation_code = 'HARVEST'"), 1);
  EXPECT_EQ(Count("SELECT normalized_instant FROM ing_cursor WHERE operation_code = 'HARVEST'"),
            (kStart + 72h).time_since_epoch().count());
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE namespace_scope_code = 'CUSTOM' AND "
                  "operation_code = 'BACKFILL'"),
            1);
}

TEST_F(PlanBackfillTest, GoesOnDownwardsAfterAFullQueue) {
  PlanBackfill limited(PortsOf(*ports_, clock_, ids_), {.open_tasks_max = 2});
  const auto first = limited.Run(Range(0h, 72h));
  ASSERT_TRUE(first);
  EXPECT_TRUE(first->is_partial);
  EXPECT_EQ(Count("SELECT min(window_from) FROM ing_plan_slice"),
            (kStart + 24h).time_since_epoch().count());
  WorkEverythingOff();
  const auto second = limited.Run(Range(0h, 72h));
  ASSERT_TRUE(second) << second.error().Describe();
  EXPECT_EQ(second->slices, 1);
  EXPECT_FALSE(second->is_partial);
  EXPECT_EQ(Count("SELECT min(window_from) FROM ing_plan_slice"),
            kStart.time_since_epoch().count());
  WorkEverythingOff();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1);
}

TEST_F(PlanBackfillTest, GapsAreWhatTheLedgerDoesNotProve) {
  HarvestLastDay();
  ASSERT_TRUE(plan_.Run(Range(0h, 24h)));
  WorkEverythingOff();
  const auto gaps = plan_.Run({.spec = Spec(), .scope = BackfillGaps{}});
  ASSERT_TRUE(gaps) << gaps.error().Describe();
  EXPECT_EQ(gaps->slices, 1);
  EXPECT_EQ(gaps->window, *domain::Window::Between(kStart + 24h, kStart + 48h));
  WorkEverythingOff();
  const auto none = plan_.Run({.spec = Spec(), .scope = BackfillGaps{}});
  ASSERT_TRUE(none);
  EXPECT_EQ(none->kind, Kind::kNothingDue);
}

TEST_F(PlanBackfillTest, AFailedGapIsTriedAgainLater) {
  HarvestLastDay();
  ASSERT_TRUE(plan_.Run({.spec = Spec(), .scope = BackfillGaps{}}));
  for (const auto& task : Claim(10)) Finish(task, domain::TaskStatus::kFailed);
  clock_.Advance(1h);
  const auto again = plan_.Run({.spec = Spec(), .scope = BackfillGaps{}});
  ASSERT_TRUE(again);
  EXPECT_EQ(again->tried_again, 2);
  EXPECT_EQ(again->slices, 0) << "they are there";
  EXPECT_EQ(Claim(10).size(), 2u);
}

TEST_F(PlanBackfillTest, AutoGoesIntoThePastStepByStepUntilTheStart) {
  HarvestLastDay();
  const BackfillCommand command{.spec = Spec(), .scope = BackfillAuto{.step = 24h}};
  const auto first = plan_.Run(command);
  ASSERT_TRUE(first) << first.error().Describe();
  EXPECT_EQ(first->window, *domain::Window::Between(kStart + 24h, kStart + 48h));
  const auto meanwhile = plan_.Run(command);
  ASSERT_TRUE(meanwhile);
  EXPECT_EQ(meanwhile->kind, Kind::kNothingDue) << "the step is under way";
  WorkEverythingOff();
  const auto second = plan_.Run(command);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->window, *domain::Window::Between(kStart, kStart + 24h));
  WorkEverythingOff();
  const auto done = plan_.Run(command);
  ASSERT_TRUE(done);
  EXPECT_EQ(done->kind, Kind::kNothingDue);
  EXPECT_NE(done->reason.find("back to"), std::string::npos);
  EXPECT_EQ(Count("SELECT normalized_instant FROM ing_cursor WHERE operation_code = 'BACKFILL'"),
            kStart.time_since_epoch().count());
  EXPECT_GE(Count("SELECT count(*) FROM ing_cursor_event WHERE direction_code = 'BACKFILL'"), 2);
}

// One watermark for all queries: what lies before it is the past of each of them.
TEST_F(PlanBackfillTest, GapsEndAtTheWatermarkThatAllQueriesShare) {
  auto spec = Spec();
  spec.cursor_scope = domain::CursorScope::kGlobal;
  ASSERT_TRUE(PlanHarvest(PortsOf(*ports_, clock_, ids_)).Run({.spec = spec}));
  WorkEverythingOff();
  const auto watermark = Count("SELECT normalized_instant FROM ing_cursor");
  clock_.Advance(std::chrono::days(2));
  spec.query = "other";
  const auto planned =
      PlanBackfill(PortsOf(*ports_, clock_, ids_)).Run({.spec = spec, .scope = BackfillGaps{}});
  ASSERT_TRUE(planned) << planned.error().Describe();
  ASSERT_TRUE(planned->window);
  EXPECT_EQ(planned->window->to().time_since_epoch().count(), watermark);
}

TEST_F(PlanBackfillTest, RefusesAListWithoutAWindow) {
  auto command = Range(0h, 24h);
  command.spec.window.filter = domain::WindowFilter::kNone;
  EXPECT_EQ(plan_.Run(command).error().code, ErrorCode::kInvalidInput);
}

}  // namespace patra::app::plan_backfill_test
