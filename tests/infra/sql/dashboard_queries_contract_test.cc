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
    batch.evidence.sent = {.requests = 2, .retries = 1, .throttled = 1};
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

}  // namespace patra::dashboard_queries_contract_test
