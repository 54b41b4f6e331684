// What every store must answer about its ledger.
#include <functional>

#include <fmt/format.h>

#include "domain/window/provider_clock.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::ledger_queries_contract_test {

using contract::LedgerFilter;
using testing::kHour;
using testing::kStart;

class LedgerQueriesContract : public testing::LedgerTest {
 protected:
  contract::LedgerQueries& ledger() { return ports_->read().ledger(); }

  // Walks the first task of a plan with two batches, the second of them failed half-way.
  app::LeasedTask Walked(domain::TaskStatus status = domain::TaskStatus::kSucceeded) {
    const auto task = Claim(1).at(0);
    const auto run = *ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, run, {RecordOf("a", kStart)});
    batch.raw_page = app::RawPage{"application/json", "{}", clock_.Now()};
    batch.after = app::Position{.page = 2};
    batch.announced = 1;
    batch.latency_ms = 48;
    EXPECT_TRUE(ports_->runs().Commit(batch));
    EXPECT_TRUE(ports_->runs().Close({.task = task,
                                      .lineage = run.lineage,
                                      .status = status,
                                      .gap = status == domain::TaskStatus::kSucceeded
                                                 ? std::nullopt
                                                 : std::optional<std::string>("page 2 is broken"),
                                      .error = std::nullopt}));
    return task;
  }

  template <typename Row>
  static std::vector<Id> IdsOf(const Result<std::vector<Row>>& rows) {
    EXPECT_TRUE(rows) << rows.error().Describe();
    std::vector<Id> ids;
    for (const auto& row : *rows) ids.push_back(row.id);
    return ids;
  }

  static bool AreNewestFirst(const std::vector<Id>& ids) {
    return std::ranges::is_sorted(ids, std::greater());
  }
};
RUN_ON_EVERY_LEDGER(LedgerQueriesContract);

TEST_P(LedgerQueriesContract, AnEmptyStoreHasEmptyLists) {
  EXPECT_TRUE(ledger().Plans({})->empty());
  EXPECT_TRUE(ledger().Slices({})->empty());
  EXPECT_TRUE(ledger().Tasks({})->empty());
  EXPECT_TRUE(ledger().Runs({})->empty());
  EXPECT_TRUE(ledger().Batches({})->empty());
  EXPECT_TRUE(ledger().Cursors({})->empty());
  EXPECT_EQ(ledger().Plan(1).error().code, ErrorCode::kNotFound);
}

TEST_P(LedgerQueriesContract, ListsAreNewestFirstAndBounded) {
  const auto first = Planned(0, 3);
  clock_.Advance(kHour);
  const auto second = Planned(3, 6, "other");
  const auto plans = IdsOf(ledger().Plans({}));
  EXPECT_EQ(plans, (std::vector{second.id, first.id}));
  EXPECT_EQ(IdsOf(ledger().Plans({.rows_max = 1})), std::vector{second.id});
  const auto slices = IdsOf(ledger().Slices({}));
  EXPECT_EQ(slices.size(), 6u);
  EXPECT_TRUE(AreNewestFirst(slices));
  EXPECT_TRUE(AreNewestFirst(IdsOf(ledger().Tasks({}))));
  EXPECT_EQ(IdsOf(ledger().Tasks({.rows_max = 4})).size(), 4u);
}

// Pages of one list, each asked for after the last row of the one before; `between` happens meanwhile.
template <typename Row>
std::vector<Id> Paged(
    const std::function<Result<std::vector<Row>>(const LedgerFilter&)>& ask, LedgerFilter filter,
    const std::function<contract::LedgerPlace(const Row&)>& place_of,
    const std::function<void()>& between = [] {}) {
  std::vector<Id> ids;
  filter.rows_max = 2;
  for (int page = 0; page < 100; ++page) {
    const auto rows = ask(filter);
    EXPECT_TRUE(rows) << rows.error().Describe();
    if (!rows || rows->empty()) break;
    for (const auto& row : *rows) ids.push_back(row.id);
    filter.after = place_of(rows->back());
    if (page == 0) between();
  }
  return ids;
}

