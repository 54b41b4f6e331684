// What every store must answer to dashboards.
#include "contract/lineage.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::dashboard_queries_contract_test {

using testing::kHour;
using testing::kStart;

class DashboardQueriesContract : public testing::LedgerTest {
 protected:
  contract::DashboardQueries& dashboard() { return ports_->read().dashboard(); }
  contract::Stretch LastHour() { return {clock_.Now() - kHour, clock_.Now() + kHour}; }

  // One batch that was stored, and the row of the next one.
  app::LeasedTask Walked(domain::TaskStatus status) {
    const auto task = Claim(1).at(0);
    const auto run = *ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, run, {RecordOf("a", kStart)});
    batch.after = app::Position{.page = 2};
    batch.latency_ms = 48;
    batch.retries = 1;
    batch.throttled = 1;
    EXPECT_TRUE(ports_->runs().Commit(batch));
    EXPECT_TRUE(ports_->runs().Close({.task = task,
                                      .lineage = run.lineage,
                                      .status = status,
                                      .gap = status == domain::TaskStatus::kSucceeded
                                                 ? std::nullopt
                                                 : std::optional<std::string>("it is broken"),
                                      .error = std::nullopt}));
    return task;
  }
};
RUN_ON_EVERY_LEDGER(DashboardQueriesContract);

TEST_P(DashboardQueriesContract, AnEmptyStoreHasAnEmptyQueueAndNoErrors) {
  EXPECT_TRUE(dashboard().Queue({}, LastHour())->rows.empty());
  EXPECT_TRUE(dashboard().TopErrors({.level = "", .within = LastHour()})->rows.empty());
}

TEST_P(DashboardQueriesContract, TheQueueShowsWhatWaitsRunsAndWasDoneOfEachLane) {
  Planned(0, 4);
  Planned(0, 1, "other");
  Walked(domain::TaskStatus::kSucceeded);
  const auto parked = Claim(1).at(0);
  ASSERT_TRUE(ports_->queue().Release(parked, clock_.Now() + kHour, "QUOTA"));
  const auto snapshot = dashboard().Queue({}, LastHour());
  ASSERT_TRUE(snapshot) << snapshot.error().Describe();
  ASSERT_EQ(snapshot->rows.size(), 2u);
  std::int64_t ready = 0, waiting = 0, claims = 0, succeeded = 0, latency = 0, throttled = 0;
  for (const auto& row : snapshot->rows) {
    EXPECT_EQ(row.scope.operation, "HARVEST");
    ready += row.ready;
    waiting += row.parked;
    claims += row.claims;
    succeeded += row.batches_succeeded;
    latency += row.latency_ms;
    throttled += row.throttled;
  }
  EXPECT_EQ(ready, 3);
  EXPECT_EQ(waiting, 1);
  EXPECT_EQ(claims, 1);
  EXPECT_EQ(succeeded, 1);
  EXPECT_EQ(latency, 48);
  EXPECT_EQ(throttled, 1);
  EXPECT_FALSE(snapshot->parked_is_cut);
  EXPECT_EQ(dashboard().Queue({.source = "other"}, LastHour())->rows.size(), 1u);
  EXPECT_EQ(dashboard().Queue({.source = "demo", .operation = "UPDATE"}, LastHour())->rows.size(),
            0u);
  const auto before = dashboard().Queue({}, {clock_.Now() - 3 * kHour, clock_.Now() - 2 * kHour});
  for (const auto& row : before->rows) EXPECT_EQ(row.claims + row.batches_succeeded, 0);
  EXPECT_EQ(dashboard().Queue({.operation = "NOPE"}, LastHour()).error().code,
            ErrorCode::kInvalidInput);
}

TEST_P(DashboardQueriesContract, RunningTasksAreThoseThatSomebodyHolds) {
  Planned(0, 2);
  const auto task = Claim(1).at(0);
  EXPECT_EQ(dashboard().Queue({}, LastHour())->rows.at(0).dispatched, 1);
  ASSERT_TRUE(ports_->runs().Open(task, kFirstPage));
  const auto row = dashboard().Queue({}, LastHour())->rows.at(0);
  EXPECT_EQ(row.executing, 1);
  EXPECT_EQ(row.dispatched, 0);
  EXPECT_EQ(row.ready, 1);
}

