// No more is planned than the provider allows, whoever plans.
#include <thread>

#include <gtest/gtest.h>

#include "app/plan/plan_backfill.h"
#include "app/plan/plan_harvest.h"
#include "tests/app/plan/planning_fixture.h"
#include "tests/app/plan/stingy_gate.h"

namespace patra::app::plan_allowance_test {

using namespace std::chrono_literals;
using testing::kStart;

class PlanAllowanceTest : public PlanningTest {
 protected:
  static domain::SpecSnapshot SharedSpec(std::string endpoint = "items") {
    auto spec = Spec();
    spec.endpoint = std::move(endpoint);
    spec.limits.front().per = domain::RateScope::kSource;
    return spec;
  }

  Result<Planned> Harvest(StingyGate& gate, domain::SpecSnapshot spec = SharedSpec()) {
    return PlanHarvest(PortsOf(*ports_, clock_, ids_, &gate)).Run({.spec = std::move(spec)});
  }
  Result<Planned> Backfill(StingyGate& gate, domain::SpecSnapshot spec = SharedSpec()) {
    return PlanBackfill(PortsOf(*ports_, clock_, ids_, &gate))
        .Run({.spec = std::move(spec), .scope = BackfillRange{kStart - 240h, kStart}});
  }
  std::int64_t Tasks(const std::string& where) {
    return Count("SELECT count(*) FROM ing_task WHERE " + where);
  }
};

TEST_F(PlanAllowanceTest, WhatOtherOperationsWillAskForIsNotPlannedASecondTime) {
  StingyGate gate(5);
  ASSERT_EQ(Harvest(gate)->slices, 3);
  const auto planned = Backfill(gate, SharedSpec("others"));
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 2) << "three of the five are the harvest's";
  EXPECT_TRUE(planned->is_partial);
  EXPECT_NE(planned->reason.find("provider allows 0 more"), std::string::npos) << planned->reason;
  EXPECT_EQ(Backfill(gate, SharedSpec("others"))->slices, 0);
  WorkEverythingOff();
  EXPECT_EQ(Backfill(gate, SharedSpec("others"))->slices, 5) << "what is done makes room";
}

TEST_F(PlanAllowanceTest, EndpointsWithLimitsOfTheirOwnDoNotCountEachOther) {
  StingyGate gate(3);
  auto spec = Spec();
  ASSERT_EQ(Harvest(gate, spec)->slices, 3);
  spec.endpoint = "others";
  EXPECT_EQ(Harvest(gate, spec)->slices, 3);
}

TEST_F(PlanAllowanceTest, ATaskThatIsUnderWayCountsForWhatItStillHasToAsk) {
  StingyGate gate(100);
  ASSERT_EQ(Harvest(gate)->slices, 3);
  ports_->Execute("UPDATE ing_task SET requests_left = 40");
  const auto before = ports_->queue().CountRequests("demo", 3);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->ahead, 120);
  EXPECT_EQ(Backfill(gate)->slices, 0);
  const auto task = Claim(1).at(0);
  const auto run = ports_->runs().Open(task, {.page = 1});
  ASSERT_TRUE(run);
  const auto first = ports_->runs().Commit({.task = task,
                                            .lineage = run->lineage,
                                            .before = {.page = 1},
                                            .after = domain::Position{.page = 2}});
  ASSERT_TRUE(first);
  EXPECT_EQ(ports_->queue().CountRequests("demo", 3)->ahead, 119);
  auto lineage = run->lineage;
  lineage.batch = first->next_batch;
  ASSERT_TRUE(ports_->runs().Commit({.task = task,
                                     .lineage = lineage,
                                     .batch_no = 2,
                                     .before = {.page = 2},
                                     .after = domain::Position{.page = 3},
                                     .requests_left = 7}));
  EXPECT_EQ(ports_->queue().CountRequests("demo", 3)->ahead, 87) << "by what the total tells";
  const auto middle = task.window().from() + 12h;
  ASSERT_TRUE(ports_->runs().Close(
      {.task = task,
       .lineage = lineage,
       .status = domain::TaskStatus::kPartial,
       .children = {{.window = *domain::Window::Between(task.window().from(), middle)},
                    {.window = *domain::Window::Between(middle, task.window().to())}}}));
  EXPECT_EQ(ports_->queue().CountRequests("demo", 3)->ahead, 88) << "its pieces take the rest over";
}

TEST_F(PlanAllowanceTest, ASliceLargerThanAllThatIsAllowedIsPlannedAlone) {
  StingyGate gate(1'000);
  ASSERT_EQ(Harvest(gate)->slices, 3);
  WorkEverythingOff();
  ports_->Execute("UPDATE ing_plan_slice SET received = 2400");
  clock_.Advance(48h);
  gate.estimate.permits = 10;
  const auto planned = Harvest(gate);
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 1) << "of 24 requests; one that never fits would never be planned";
  EXPECT_TRUE(planned->is_partial);
}