TEST_P(LedgerQueriesContract, ListsGoOnAfterARowWhateverIsAddedMeanwhile) {
  for (int i = 0; i < 5; ++i) Planned(i, i + 2, i % 2 == 0 ? "demo" : "other");
  const auto plans = IdsOf(ledger().Plans({}));
  const auto tasks = IdsOf(ledger().Tasks({}));
  ASSERT_EQ(plans.size(), 5u);
  EXPECT_EQ(
      Paged<contract::PlanRow>(
          [&](const auto& filter) { return ledger().Plans(filter); }, {},
          [](const auto& row) { return contract::LedgerPlace{.id = row.id, .at = row.created_at}; },
          [&] { Planned(20, 22, "demo"); }),
      plans);
  const auto slices = IdsOf(ledger().Slices({.source = "demo"}));
  const auto paged_slices =
      Paged<contract::SliceRow>([&](const auto& filter) { return ledger().Slices(filter); },
                                {.source = "demo", .status = "READY"},
                                [](const auto& row) { return contract::LedgerPlace{.id = row.id}; },
                                [&] { Planned(30, 32, "demo"); });
  EXPECT_EQ(paged_slices, slices);
  EXPECT_GT(slices.size(), 2u);
  auto paged =
      Paged<contract::TaskRow>([&](const auto& filter) { return ledger().Tasks(filter); }, {},
                               [](const auto& row) { return contract::LedgerPlace{.id = row.id}; });
  EXPECT_EQ(paged, IdsOf(ledger().Tasks({})));
  EXPECT_GT(paged.size(), tasks.size());
}

TEST_P(LedgerQueriesContract, ListsOfBatchesAndCursorsGoOnAfterARow) {
  for (int i = 0; i < 3; ++i) {
    Planned(i, i + 1, i == 1 ? "other" : "demo");
    Walked(i == 1 ? domain::TaskStatus::kFailed : domain::TaskStatus::kSucceeded);
  }
  const auto place_of = [](const contract::BatchRow& row) {
    return contract::LedgerPlace{
        .id = row.id, .at = row.created_at, .run = row.run, .number = row.number};
  };
  const auto ask = [&](const auto& filter) { return ledger().Batches(filter); };
  EXPECT_EQ(IdsOf(ledger().Batches({})).size(), 6u);
  EXPECT_EQ(Paged<contract::BatchRow>(ask, {}, place_of), IdsOf(ledger().Batches({})));
  ports_->Execute("UPDATE ing_task_run_batch SET status_code = 'FAILED' WHERE batch_no = 2");
  const auto failed = IdsOf(ledger().Batches({.status = "FAILED"}));
  EXPECT_EQ(failed.size(), 3u);
  EXPECT_EQ(Paged<contract::BatchRow>(ask, {.status = "FAILED"}, place_of), failed);

  const auto cursors = IdsOf(ledger().Cursors({}));
  EXPECT_EQ(Paged<contract::CursorRow>(
                [&](auto filter) {
                  filter.rows_max = 1;
                  return ledger().Cursors(filter);
                },
                {}, [](const auto& row) { return contract::LedgerPlace{.id = row.id}; }),
            cursors);
  EXPECT_EQ(ledger().Cursors({.after = contract::LedgerPlace{.id = 1}}).error().code,
            ErrorCode::kInvalidInput);
}