TEST_P(DashboardQueriesContract, FailuresThatAreAlikeAreOneKind) {
  Planned(0, 3);
  for (int i = 0; i < 3; ++i) Walked(domain::TaskStatus::kFailed);
  const auto newest = ports_->read().ledger().Batches({.rows_max = 1})->at(0);
  ports_->Execute(
      "UPDATE ing_task_run_batch SET status_code = 'FAILED', error_level = 'L2', "
      "error = 'HTTP 500 after 17 ms'");
  ports_->Execute("UPDATE ing_task_run_batch SET error = 'HTTP 500 after 4 ms' WHERE batch_no = 2");
  const auto top = dashboard().TopErrors({.level = "", .within = LastHour()});
  ASSERT_TRUE(top) << top.error().Describe();
  ASSERT_EQ(top->rows.size(), 1u);
  EXPECT_EQ(top->rows[0].batches, 6);
  EXPECT_EQ(top->rows[0].level, "L2");
  EXPECT_EQ(ports_->read().ledger().Batch(top->rows[0].newest)->created_at, newest.created_at);
  EXPECT_EQ(top->rows[0].last_at, newest.created_at);

  ports_->Execute("UPDATE ing_task_run_batch SET error = 'a broken page' WHERE batch_no = 2");
  const auto two = dashboard().TopErrors({.level = "L2", .within = LastHour()});
  ASSERT_EQ(two->rows.size(), 2u);
  EXPECT_EQ(two->rows[0].batches, 3);
  EXPECT_EQ(dashboard().TopErrors({.level = "L4", .within = LastHour()})->rows.size(), 0u);
  EXPECT_EQ(dashboard().TopErrors({.level = "", .within = LastHour(), .kinds_max = 1})->rows.size(),
            1u);
  EXPECT_EQ(dashboard()
                .TopErrors({.level = "", .within = {kStart - kHour, kStart - kHour / 2}})
                ->rows.size(),
            0u);
  EXPECT_EQ(dashboard()
                .TopErrors({.filter = {.source = "other"}, .level = "", .within = LastHour()})
                ->rows.size(),
            0u);
}

TEST_P(DashboardQueriesContract, ALineageGoesDownToTheBatchesInPages) {
  const auto plan = Planned(0, 3);
  const auto task = Walked(domain::TaskStatus::kFailed);
  auto& ledger = ports_->read().ledger();
  const contract::LineageBounds bounds{.slices_max = 2, .runs_max = 5, .batches_max = 1};
  const auto first = contract::LineageOf(ledger, plan.id, std::nullopt, bounds);
  ASSERT_TRUE(first) << first.error().Describe();
  EXPECT_EQ(first->plan.id, plan.id);
  ASSERT_EQ(first->slices.size(), 2u);
  EXPECT_TRUE(first->has_more_slices);
  const auto second = contract::LineageOf(
      ledger, plan.id, contract::LedgerPlace{.id = first->slices.back().slice.id}, bounds);
  ASSERT_EQ(second->slices.size(), 1u);
  EXPECT_FALSE(second->has_more_slices);

  std::vector<contract::SliceLineage> all = first->slices;
  all.push_back(second->slices[0]);
  for (const auto& slice : all) {
    ASSERT_TRUE(slice.task);
    EXPECT_EQ(slice.runs.size(), slice.task->id == task.lineage.task ? 1u : 0u);
    if (slice.runs.empty()) continue;
    EXPECT_EQ(slice.runs[0].batches.size(), 1u);
    EXPECT_TRUE(slice.runs[0].has_more_batches);
  }
  EXPECT_EQ(contract::LineageOf(ledger, 1, std::nullopt, bounds).error().code,
            ErrorCode::kNotFound);
}

TEST_P(DashboardQueriesContract, WhatWasDoneIsThereStepByStep) {
  Planned(0, 2);
  Planned(0, 1, "other");
  const auto from = std::chrono::floor<std::chrono::minutes>(clock_.Now());
  Walked(domain::TaskStatus::kSucceeded);
  clock_.Advance(std::chrono::minutes(10));
  Walked(domain::TaskStatus::kFailed);
  Walked(domain::TaskStatus::kSucceeded);
  const auto steps = contract::PastSteps::Of({from, from + std::chrono::minutes(15)}, 3);
  EXPECT_EQ(steps.step, std::chrono::minutes(5));
  ASSERT_EQ(steps.count, 3u);
  const auto history = dashboard().WorkHistory({}, steps);
  ASSERT_TRUE(history) << history.error().Describe();
  ASSERT_EQ(history->all.size(), 3u);
  EXPECT_FALSE(history->claims_from);
  const auto& [first, between, last] = std::tie(history->all[0], history->all[1], history->all[2]);
  EXPECT_EQ(first.claims, 1);
  EXPECT_EQ(first.batches_succeeded, 1);
  EXPECT_EQ(first.batches_failed, 0);
  EXPECT_EQ(first.requests, 2);
  EXPECT_EQ(first.retries, 1);
  EXPECT_EQ(first.throttled, 1);
  EXPECT_EQ(first.latency_ms, 48);
  EXPECT_EQ(first.records, 1);
  EXPECT_EQ(between.claims + between.requests, 0);
  EXPECT_EQ(last.claims, 2);
  EXPECT_EQ(last.batches_succeeded, 2);
  ASSERT_EQ(history->endpoints.size(), 2u);
  EXPECT_EQ(dashboard().WorkHistory({.source = "other"}, steps)->endpoints.size(), 1u);
  EXPECT_EQ(dashboard().WorkHistory({.operation = "UPDATE"}, steps)->endpoints.size(), 0u);
  const auto value = ToValue(*history);
  EXPECT_EQ(value.Find("at")->AsArray()->size(), 3u);
  EXPECT_EQ(*value.Find("all")->Find("throttledShare")->AsArray()->at(0).AsDouble(), 0.5);
  EXPECT_TRUE(value.Find("all")->Find("throttledShare")->AsArray()->at(1).is_null());
}

