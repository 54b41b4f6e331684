// What planning promises as a whole, one test per promise. That of all three operations is in update_test.cc, those that
// need no provider in tests/app/plan and tests/domain.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/plan/plan_harvest.h"
#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"

namespace patra::planning_acceptance_test {

using namespace std::chrono_literals;
using std::chrono::days;
using Kind = app::Planned::Kind;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 11 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class PlanningAcceptance : public testing::SimWorld, public ::testing::Test {
 protected:
  void SetUp() override {
    Start({.seed = 5, .size = 800, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    spec_ = testing::SimRest("items", simulator_->url(), kBegin);
    spec_.window.width = spec_.window.width_max = days(10);
    spec_.paging.size = 20;
  }

  app::Planned PlanHarvest(const app::PlanOptions& options = {}) {
    const auto planned =
        app::PlanHarvest(engine_->plan_ports()).Run({.spec = spec_, .options = options});
    EXPECT_TRUE(planned) << planned.error().Describe();
    return planned.value_or(app::Planned{});
  }

  app::WorkSummary WorkOff() {
    const auto worked = engine_->work().Run({.workers = 0, .drain = true}, [](const auto&) {});
    EXPECT_TRUE(worked) << worked.error().Describe();
    return worked.value_or(app::WorkSummary{});
  }

  // An executor that ends after so many requests, and another one that comes after it.
  void WorkSome(std::int64_t requests_max) {
    const auto worked =
        engine_->work().Run({.workers = 0, .requests_max = requests_max}, [](const auto&) {});
    ASSERT_TRUE(worked) << worked.error().Describe();
    EXPECT_GT(worked->left, 0);
    engine_.reset();
    auto engine = boot::Engine::Open({.database = database_, .allow_loopback = true}, *clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
  }

  void ExpectTruth() {
    const auto to =
        Count("SELECT max(normalized_instant) FROM ing_cursor WHERE operation_code = 'HARVEST'");
    const auto difference = boot::CompareWithTruth(
        *simulator_, engine_->store().read().items(), kBegin, Instant(Duration(to)),
        {.truth = "rest/deleted", .provenance = "sim-rest", .endpoint = "items"});
    ASSERT_TRUE(difference) << difference.error().Describe();
    EXPECT_GT(difference->truth, 0);
    EXPECT_TRUE(difference->empty())
        << difference->missing << " missing, " << difference->wrong << " wrong";
  }

  void SetFaults(const char* scenario) { ASSERT_TRUE(simulator_->SetFaults(*ParseJson(scenario))); }

  domain::SpecSnapshot spec_;
};

TEST_F(PlanningAcceptance, TheSameTriggerUnderABudgetMakesNoTaskTwice) {
  int rounds = 0;
  while (PlanHarvest({.requests_max = 2}).is_partial) ASSERT_LT(++rounds, 20);
  EXPECT_GT(rounds, 0);
  const auto tasks = Count("SELECT count(*) FROM ing_task");
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), tasks);
  EXPECT_EQ(Count("SELECT count(DISTINCT idempotent_key) FROM ing_task"), tasks);
  EXPECT_EQ(PlanHarvest().slices, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), tasks);
}

TEST_F(PlanningAcceptance, BatchesHappenOnceAndTheRateGoesDownWhenItHasTo) {
  SetFaults(
      R"({"seed":3,"faults":[{"kind":"too_many_requests","probability":0.1,"retry_after":"1s"},
                                   {"kind":"server_error","probability":0.1}]})");
  PlanHarvest();
  EXPECT_EQ(WorkOff().failed, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM (SELECT 1 FROM ing_task_run_batch WHERE status_code = "
                  "'SUCCEEDED' GROUP BY task_id, batch_no HAVING count(*) > 1) AS twice"),
            0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE status_code = 'SUCCEEDED' AND "
                  "received - repeated <> announced"),
            0);
  EXPECT_GT(Count("SELECT count(*) FROM ing_task_run WHERE stats LIKE '%\"rateAdjusted\":true%'"),
            0);
  ExpectTruth();
}