TEST_P(LedgerQueriesContract, FiltersNarrowByScopeStateAndLineage) {
  const auto mine = Planned(0, 3);
  Planned(0, 2, "other");
  Planned(5, 6, "demo", domain::Operation::kBackfill);
  EXPECT_EQ(ledger().Slices({.source = "demo"})->size(), 4u);
  EXPECT_EQ(ledger().Slices({.source = "demo", .operation = "HARVEST"})->size(), 3u);
  EXPECT_EQ(ledger().Slices({.endpoint = "items", .operation = "BACKFILL"})->size(), 1u);
  EXPECT_EQ(ledger().Slices({.endpoint = "nothing"})->size(), 0u);
  EXPECT_EQ(ledger().Slices({.status = "SUCCEEDED"})->size(), 0u);
  EXPECT_EQ(ledger().Slices({.plan = mine.id})->size(), 3u);
  EXPECT_EQ(ledger().Tasks({.plan = mine.id})->size(), 3u);
  EXPECT_EQ(ledger().Tasks({.source = "other"})->size(), 2u);
  EXPECT_EQ(ledger().Plans({.source = "demo", .operation = "BACKFILL"})->size(), 1u);
  EXPECT_EQ(ledger().Plans({.status = "READY"})->size(), 3u);
  EXPECT_EQ(ledger().Plans({.status = "FAILED"})->size(), 0u);
}

TEST_P(LedgerQueriesContract, AStateThatDoesNotExistIsRefusedWithASuggestion) {
  const auto refused = ledger().Tasks({.status = "FAILD"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kInvalidInput);
  EXPECT_NE(refused.error().hint.find("FAILED"), std::string::npos);
  EXPECT_EQ(ledger().Plans({.operation = "HARVESTING"}).error().code, ErrorCode::kInvalidInput);
}

TEST_P(LedgerQueriesContract, EveryRowLeadsUpAndDown) {
  const auto plan = Planned(0, 1);
  const auto task = Walked();
  const auto run = ledger().Runs({.task = task.lineage.task})->at(0);
  const auto batch = ledger().Batches({.run = run.id})->at(1);
  EXPECT_EQ(batch.status, "SUCCEEDED");
  EXPECT_EQ(batch.records, 1);
  EXPECT_EQ(batch.raw_bytes, 2);
  EXPECT_EQ(batch.plan, plan.id);
  EXPECT_EQ(batch.slice, task.lineage.slice);
  EXPECT_EQ(ledger().Batch(batch.id)->id, batch.id);

  const auto slice = *ledger().Slice(task.lineage.slice);
  EXPECT_EQ(slice.task, task.lineage.task);
  EXPECT_EQ(slice.plan, plan.id);
  EXPECT_EQ(slice.sums.announced, 1);
  EXPECT_EQ(slice.sums.inserted, 1);
  EXPECT_EQ(slice.status, "SUCCEEDED");
  EXPECT_EQ(slice.window, (contract::Stretch{kStart, kStart + kHour}));
  EXPECT_TRUE(slice.closed_at.has_value());

  EXPECT_EQ(ledger().Task(task.lineage.task)->slice, slice.id);
  EXPECT_EQ(IdsOf(ledger().Tasks({.slice = slice.id})), std::vector{task.lineage.task});
  EXPECT_EQ(IdsOf(ledger().Runs({.slice = slice.id})), std::vector{run.id});
  EXPECT_EQ(IdsOf(ledger().Runs({.plan = plan.id})), std::vector{run.id});
  EXPECT_EQ(IdsOf(ledger().Runs({.source = "demo", .status = "SUCCEEDED"})), std::vector{run.id});
  EXPECT_EQ(ledger().Batches({.plan = plan.id})->size(), 2u);
  EXPECT_EQ(ledger().Batches({.slice = slice.id})->size(), 2u);
  EXPECT_EQ(ledger().Batches({.source = "demo"})->size(), 2u);
  EXPECT_EQ(ledger().Batches({.source = "demo", .status = "RUNNING"})->size(), 1u);
  EXPECT_EQ(ledger().Batches({.source = "other"})->size(), 0u);
  EXPECT_EQ(ledger().Plan(plan.id)->status, "COMPLETED");
  const auto counts = *ledger().SliceCounts(plan.id);
  ASSERT_EQ(counts.size(), 1u);
  EXPECT_EQ(counts[0], (std::pair<std::string, std::int64_t>("SUCCEEDED", 1)));
}

TEST_P(LedgerQueriesContract, TheTriggerIsTheRoot) {
  const auto plan = Draft(0, 1);
  ASSERT_TRUE(ports_->plans().RecordTrigger(
      {.id = plan.trigger_id, .fired_at = clock_.Now(), .lane = plan.lane}));
  const auto trigger = ledger().Trigger(plan.trigger_id);
  ASSERT_TRUE(trigger);
  EXPECT_EQ(trigger->scope.source, "demo");
  EXPECT_EQ(trigger->fired_at, clock_.Now());
}

TEST_P(LedgerQueriesContract, FailedBatchesAreFoundWhereverTheyAre) {
  Planned(0, 1);
  Walked(domain::TaskStatus::kFailed);
  ports_->Execute("UPDATE ing_task_run_batch SET status_code = 'FAILED' WHERE batch_no = 2");
  EXPECT_EQ(ledger().Batches({.status = "FAILED"})->size(), 1u);
  EXPECT_EQ(ledger().Batches({.source = "demo", .status = "FAILED"})->size(), 1u);
  EXPECT_EQ(ledger().Batches({.source = "other", .status = "FAILED"})->size(), 0u);
}

TEST_P(LedgerQueriesContract, AParkedTaskSaysForWhatAndUntilWhen) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  ASSERT_TRUE(ports_->queue().Release(task, clock_.Now() + kHour, "QUOTA"));
  const auto row = *ledger().Task(task.lineage.task);
  EXPECT_TRUE(row.parked);
  EXPECT_EQ(row.wait_reason, "QUOTA");
  EXPECT_EQ(row.scheduled_at, clock_.Now() + kHour);
}