TEST_P(DashboardQueriesContract, WhatWasSentIsHeldAgainstWhatWasAllowed) {
  auto& rates = ports_->store().rates();
  const auto minute = std::chrono::floor<std::chrono::minutes>(clock_.Now());
  const auto row = [&](int number, const char* key, const char* endpoint) {
    return app::SentInMinute{.minute = minute + std::chrono::minutes(number),
                             .key = key,
                             .provenance = "demo",
                             .endpoint = endpoint,
                             .requests = 30,
                             .share_ppm_sum = 30 * 500'000,
                             .limit_per_day = 2 * 86'400};
  };
  auto slowed = row(0, "demo", "items");
  slowed.throttled = 3;
  slowed.cuts = 1;
  slowed.cool_downs = 1;
  slowed.stopped_until = minute + kHour;
  ASSERT_TRUE(rates.Add({slowed, row(0, "demo", "other"), row(0, "demo/other", "other")}));
  ASSERT_TRUE(rates.Add({row(0, "demo", "items"), row(2, "demo", "items")}));
  const auto steps = contract::PastSteps::Of({minute, minute + std::chrono::minutes(4)}, 10);
  const auto history = dashboard().GateHistory("", steps);
  ASSERT_TRUE(history) << history.error().Describe();
  ASSERT_EQ(history->keys.size(), 2u);
  EXPECT_EQ(history->keys[1].key, "demo/other");
  const auto& past = history->keys[0].steps;
  ASSERT_EQ(past.size(), 4u);
  EXPECT_EQ(past[0].requests, 90) << "of both endpoints and all processes";
  EXPECT_EQ(past[0].throttled, 3);
  EXPECT_EQ(past[0].cuts, 1);
  EXPECT_EQ(past[0].cool_downs, 1);
  EXPECT_EQ(past[0].stopped_until, minute + kHour);
  EXPECT_EQ(past[0].limit_per_second(), 2.0);
  EXPECT_EQ(past[0].allowed_per_second(), 1.0) << "half of it";
  EXPECT_EQ(past[1].requests, 0);
  EXPECT_FALSE(past[1].allowed_per_second());
  EXPECT_EQ(past[2].requests, 30);
  EXPECT_EQ(dashboard().GateHistory("demo/other", steps)->keys.size(), 1u);
  const auto value = ToValue(*history);
  EXPECT_EQ(value.Find("items")->AsArray()->at(0).Find("requestsPerSecond")->AsArray()->size(), 4u);
  clock_.Advance(app::kRatesKept + std::chrono::minutes(1));
  ASSERT_TRUE(rates.Add({}));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_gate_minute"), 1) << "the old ones go";
}

TEST_P(DashboardQueriesContract, TheStatusSaysHowMuchOfItsLimitAnEndpointUses) {
  Planned(0, 1);
  Walked(domain::TaskStatus::kSucceeded);
  const auto minute = std::chrono::floor<std::chrono::minutes>(clock_.Now());
  const auto sent = [&](const char* key, const char* endpoint, std::int64_t requests) {
    return app::SentInMinute{.minute = minute,
                             .key = key,
                             .provenance = "demo",
                             .endpoint = endpoint,
                             .requests = requests,
                             .share_ppm_sum = requests * 1'000'000,
                             .limit_per_day = 86'400};
  };
  ASSERT_TRUE(ports_->store().rates().Add(
      {sent("demo", "items", 15), sent("demo", "other", 15), sent("demo/items", "items", 15)}));
  const auto in_use = [&](Instant now) {
    const auto status = ports_->read().status().Status(now);
    EXPECT_TRUE(status) << status.error().Describe();
    return status->endpoints.at(0).rate;
  };
  EXPECT_FALSE(in_use(minute + std::chrono::seconds(59))) << "the minute is not over";
  const auto rate = in_use(minute + std::chrono::seconds(80));
  ASSERT_TRUE(rate);
  EXPECT_EQ(rate->key, "demo") << "the limit that is used most, by others, too";
  EXPECT_EQ(rate->requests_per_second, 0.5);
  EXPECT_EQ(rate->share(), 0.5);
  EXPECT_FALSE(in_use(minute + std::chrono::minutes(5)));
}

}  // namespace patra::dashboard_queries_contract_test