TEST_F(PlanAllowanceTest, PlannersAtOnceNeverSpendOneQuotaTwice) {
  constexpr int kPlanners = 4;
  StingyGate gate(50);
  std::vector<std::thread> planners;
  for (int i = 0; i < kPlanners; ++i) {
    planners.emplace_back([&, i] {
      const auto ports = backend_.Connect(clock_);
      PlanHarvest planner(PortsOf(*ports, clock_, ports->ids(), &gate),
                          {.slices_per_transaction = 3});
      auto spec = SharedSpec("items-" + std::to_string(i));
      spec.window.width = 1h;
      const auto planned = planner.Run({.spec = spec});
      EXPECT_TRUE(planned) << planned.error().Describe();
    });
  }
  for (auto& planner : planners) planner.join();
  EXPECT_EQ(Tasks("1 = 1"), 50);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice"), 50);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'PARTIAL'"), kPlanners)
      << "288 slices were wanted: each has a rest, which a later trigger goes on with";
}

// What is less urgent is rolled over into the quota's next window.
TEST_F(PlanAllowanceTest, AHarvestGoesBeforeABackfillThatHasPlannedTheWholeQuota) {
  const auto reset = clock_.Now() + 5h;
  StingyGate gate(6, reset);
  ASSERT_EQ(Backfill(gate)->slices, 6);
  ASSERT_EQ(Harvest(gate, SharedSpec("others"))->slices, 3);
  EXPECT_EQ(Tasks("operation_code = 'BACKFILL' AND ready = 0 AND wait_reason = 'QUOTA'"), 3);
  EXPECT_EQ(Tasks("operation_code = 'BACKFILL' AND ready = 1"), 3);
  EXPECT_EQ(Claim(20).size(), 6u) << "no more than the quota in its window";
  clock_.Advance(6h);
  EXPECT_EQ(Claim(20).size(), 3u) << "and the rest in the next";
}

TEST_F(PlanAllowanceTest, WhatIsUnderWayIsNotRolledOver) {
  StingyGate gate(6, clock_.Now() + 5h);
  ASSERT_EQ(Backfill(gate)->slices, 6);
  ASSERT_EQ(Claim(4).size(), 4u);
  EXPECT_EQ(Harvest(gate, SharedSpec("others"))->slices, 2);
  EXPECT_EQ(Tasks("wait_reason = 'QUOTA'"), 2);
}

TEST_F(PlanAllowanceTest, WithoutAQuotaNobodyWaitsForItsNextWindow) {
  StingyGate gate(6);
  ASSERT_EQ(Backfill(gate)->slices, 6);
  ASSERT_EQ(Harvest(gate, SharedSpec("others"))->slices, 3);
  EXPECT_EQ(Tasks("ready = 0"), 0);
}

TEST_F(PlanAllowanceTest, TheDefinitionSaysHowManyTasksMayBeOpen) {
  StingyGate gate(1'000);
  auto spec = SharedSpec();
  spec.budget = domain::BudgetSpec{.open_tasks_max = 2};
  const auto planned = Harvest(gate, spec);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->slices, 2);
  EXPECT_NE(planned->reason.find("queue holds 2 tasks of demo/items/HARVEST"), std::string::npos);
}

TEST_F(PlanAllowanceTest, ADryRunNamesWhatWouldStopIt) {
  const auto preview = [&](StingyGate& gate, const domain::SpecSnapshot& spec,
                           PlanOptions options = {}) {
    options.dry_run = true;
    return *PlanHarvest(PortsOf(*ports_, clock_, ids_, &gate))
                .Run({.spec = spec, .options = options});
  };
  StingyGate rich(1'000);
  EXPECT_FALSE(preview(rich, SharedSpec()).stops_after);
  auto narrow = SharedSpec();
  narrow.budget = domain::BudgetSpec{.open_tasks_max = 2};
  const auto by_queue = preview(rich, narrow);
  EXPECT_EQ(by_queue.stops_after, 2);
  EXPECT_EQ(by_queue.slices, 3) << "what it is all in all";
  EXPECT_NE(by_queue.reason.find("queue holds 2"), std::string::npos) << by_queue.reason;
  StingyGate poor(1);
  const auto by_provider = preview(poor, SharedSpec());
  EXPECT_EQ(by_provider.stops_after, 1);
  EXPECT_NE(by_provider.reason.find("provider allows"), std::string::npos) << by_provider.reason;
  const auto by_command = preview(rich, SharedSpec(), {.requests_max = 2});
  EXPECT_EQ(by_command.stops_after, 2);
  EXPECT_NE(by_command.reason.find("‹wish.max_requests 2›"), std::string::npos)
      << by_command.reason;
  EXPECT_EQ(Count("SELECT count(*) FROM ing_schedule_instance"), 0);
}

TEST_F(PlanAllowanceTest, ATriggerSaysHowManyOfItsTasksRunAtOnce) {
  PlanHarvest harvest(PortsOf(*ports_, clock_, ids_));
  ASSERT_EQ(harvest.Run({.spec = SharedSpec(), .options = {.tasks_at_once = 2}})->slices, 3);
  ASSERT_EQ(harvest.Run({.spec = SharedSpec("others")})->slices, 3);
  const auto claimed = Claim(10);
  EXPECT_EQ(claimed.size(), 5u) << "two of the one, all of the other";
  EXPECT_TRUE(Claim(10).empty());
  for (const auto& task : claimed) {
    if (task.lane.endpoint == "items") {
      Finish(task);
      break;
    }
  }
  EXPECT_EQ(Claim(10).size(), 1u);
}

}  // namespace patra::app::plan_allowance_test