TEST_P(LedgerQueriesContract, CursorsAndTheirEventsAreThere) {
  const auto plan = Planned(0, 1);
  const auto task = Walked();
  const auto cursors = *ledger().Cursors({.source = "demo"});
  ASSERT_EQ(cursors.size(), 1u);
  EXPECT_EQ(cursors[0].instant, kStart + kHour);
  EXPECT_EQ(cursors[0].plan, plan.id);
  EXPECT_EQ(ledger().Cursor(cursors[0].id)->value, cursors[0].value);
  EXPECT_EQ(ledger().Cursors({.source = "demo", .operation = "BACKFILL"})->size(), 0u);

  const auto events = *ledger().EventsOf(cursors[0], contract::kAlways, 10);
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].direction, "FORWARD");
  EXPECT_EQ(events[0].slice, task.lineage.slice);
  const auto at = events[0].at;
  EXPECT_EQ(ledger().EventsOf(cursors[0], {at, at + kHour}, 10)->size(), 1u);
  EXPECT_EQ(ledger().EventsOf(cursors[0], {at - kHour, at}, 10)->size(), 0u);
  EXPECT_EQ(ledger().EventsOf({.plan = plan.id})->size(), 1u);
  EXPECT_EQ(ledger().EventsOf({.plan = plan.id, .slice = task.lineage.slice})->size(), 1u);
  EXPECT_EQ(ledger().EventsOf({.plan = plan.id, .run = 1})->size(), 0u);
}

TEST_P(LedgerQueriesContract, DecisionsAreFoundByWhatTheyAreAbout) {
  Planned(0, 1);
  const auto task = Walked(domain::TaskStatus::kFailed);
  ASSERT_TRUE(ports_->queue().Requeue(task.lineage.task, {{"me"}, "the provider is back"}));
  const auto decisions = *ledger().Decisions("TASK", std::to_string(task.lineage.task), 10);
  ASSERT_EQ(decisions.size(), 1u);
  EXPECT_EQ(decisions[0].action, "REQUEUE");
  EXPECT_EQ(decisions[0].actor, "me");
  EXPECT_EQ(decisions[0].reason, "the provider is back");

  const auto audit = *ledger().Audit(0, 10);
  ASSERT_FALSE(audit.empty());
  EXPECT_EQ(audit[0].object_type, "TASK");
  EXPECT_EQ(audit[0].object, std::to_string(task.lineage.task));
  EXPECT_EQ(audit[0].decision.reason, "the provider is back");
  EXPECT_TRUE(ledger().Audit(audit.back().decision.id, 10)->empty());
}

