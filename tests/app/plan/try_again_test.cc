// The same command again, after slices failed: they are tried again so many times, and the command speaks of the stretch
// that was asked for.
#include <gtest/gtest.h>

#include "app/plan/plan_backfill.h"
#include "app/plan/plan_harvest.h"
#include "app/plan/plan_update.h"
#include "app/plan/planner.h"
#include "tests/app/plan/planning_fixture.h"

namespace patra::app::try_again_test {

using namespace std::chrono_literals;
using domain::TaskStatus;
using testing::kStart;
using Kind = Planned::Kind;

class TryAgainTest : public PlanningTest {
 protected:
  static HarvestCommand Harvest() { return {.spec = Spec()}; }

  Planned Plan(const HarvestCommand& command) {
    const auto planned = harvest_.Run(command);
    EXPECT_TRUE(planned) << planned.error().Describe();
    return planned.value_or(Planned{});
  }

  // Works everything off; slices that cover `moment` fail.
  void WorkOffFailingAt(Instant moment, TaskStatus as = TaskStatus::kFailed) {
    while (true) {
      const auto claimed = Claim(1);
      if (claimed.empty()) return;
      Finish(claimed[0], claimed[0].window().Contains(moment) ? as : TaskStatus::kSucceeded);
    }
  }

  PlanHarvest harvest_{PortsOf(*ports_, clock_, ids_)};
  PlanBackfill backfill_{PortsOf(*ports_, clock_, ids_)};
  PlanUpdate update_{PortsOf(*ports_, clock_, ids_)};
};

TEST_F(TryAgainTest, TheSameHarvestTriesWhatFailedAgain) {
  Plan(Harvest());
  WorkOffFailingAt(kStart);
  const auto again = Plan(Harvest());
  EXPECT_EQ(again.tried_again, 1);
  ASSERT_TRUE(again.asked);
  EXPECT_EQ(again.asked->window.from(), kStart);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 1);
  WorkEverythingOff();
  EXPECT_EQ(Plan(Harvest()).kind, Kind::kNothingDue);
}

TEST_F(TryAgainTest, AHarvestWithItsOwnWindowTriesWhatFailedAgain) {
  auto command = Harvest();
  command.from = kStart;
  command.to = kStart + 48h;
  Plan(command);
  WorkOffFailingAt(kStart + 24h);
  const auto again = Plan(command);
  EXPECT_EQ(again.kind, Kind::kAlreadyPlanned);
  EXPECT_EQ(again.tried_again, 1);
}

TEST_F(TryAgainTest, APartialSliceIsTriedAgainFromItsBeginning) {
  Plan(Harvest());
  WorkOffFailingAt(kStart + 24h, TaskStatus::kPartial);
  EXPECT_EQ(Plan(Harvest()).tried_again, 1);
  WorkEverythingOff();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1);
}

TEST_F(TryAgainTest, WhatFailsIsTriedSoManyTimesAndNotForEverHoweverOftenAScheduleComesBack) {
  Plan(Harvest());
  WorkOffFailingAt(kStart);
  for (int hour = 0; hour < 10; ++hour) {
    clock_.Advance(1h);  // every time there is also something new
    const auto again = Plan(Harvest());
    EXPECT_EQ(again.tried_again, hour < 3 ? 1 : 0) << hour;
    EXPECT_EQ(again.given_up.size(), hour < 3 ? 0u : 1u) << hour;
    WorkOffFailingAt(kStart);
  }
  EXPECT_EQ(
      Count("SELECT count(*) FROM ing_plan_slice WHERE window_from = (SELECT min(window_from) "
            "FROM ing_plan_slice)"),
      1)
      << "nobody planned the same a second time";
  EXPECT_EQ(Count("SELECT count(*) FROM ing_audit WHERE action = 'TRY_AGAIN'"), 3);
  const auto last = Plan(Harvest());
  ASSERT_EQ(last.given_up.size(), 1u);
  EXPECT_EQ(last.given_up[0].tries, 3);
}

TEST_F(TryAgainTest, WhatWasGivenUpIsTriedAgainByTheSameCommandADayLaterOrPlannedAnewAtOnce) {
  Plan(Harvest());
  WorkOffFailingAt(kStart);
  for (int i = 0; i < 3; ++i) {
    Plan(Harvest());
    WorkOffFailingAt(kStart);
  }
  ASSERT_EQ(Plan(Harvest()).given_up.size(), 1u);
  auto again = Harvest();
  again.options.again = true;
  EXPECT_EQ(Plan(again).kind, Kind::kCreated);
  WorkOffFailingAt(kStart);
  clock_.Advance(24h);
  const auto later = Plan(Harvest());
  EXPECT_EQ(later.tried_again, 1);
  EXPECT_TRUE(later.given_up.empty());
  WorkEverythingOff();
  EXPECT_EQ(Plan(Harvest()).tried_again, 0);
}

