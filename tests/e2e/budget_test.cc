// What a source, endpoint and operation may use, whatever the provider allows.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/plan/plan_backfill.h"
#include "app/plan/plan_harvest.h"
#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"

namespace patra::budget_test {

using namespace std::chrono_literals;
using std::chrono::days;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 12 / 1}};
const Instant kNow = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 6h;

class Budget : public testing::SimWorld, public ::testing::Test {
 protected:
  void SetUp() override {
    Start({.seed = 5, .size = 400, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    spec_ = testing::SimRest("items", simulator_->url(), kBegin);
    spec_.window.width = spec_.window.width_max = days(31);
    spec_.paging.size = 20;
  }

  app::Planned Plan() {
    const auto planned = app::PlanHarvest(engine_->plan_ports()).Run({.spec = spec_});
    EXPECT_TRUE(planned) << planned.error().Describe();
    return planned.value_or(app::Planned{});
  }
  app::WorkSummary WorkOff() {
    const auto worked = engine_->work().Run({.workers = 0}, [](const auto&) {});
    EXPECT_TRUE(worked) << worked.error().Describe();
    return worked.value_or(app::WorkSummary{});
  }
  std::int64_t RequestsOf(const std::string& run) {
    return Count(
        "SELECT coalesce(sum(json_extract(stats, '$.reqCount')), 0) FROM (SELECT * FROM "
        "ing_task_run WHERE " +
        run + ") AS runs");
  }

  domain::SpecSnapshot spec_;
};

TEST_F(Budget, ARunThatHasMadeItsRequestsEndsPartialAndTheRestGoesOnLater) {
  spec_.budget = domain::BudgetSpec{.requests_max = 4, .pause = 30min};
  Plan();
  const auto first = WorkOff();
  EXPECT_EQ(first.spent, 1);
  EXPECT_EQ(first.left, 1);
  const std::string spent = "status_code = 'PARTIAL' ORDER BY id DESC LIMIT 1";
  EXPECT_EQ(RequestsOf(spent), 4);
  ASSERT_TRUE(first.waits);
  EXPECT_TRUE(first.waits->what.starts_with("BUDGET: 4 requests")) << first.waits->what;
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task_run WHERE status_code = 'PARTIAL'"), 1);
  EXPECT_EQ(WorkOff().totals.requests, 0) << "not before its time";

  int runs = 1;
  while (Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'") == 0) {
    ASSERT_LT(++runs, 40);
    clock_->SleepFor(31min);
    WorkOff();
    EXPECT_LE(RequestsOf(spent), 4);
  }
  EXPECT_GT(runs, 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE received - repeated <> announced"), 0);
  EXPECT_GT(Count("SELECT count(*) FROM ing_item"), 100);
}

TEST_F(Budget, ThePlannerLearnsFromTheFirstPageHowMuchASliceStillTakes) {
  spec_.budget = domain::BudgetSpec{.requests_max = 1, .pause = 30min};
  Plan();
  EXPECT_EQ(Count("SELECT max(requests_left) FROM ing_task"), 1) << "without history";
  WorkOff();
  EXPECT_GE(Count("SELECT max(requests_left) FROM ing_task WHERE status_code = 'QUEUED'"), 10)
      << "some four hundred records in pages of twenty";
}

TEST_F(Budget, RecordsAndTimeEndARunLikewise) {
  spec_.budget = domain::BudgetSpec{.records_max = 50, .pause = 30min};
  Plan();
  const auto by_records = WorkOff();
  EXPECT_EQ(by_records.spent, 1);
  EXPECT_EQ(Count("SELECT json_extract(stats, '$.retCount') FROM ing_task_run WHERE status_code = "
                  "'PARTIAL'"),
            60)
      << "whole pages of twenty";

  spec_.budget = domain::BudgetSpec{.duration_max = 1s, .pause = 30min};
  spec_.limits = {{.rate = domain::RateSpec{.requests = 2, .per = 1s}}};
  spec_.provenance = "slow";
  Plan();
  const auto by_time = WorkOff();
  EXPECT_EQ(by_time.spent, 1);
  EXPECT_LE(RequestsOf("provenance_code = 'slow' AND status_code = 'PARTIAL'"), 4);
}

TEST_F(Budget, WhatACommandBoundsTheNextCommandGoesOnWithAtOnce) {
  const app::PlanOptions options{.requests_max = 4};
  ASSERT_TRUE(app::PlanHarvest(engine_->plan_ports()).Run({.spec = spec_, .options = options}));
  const auto work = [&] {
    return *engine_->work().Run({.workers = 0, .requests_max = 4}, [](const auto&) {});
  };
  const auto first = work();
  EXPECT_TRUE(first.is_at_limit);
  EXPECT_GT(first.left, 0);
  engine_.reset();
  auto engine = boot::Engine::Open({.database = database_, .allow_loopback = true}, *clock_);
  ASSERT_TRUE(engine) << engine.error().Describe();
  engine_ = *std::move(engine);
  EXPECT_GT(work().totals.requests, 0);
}

TEST_F(Budget, SlicesThatAreCutByTheirFirstPageStayWithinWhatACommandMaySend) {
  spec_.window.width = spec_.window.width_max = 6h;
  Plan();
  for (const std::int64_t most : {1, 7, 40}) {
    SCOPED_TRACE(most);
    const auto before = RequestsOf("TRUE");
    const auto worked =
        engine_->work().Run({.workers = 0, .requests_max = most}, [](const auto&) {});
    ASSERT_TRUE(worked) << worked.error().Describe();
    EXPECT_TRUE(worked->is_at_limit);
    EXPECT_FALSE(worked->is_stopped);
    EXPECT_EQ(worked->totals.requests, most);
    EXPECT_EQ(RequestsOf("TRUE") - before, most) << "by the ledger";
  }
  WorkOff();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1);
}

TEST_F(Budget, WhatCannotBeComeBackToIsCutInsteadOfReadAnewEachTime) {
  for (const auto* endpoint : {"by-scroll", "by-token"}) {
    SCOPED_TRACE(endpoint);
    spec_ = testing::SimRest(endpoint, simulator_->url(), kBegin);
    if (spec_.paging.replayable) spec_.paging.token_lifetime = 5min;
    spec_.window.width = spec_.window.width_max = days(31);
    spec_.paging.size = 20;
    spec_.budget = domain::BudgetSpec{.requests_max = 4, .pause = 30min};
    Plan();
    const auto first = WorkOff();
    EXPECT_EQ(first.recut, 1);
    EXPECT_GT(first.left, 1);
    EXPECT_EQ(WorkOff().totals.requests, 0) << "the pieces wait, too";
    for (int i = 0; i < 10; ++i) {
      clock_->SleepFor(31min);
      WorkOff();
    }
    EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code IN ('QUEUED', 'FAILED')"), 0);
  }
}

TEST_F(Budget, AnOperationHasAQuotaOfItsOwnWhichOthersDoNotSpend) {
  spec_.window.width = spec_.window.width_max = days(2);
  spec_.operation = "BACKFILL";
  spec_.budget = domain::BudgetSpec{.quotas = {{.requests = 5, .per = 24h}}};
  app::PlanBackfill backfill(engine_->plan_ports());
  const auto planned =
      backfill.Run({.spec = spec_, .scope = app::BackfillRange{kBegin, kBegin + days(20)}});
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 5) << "no more than the budget of a day";
  EXPECT_TRUE(planned->is_partial);
  const auto worked = WorkOff();
  EXPECT_EQ(worked.totals.requests, 5);
  EXPECT_EQ(Count("SELECT reserved FROM ing_quota WHERE rate_key = 'sim-rest/items/BACKFILL'"), 5);

  spec_.operation = "HARVEST";
  spec_.budget.reset();
  Plan();
  EXPECT_GT(WorkOff().totals.requests, 5);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE operation_code = 'HARVEST' AND status_code "
                  "<> 'SUCCEEDED'"),
            0);
}