TEST_P(LedgerQueriesContract, TheStatusShowsEveryEndpointAtOnce) {
  Planned(0, 3);
  Planned(0, 1, "other");
  for (int i = 0; i < 4; ++i) {
    auto claimed = Claim(1);
    if (claimed.empty()) break;
    const auto& task = claimed[0];
    const bool is_other = task.lane.provenance == "other";
    if (is_other) {
      ASSERT_TRUE(ports_->queue().Release(task, clock_.Now() + kHour, "QUOTA"));
      continue;
    }
    const auto run = *ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, run, {RecordOf("a" + std::to_string(i), kStart + i * kHour)});
    batch.bad_records = {
        {.id = "x" + std::to_string(i), .path = "$", .rule = "json", .reason = "r", .bytes = "b"}};
    ASSERT_TRUE(ports_->runs().Commit(batch));
    const bool fails = task.window().from() > kStart + kHour;
    ASSERT_TRUE(ports_->runs().Close(
        {.task = task,
         .lineage = run.lineage,
         .status = fails ? domain::TaskStatus::kFailed : domain::TaskStatus::kSucceeded,
         .error = fails ? std::optional<std::string>("reset") : std::nullopt}));
  }
  ASSERT_TRUE(
      ports_->holds().Pause({.provenance = "other", .reason = "moving"}, {{"me"}, "moving"}));
  ASSERT_TRUE(ports_->holds().Blow({.provenance = "demo", .reason = "401"}, "{}"));

  const auto status = *ports_->read().status().Status(clock_.Now());
  ASSERT_EQ(status.endpoints.size(), 2u);
  const auto& demo = status.endpoints[0];
  EXPECT_EQ(demo.source, "demo");
  EXPECT_EQ(demo.watermark, kStart + 2 * kHour);
  EXPECT_TRUE(demo.observed_max.has_value());
  EXPECT_EQ(demo.slices_failed, 1);
  EXPECT_EQ(demo.quarantine_open, 3);
  EXPECT_EQ(demo.last_day.requests, 3);
  EXPECT_EQ(demo.last_day.inserted, 3);
  EXPECT_EQ(demo.last_day.quarantined, 3);
  ASSERT_TRUE(demo.last_run.has_value());
  const auto& other = status.endpoints[1];
  EXPECT_EQ(other.tasks_parked(), 1);
  EXPECT_EQ(other.parked.at(0).reason, "QUOTA");
  EXPECT_EQ(other.parked.at(0).until, clock_.Now() + kHour);
  EXPECT_FALSE(other.watermark.has_value());
  EXPECT_FALSE(other.last_run.has_value());
  ASSERT_EQ(status.holds.size(), 2u);
  EXPECT_FALSE(status.holds[0].is_fuse);
  EXPECT_EQ(status.holds[0].by, "me");
  EXPECT_TRUE(status.holds[1].is_fuse);
  EXPECT_EQ(status.holds[1].reason, "401");
}

TEST_P(LedgerQueriesContract, TheStatusCountsOnlySlicesThatStillLeaveSomethingOpen) {
  const auto close = [&](domain::TaskStatus status, std::optional<Instant> provable_to = {}) {
    const auto task = Claim(1).at(0);
    const auto run = *ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, run, {});
    batch.provable_to = provable_to;
    ASSERT_TRUE(ports_->runs().Commit(batch));
    const bool is_early = provable_to.has_value();
    ASSERT_TRUE(ports_->runs().Close(
        {.task = task,
         .lineage = run.lineage,
         .status = status,
         .proven = is_early ? domain::PartBefore(task.window(), *provable_to) : std::nullopt,
         .error = status == domain::TaskStatus::kFailed ? std::optional<std::string>("reset")
                                                        : std::nullopt}));
  };
  const auto broken = [&] {
    const auto endpoint = ports_->read().status().Status(clock_.Now())->endpoints.at(0);
    return endpoint.slices_failed + endpoint.slices_partial;
  };
  Planned(0, 1);
  close(domain::TaskStatus::kFailed);
  EXPECT_EQ(broken(), 1);
  Planned(0, 1, "demo", domain::Operation::kBackfill);
  close(domain::TaskStatus::kSucceeded);
  EXPECT_EQ(broken(), 0) << "its stretch was proven since";
  Planned(1, 2);
  close(domain::TaskStatus::kPartial, kStart + kHour + kHour / 2);
  EXPECT_EQ(broken(), 0) << "nothing is missing but what the provider could not have yet";
  Planned(2, 3);
  close(domain::TaskStatus::kPartial);
  EXPECT_EQ(broken(), 1);
}