TEST_F(TryAgainTest, APersonsRequeueStartsTheCountAnew) {
  Plan(Harvest());
  WorkOffFailingAt(kStart);
  PlanHarvest once(PortsOf(*ports_, clock_, ids_), {.tries_max = 1});
  ASSERT_TRUE(once.Run(Harvest()));
  WorkOffFailingAt(kStart);
  const auto given_up = once.Run(Harvest());
  ASSERT_TRUE(given_up);
  ASSERT_EQ(given_up->given_up.size(), 1u);
  EXPECT_EQ(given_up->tried_again, 0);
  ASSERT_TRUE(
      ports_->queue().Requeue(given_up->given_up[0].task, {{"me"}, "the provider is well"}));
  WorkOffFailingAt(kStart);
  EXPECT_EQ(once.Run(Harvest())->tried_again, 1);
}

TEST_F(TryAgainTest, AStretchThatFailedUnderAnotherDefinitionIsPlannedAnew) {
  Plan(Harvest());
  WorkOffFailingAt(kStart);
  auto edited = Harvest();
  edited.spec.fields = {{.name = "title", .path = "$.other"}};
  const auto again = Plan(edited);
  EXPECT_EQ(again.kind, Kind::kCreated);
  EXPECT_EQ(again.tried_again, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE expr_proto_snapshot LIKE '%$.other%'"), 1);
  WorkEverythingOff();
  EXPECT_EQ(Plan(edited).kind, Kind::kNothingDue);
}

TEST_F(TryAgainTest, ADryRunOnlySaysWhatWouldBeTriedAgain) {
  Plan(Harvest());
  WorkOffFailingAt(kStart);
  auto command = Harvest();
  command.options.dry_run = true;
  EXPECT_EQ(Plan(command).tried_again, 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 0);
}

TEST_F(TryAgainTest, TheSameBackfillTriesWhatFailedAgain) {
  const BackfillCommand range{.spec = Spec(), .scope = BackfillRange{kStart, kStart + 48h}};
  ASSERT_TRUE(backfill_.Run(range));
  WorkOffFailingAt(kStart);
  EXPECT_EQ(backfill_.Run(range)->tried_again, 1);
  WorkOffFailingAt(kStart);
  const BackfillCommand gaps{.spec = Spec(), .scope = BackfillGaps{kStart, kStart + 48h}};
  const auto again = backfill_.Run(gaps);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->tried_again, 1);
  EXPECT_EQ(again->slices, 0);
  WorkOffFailingAt(kStart);
  EXPECT_EQ(backfill_.Run(gaps)->tried_again, 1);
  WorkOffFailingAt(kStart);
  EXPECT_EQ(backfill_.Run(gaps)->given_up.size(), 1u);
}

TEST_F(TryAgainTest, TheSameListOfIdsTriesItsFailedSlicesAgain) {
  UpdateCommand command{.spec = Spec(), .scope = ListedRecords{{"a", "b"}}};
  command.spec.details = domain::DetailSpec{.endpoint = "detail", .id_batch_size = 200};
  ASSERT_TRUE(update_.Run(command));
  WorkOffFailingAt(clock_.Now());
  const auto again = update_.Run(command);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->tried_again, 1);
}

// Nobody else knows the ids by then: their signals are done with.
TEST_F(TryAgainTest, FailedSlicesOfSignalsAreTriedAgainByTheNextUpdate) {
  UpdateCommand command{.spec = Spec(), .scope = SignalledRecords{}};
  command.spec.details = domain::DetailSpec{.endpoint = "detail", .id_batch_size = 200};
  ASSERT_TRUE(ports_->signals().Add({.provenance = "demo",
                                     .endpoint = "items",
                                     .item_id = "a",
                                     .type = "RETRACTION",
                                     .origin = "test"}));
  ASSERT_TRUE(update_.Run(command));
  WorkOffFailingAt(clock_.Now());
  clock_.Advance(24h);
  const auto again = update_.Run(command);
  ASSERT_TRUE(again) << again.error().Describe();
  EXPECT_EQ(again->tried_again, 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 1);
}

}  // namespace patra::app::try_again_test