TEST_F(Budget, ASliceThatIsShortOfQuotaIsCutThereAndItsRestComesAfterTheReset) {
  spec_ = testing::SimRest("by-time", simulator_->url(), kBegin);
  spec_.window.width = spec_.window.width_max = days(40);
  spec_.paging.size = 20;
  spec_.limits = {{.quotas = {{.requests = 4, .per = 24h}}, .quota_reserve = 0}};
  Plan();
  const auto first = WorkOff();
  EXPECT_EQ(first.totals.requests, 4);
  EXPECT_EQ(first.recut, 1);
  const auto tomorrow = std::chrono::floor<days>(kNow) + days(1);
  EXPECT_EQ(Count(fmt::format("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED' AND "
                              "scheduled_at < {}",
                              tomorrow.time_since_epoch() / 1us)),
            0);
  EXPECT_GT(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 0);
  EXPECT_GT(Count("SELECT max(normalized_instant) FROM ing_cursor"),
            kBegin.time_since_epoch() / 1us)
      << "what was read is proven and need not be read again";
  for (int day = 0; day < 30 && Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'");
       ++day) {
    clock_->SleepFor(24h);
    EXPECT_LE(WorkOff().totals.requests, 5);
  }
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 1);
}

TEST_F(Budget, ABackfillLeavesAPartOfTheQuotaToTheHarvest) {
  spec_.window.width = spec_.window.width_max = days(1);
  spec_.limits = {{.quotas = {{.requests = 20, .per = 24h}},
                   .quota_reserve = 0,
                   .per = domain::RateScope::kSource,
                   .urgent_quota = 0.8}};
  auto past = spec_;
  past.operation = "BACKFILL";
  const auto planned =
      app::PlanBackfill(engine_->plan_ports())
          .Run({.spec = past, .scope = app::BackfillRange{kBegin, kBegin + days(20)}});
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 8) << "6 o'clock: 12 of the 16 are kept";
  const auto backfilled = WorkOff().totals.requests;
  EXPECT_THAT(backfilled, ::testing::AllOf(::testing::Ge(8), ::testing::Le(9)));
  spec_.window.start = kNow - days(20);
  Plan();
  EXPECT_EQ(WorkOff().totals.requests + backfilled, 20) << "the harvest has all of the rest";
}

}  // namespace patra::budget_test