TEST_P(LedgerQueriesContract, FreshnessIsWhatTheDefinitionWantsAndWhatTheRecordsAre) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  const auto run = *ports_->runs().Open(task, kFirstPage);
  ASSERT_TRUE(ports_->runs().Commit(
      BatchOf(task, run, {RecordOf("a", kStart), RecordOf("b", kStart), RecordOf("bad", kStart)})));
  const auto looked = clock_.Now();
  const auto fresh = [&] {
    return ports_->read().status().Status(clock_.Now())->endpoints.at(0).freshness;
  };
  EXPECT_FALSE(fresh().has_value()) << "nobody promised anything";

  const auto promise = [&](const std::string& endpoint, const std::string& operation,
                           Duration within) {
    ports_->Execute(fmt::format(
        "INSERT INTO reg_prov_endpoint_def (id, provenance_code, endpoint_name, operation_code, "
        "effective_from, fresh_within_millis) VALUES ({}, 'demo', '{}', '{}', 0, {})",
        ids_.Next(), endpoint, operation, within / std::chrono::milliseconds(1)));
  };
  promise("*", "ALL", std::chrono::days(3));
  promise("others", "ALL", std::chrono::hours(1));
  EXPECT_EQ(fresh()->within, std::chrono::days(3));
  promise("items", "ALL", std::chrono::days(2));
  EXPECT_EQ(fresh()->within, std::chrono::days(2)) << "the endpoint's own";
  EXPECT_EQ(fresh()->oldest, looked);
  EXPECT_EQ(fresh()->overdue, 0);
  ListBad("bad");
  clock_.Advance(std::chrono::days(2) + kHour);
  EXPECT_EQ(fresh()->overdue, 2) << "for the third one nothing can be had";
}

TEST_P(LedgerQueriesContract, RunningAndQueuedTasksAreCounted) {
  Planned(0, 5);
  ASSERT_EQ(Claim(2).size(), 2u);
  const auto status = *ports_->read().status().Status(clock_.Now());
  EXPECT_EQ(status.endpoints.at(0).running, 2);
  EXPECT_EQ(status.endpoints.at(0).queued, 3);
}

TEST_P(LedgerQueriesContract, ARunCountsItsAnswersByHttpStatus) {
  Planned(0, 1);
  const auto task = Claim(1).at(0);
  auto run = *ports_->runs().Open(task, kFirstPage);
  for (int page = 1; page <= 3; ++page) {
    auto batch = BatchOf(task, run, {});
    batch.batch_no = page;
    batch.status = page == 2 ? 206 : 200;
    batch.before = app::Position{.page = page};
    batch.after = app::Position{.page = page + 1};
    const auto committed = ports_->runs().Commit(batch);
    ASSERT_TRUE(committed) << committed.error().Describe();
    run.lineage.batch = committed->next_batch;
  }
  const auto answers = ledger().AnswersOf(run.lineage.run);
  ASSERT_TRUE(answers) << answers.error().Describe();
  std::vector<std::tuple<std::string, std::int64_t, std::int64_t>> seen;
  for (const auto& [status, http_status, batches] : *answers)
    seen.emplace_back(status, http_status.value_or(0), batches);
  EXPECT_THAT(seen, ::testing::UnorderedElementsAre(std::tuple("SKIPPED", 200, 2),
                                                    std::tuple("SKIPPED", 206, 1),
                                                    std::tuple("RUNNING", 0, 1)));
  EXPECT_THAT(*ledger().AnswersOf(1), ::testing::IsEmpty());
}

}  // namespace patra::ledger_queries_contract_test