// What failed says at which place, under which snapshot and why; and goes on there.
TEST_F(PlanningAcceptance, AFailureIsReplayedFromItsVeryBatch) {
  spec_.retry.circuit_failures_max = 10;  // a batch is to fail, and not to wait for the breaker
  PlanHarvest();
  WorkSome(2);
  SetFaults(R"({"faults":[{"kind":"server_error","probability":1,"times":5}]})");
  EXPECT_EQ(WorkOff().failed, 0);
  const std::string failed =
      "SELECT count(*) FROM ing_task_run_batch AS batch JOIN ing_plan AS plan ON plan.id = "
      "batch.plan_id WHERE batch.status_code = 'FAILED'";
  EXPECT_GT(Count(failed), 0);
  EXPECT_EQ(Count(failed + " AND (batch.error IS NULL OR batch.expr_hash = '' OR "
                           "plan.spec_fingerprint = '' OR plan.expr_proto_snapshot = '')"),
            0);

  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1);
  EXPECT_EQ(
      Count("SELECT count(*) FROM (SELECT 1 FROM ing_task_run_batch WHERE status_code = "
            "'SUCCEEDED' GROUP BY task_id, page_no, before_token HAVING count(*) > 1) AS twice"),
      0)
      << "no page was fetched a second time";
  ExpectTruth();
}

// Executors run what the snapshot says; who plans, and with what, meanwhile changes nothing for them.
TEST_F(PlanningAcceptance, PlannersComeAndGoAndChangeNothingForWhatRuns) {
  const auto first = PlanHarvest();
  const auto kept =
      fmt::format("SELECT count(*) FROM ing_plan WHERE id = {} AND spec_fingerprint = '{}'",
                  first.plan, domain::SpecFingerprint(spec_));
  EXPECT_EQ(Count(kept), 1);
  // Some of it is done, then a planner of a newer release comes, with another definition.
  WorkSome(3);
  spec_.paging.size = 7;
  EXPECT_EQ(PlanHarvest().slices, 0) << "it is under way";
  EXPECT_EQ(Count(kept), 1);
  EXPECT_EQ(WorkOff().failed, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task_run_batch WHERE status_code = 'SUCCEEDED' AND "
                  "json_extract(request_digest, '$.query.size') = '7'"),
            0);
  ExpectTruth();
}

TEST_F(PlanningAcceptance, EveryBatchAndCursorStepLeadsBackToItsTrigger) {
  PlanHarvest();
  WorkOff();
  const auto batches = Count("SELECT count(*) FROM ing_task_run_batch");
  EXPECT_GT(batches, 10);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task_run_batch AS batch "
                  "JOIN ing_task_run AS run ON run.id = batch.run_id "
                  "JOIN ing_task AS task ON task.id = run.task_id AND task.id = batch.task_id "
                  "JOIN ing_plan_slice AS slice ON slice.id = task.slice_id "
                  "JOIN ing_plan AS plan ON plan.id = slice.plan_id AND plan.id = batch.plan_id "
                  "JOIN ing_schedule_instance AS fired ON fired.id = plan.schedule_instance_id"),
            batches);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_item AS item WHERE NOT EXISTS (SELECT 1 FROM "
                  "ing_task_run_batch AS batch WHERE batch.id = item.batch_id)"),
            0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_cursor_event AS event WHERE NOT EXISTS (SELECT 1 FROM "
                  "ing_task_run_batch AS batch WHERE batch.run_id = event.run_id)"),
            0);
}

// A key that is hit finds what was there and goes on with it.
TEST_F(PlanningAcceptance, AHitKeyReadsTheOldStateAndGoesOn) {
  const app::HarvestCommand window{.spec = spec_, .from = kBegin, .to = kBegin + days(20)};
  app::PlanHarvest planner(engine_->plan_ports());
  const auto first = planner.Run(window);
  ASSERT_TRUE(first) << first.error().Describe();
  EXPECT_EQ(first->kind, Kind::kCreated);
  const auto again = planner.Run(window);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Kind::kAlreadyPlanned);
  EXPECT_EQ(again->plan, first->plan);
  WorkOff();
  const auto items = Count("SELECT count(*) FROM ing_item");
  const auto after = planner.Run(window);
  ASSERT_TRUE(after);
  EXPECT_EQ(after->plan, first->plan);
  EXPECT_EQ(after->slices, 0);
  EXPECT_EQ(WorkOff().totals.requests, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_item"), items);
}

// Planner and executor share nothing but the store: each may be another process, started when it pleases.
TEST_F(PlanningAcceptance, AnExecutorOfItsOwnNeedsNothingButTheStore) {
  const auto planned = PlanHarvest();
  auto executor = boot::Engine::Open({.database = database_, .allow_loopback = true}, *clock_);
  ASSERT_TRUE(executor) << executor.error().Describe();
  const auto worked = (*executor)->work().Run({.workers = 0}, [](const auto&) {});
  ASSERT_TRUE(worked) << worked.error().Describe();
  EXPECT_EQ(worked->succeeded, planned.slices);
  EXPECT_EQ(PlanHarvest().kind, Kind::kNothingDue) << "the planner sees what was done";
  ExpectTruth();
}

}  // namespace patra::planning_acceptance_test
