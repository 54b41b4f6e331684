// Every statement that the ledger prepares, found by looking into the connections after everything was
// used once: none of them may read a whole table.
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "domain/cursor/refresh_progress.h"
#include "infra/sql/registry.h"
#include "infra/sqlite/store.h"
#include "tests/infra/sqlite/sqlite_backend.h"

namespace patra::query_plan_test {

using infra::sqlite::Connection;
using namespace std::chrono_literals;

std::set<std::string> StatementsOf(infra::sql::Session& session) {
  auto& connection = static_cast<Connection&>(session);
  std::set<std::string> statements;
  for (auto* s = sqlite3_next_stmt(connection.handle(), nullptr); s != nullptr;
       s = sqlite3_next_stmt(connection.handle(), s)) {
    statements.insert(sqlite3_sql(s));
  }
  return statements;
}

// How SQLite goes about a statement. By its own interface: a session runs nothing without its values.
std::vector<std::string> StepsOf(infra::sql::Session& session, const std::string& sql) {
  auto* handle = static_cast<Connection&>(session).handle();
  sqlite3_stmt* explained = nullptr;
  EXPECT_EQ(
      sqlite3_prepare_v2(handle, ("EXPLAIN QUERY PLAN " + sql).c_str(), -1, &explained, nullptr),
      SQLITE_OK)
      << sql;
  constexpr int kDetail = 3;
  std::vector<std::string> steps;
  while (sqlite3_step(explained) == SQLITE_ROW)
    steps.emplace_back(reinterpret_cast<const char*>(sqlite3_column_text(explained, kDetail)));
  sqlite3_finalize(explained);
  return steps;
}

// The scans that are meant: the handful of lanes that the
// loose index scan found, what a subquery with a limit yields, the few rows of the schema's own book, of endpoints with
// records, of paused or adjusted sources and of the store's own moves, the parts of one slice, the bounded list of a query's newest
// slices, partial indexes that hold only what is running or waiting for its time, and lists of what people made (jobs, tokens) or of
// the newest alerts, in their index' order.
bool IsMeant(const std::string& step) {
  for (const auto* meant :
       {"SCAN counted", "SCAN open", "SCAN cancelled", "SCAN lane", "SCAN (subquery", "SCAN newest",
        "SCAN patra_schema", "SCAN sqlite_schema", "SCAN ing_record_set", "SCAN ing_pause",
        "SCAN ing_adjustment", "SCAN ing_promotion", "SCAN CONSTANT ROW", "SCAN part"}) {
    if (step.starts_with(meant)) return true;
  }
  for (const auto* partial :
       {"idx_task_leased", "idx_task_owner", "idx_task_running", "idx_task_parked",
        "idx_task_queue", "uk_fuse_blown", "uk_scheduler_job", "uk_api_token_name",
        "idx_alert_firing", "idx_alert_time", "idx_slice_asked_again", "idx_execution_running",
        "idx_scheduler_log_time", "idx_api_answer_time"}) {
    if (step.find(partial) != std::string::npos) return true;
  }
  return false;
}

class QueryPlan : public testing::LedgerTest {
 protected:
  // An update that is completed: records with kept fields, older and equal ones, and the cursor of refreshes.
  void UpdateOnce() {
    auto plan = Draft(8, 9, "demo", domain::Operation::kUpdate);
    plan.cursor.cursor_key = domain::kRefreshCheckedAt;
    plan.slice_params = Value::Object{{domain::kCheckedTo, FormatRfc3339(testing::kStart)}};
    ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
    ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
    ASSERT_TRUE(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()));
    ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kReady));
    const auto kept =
        std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"title"});
    std::vector<domain::Record> records;
    for (const auto* fields : {"{}", "{\"title\":\"T\"}", "{}"}) {
      auto record = RecordOf("kept", testing::kStart - static_cast<int>(records.size()) * 1h);
      record.fields = fields;
      record.version.content_hash = Sha256(fields);
      record.kept_fields = kept;
      records.push_back(record);
    }
    records.push_back(RecordOf("plain", testing::kStart));
    records.push_back(RecordOf("plain", testing::kStart));
    records.push_back(RecordOf("plain", testing::kStart - 1h, "older"));
    for (const auto& task : Claim(5)) {
      if (task.lane.operation != domain::Operation::kUpdate) continue;
      const auto run = ports_->runs().Open(task, kFirstPage);
      ASSERT_TRUE(run);
      auto batch = BatchOf(task, *run, records);
      batch.answered_ids = {"plain"};
      ASSERT_TRUE(ports_->runs().Commit(batch));
      ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
    }
    ASSERT_TRUE(*ports_->cursors().Current(plan.lane, plan.cursor)) << "it was completed";
  }

  // A slice that is cut, whose last part finds that it is the last.
  void CutOnce() {
    Planned(10, 11);
    const auto whole = Claim(1).at(0);
    const auto run = ports_->runs().Open(whole, kFirstPage);
    ASSERT_TRUE(ports_->runs().Close({.task = whole,
                                      .lineage = run->lineage,
                                      .status = domain::TaskStatus::kCancelled,
                                      .children = {{.window = whole.window(), .total_of_whole = 2}},
                                      .owed_by_children = 2}));
    const auto part = Claim(1).at(0);
    const auto last = ports_->runs().Open(part, kFirstPage);
    const auto asks = ports_->runs().Close({.task = part,
                                            .lineage = last->lineage,
                                            .is_read = true,
                                            .may_gain = true,
                                            .wholes = {{whole.lineage.slice, 1}}});
    ASSERT_TRUE(asks && asks->short_whole);
    ASSERT_TRUE(ports_->runs().Close({.task = part,
                                      .lineage = last->lineage,
                                      .status = domain::TaskStatus::kPartial,
                                      .wholes = {{whole.lineage.slice, 2, 0}}}));
    ASSERT_TRUE(*ports_->history().AnyFellShort(whole.lane, whole.query_hash, whole.window()));
  }

  // Jobs, and an execution of each kind of end.
  void ScheduleOnce(const app::Decision& me) {
    auto& jobs = ports_->jobs();
    auto& executions = ports_->executions();
    const auto plan = Planned(12, 14);
    ASSERT_TRUE(jobs.Put(
        {.id = "j", .provenance = "x", .cron = "@daily", .next_fire_at = clock_.Now()}, me));
    const app::DueJob due{
        .job = jobs.Due(1)->at(0), .start_at = clock_.Now(), .next = clock_.Now() + testing::kHour};
    ASSERT_EQ(executions.Claim(std::span(&due, 1), "o")->size(), 1u);
    const auto taken = *executions.Take("p", testing::kHour);
    ASSERT_TRUE(taken);
    ASSERT_TRUE(executions.GiveBack(*taken, clock_.Now(), "later"));
    const auto again = *executions.Take("p", testing::kHour);
    ASSERT_TRUE(again);
    ASSERT_TRUE(executions.FindPlanned(*again));
    ASSERT_TRUE(*executions.Start(*again, {.plan = plan.id}));
    ASSERT_TRUE(executions.TakeRest(clock_.Now()));
    ASSERT_TRUE(*executions.LookAt(plan.id, true));
    const auto running = executions.Running(0, 10)->at(0);
    ASSERT_TRUE(*executions.End(running, domain::ExecutionStatus::kSuccess, ""));
    ASSERT_TRUE(executions.Log({.job = "j"}));
    ASSERT_TRUE(executions.Log({.job = "j"}));
    ASSERT_TRUE(executions.Log({}));
    ASSERT_TRUE(executions.Log({.status = domain::ExecutionStatus::kFailed}));
    clock_.Advance(testing::kHour);
    ASSERT_TRUE(executions.AddManual("j", me));
    ASSERT_TRUE(executions.Forget(clock_.Now() + testing::kHour, 10));
    ASSERT_TRUE(jobs.List());
    ASSERT_TRUE(jobs.Put(**jobs.Find("j"), me));
    ASSERT_TRUE(jobs.Remove("j", me));
  }

  void AnswerOnce() {
    auto& answers = ports_->store().answers();
    const app::AnswerClaim claim{
        .key_hash = "key", .request_hash = "request", .owner = "o", .until = clock_.Now() - 1h};
    ASSERT_TRUE(answers.Begin(claim, clock_.Now() - 1h));
    ASSERT_TRUE(answers.Begin(claim, clock_.Now() - 1h)->is_taken_over);
    ASSERT_TRUE(answers.KeepAlive("key", "o", clock_.Now()));
    ASSERT_TRUE(answers.Finish("key", "o", 200, "{}"));
    ASSERT_TRUE(answers.Count(10));
    ASSERT_TRUE(answers.Forget("key", "o"));
  }

  // Every question of the read side, with and without what narrows it.
  void AskEverything(const domain::Plan& plan) {
    auto& dashboard = ports_->read().dashboard();
    const contract::Stretch hour{clock_.Now() - 1h, clock_.Now() + 1h};
    ASSERT_TRUE(dashboard.Queue({}, hour));
    ASSERT_TRUE(dashboard.TopErrors({.level = "", .within = hour}));
    AnswerOnce();
    const auto steps = contract::PastSteps::Of(hour, 10);
    ASSERT_TRUE(ports_->store().rates().Add(
        {{.minute = clock_.Now(), .key = "demo", .provenance = "demo", .endpoint = "items"}}));
    ASSERT_TRUE(dashboard.GateHistory("", steps));
    ASSERT_TRUE(dashboard.WorkHistory({}, steps));
    ASSERT_TRUE(dashboard.WorkHistory({.source = "demo"}, steps));
    auto& ledger = ports_->read().ledger();
    const auto cursor = ledger.Cursors({})->at(0);
    ASSERT_TRUE(ledger.EventsOf(cursor, contract::kAlways, 10));
    ASSERT_TRUE(ledger.EventsOf({.plan = plan.id}));
    ASSERT_TRUE(ledger.Decisions("TASK", "1", 10));
    ASSERT_TRUE(ledger.Audit(0, 10));
    ASSERT_TRUE(ledger.SliceCounts(plan.id));
    ASSERT_TRUE(ledger.AnswersOf(1));
    ASSERT_TRUE(ledger.Trigger(7));
    using contract::LedgerFilter;
    for (const auto& filter :
         {LedgerFilter{}, LedgerFilter{.plan = plan.id}, LedgerFilter{.slice = 1},
          LedgerFilter{.task = 1}, LedgerFilter{.run = 1}, LedgerFilter{.status = "FAILED"},
          LedgerFilter{.status = "FAILED", .run = 1}, LedgerFilter{.error_code = "GAP"},
          LedgerFilter{.credential = "key-1"}}) {
      ASSERT_TRUE(ledger.Plans(filter));
      ASSERT_TRUE(ledger.Slices(filter));
      ASSERT_TRUE(ledger.Tasks(filter));
      ASSERT_TRUE(ledger.Runs(filter));
      ASSERT_TRUE(ledger.Batches(filter));
    }
    ports_->Execute(
        "INSERT OR IGNORE INTO reg_prov_endpoint_def (id, provenance_code, effective_from, "
        "fresh_within_millis) VALUES (1, 'demo', 0, 1)");
    ASSERT_TRUE(ports_->read().status().Status(clock_.Now()));

    auto& items = ports_->read().items();
    ASSERT_TRUE(items.Page({}, std::nullopt, 10));
    ASSERT_TRUE(items.Page({.updated_from = testing::kStart}, std::nullopt, 10));
    ASSERT_TRUE(items.Newest({}, 10));
    ASSERT_TRUE(items.Find("", "", "a"));
    ASSERT_TRUE(items.Quarantined("demo", "items", "a", 10));
    ASSERT_TRUE(items.Fields({}));
    ASSERT_TRUE(items.FirstBatch(items.Newest({}, 1)->at(0)));

    auto& completeness = ports_->read().completeness();
    const auto known = completeness.KnownQueries("", "");
    ASSERT_TRUE(known);
    const contract::Stretch range{plan.window.from(), plan.window.to()};
    ASSERT_TRUE(completeness.Proven(known->at(0).key, range));
    ASSERT_TRUE(completeness.SlicesIn(known->at(0).key, range, std::nullopt, 10));
    ASSERT_TRUE(completeness.PromiseOf(plan.id));
    ASSERT_TRUE(completeness.OpenQuarantine(known->at(0).key, range));
  }

  // Alerts, executors, outbox, jobs, tokens, archive.
  void AskAround() {
    const app::Decision me{{"me"}, "r"};
    ASSERT_TRUE(ports_->alerts().Raise({.key = "k", .message = "m"}));
    ASSERT_TRUE(ports_->alerts().List({}));
    ASSERT_TRUE(ports_->alerts().List({.only_firing = false}));
    ASSERT_TRUE(ports_->alerts().Resolve("k"));
    ASSERT_TRUE(ports_->alerts().Silence("*", clock_.Now(), me));
    ASSERT_TRUE(ports_->alerts().Silences());
    ASSERT_TRUE(ports_->executors().Beat("o", "h", 1));
    ASSERT_TRUE(ports_->executors().Alive(testing::kHour));
    ASSERT_TRUE(ports_->executors().Forget(testing::kHour));
    ASSERT_TRUE(ports_->executors().Leave("o"));
    auto& outbox = ports_->outbox();
    const auto lease = [&] {
      return outbox.Lease(
          {.channel = "ingest.items", .owner = "o", .lease = std::chrono::seconds(30)});
    };
    const auto leased = lease();
    ASSERT_TRUE(leased);
    ASSERT_EQ(leased->size(), 1u);
    ASSERT_TRUE(outbox.NumberChanges(10));
    ASSERT_TRUE(ports_->read().changes().After({}, {.source = "demo"}, 10));
    ASSERT_TRUE(ports_->read().changes().End());
    ASSERT_TRUE(outbox.Failed(leased->at(0), "o", "e", std::nullopt));
    ASSERT_TRUE(outbox.List({.channel = "ingest.items"}));
    ASSERT_TRUE(outbox.List({.channel = "ingest.items", .dead = true}));
    ASSERT_TRUE(outbox.Requeue(leased->at(0).id, me));
    const auto leased_again = lease();
    ASSERT_TRUE(leased_again);
    ASSERT_EQ(leased_again->size(), 1u);
    ASSERT_TRUE(outbox.Published(leased_again->at(0), "o"));
    ScheduleOnce(me);
    ASSERT_TRUE(ports_->tokens().Add({.name = "t", .hash = "h"}, me));
    ASSERT_TRUE(ports_->tokens().Use("h"));
    ASSERT_TRUE(ports_->tokens().List());
    ASSERT_TRUE(ports_->tokens().Revoke("t", me));
    ASSERT_TRUE(ports_->archive().Add({.table = "t", .first = 1, .last = 2}));
    ASSERT_TRUE(ports_->archive().Find("t", 1));
    ASSERT_TRUE(ports_->archive().List("t", 0, 10));
  }

  // A batch of pages and one of details, each with all that a replay may do.
  void ReplayOnce(const domain::Lineage& page, const domain::Lineage& ids) {
    auto& replays = ports_->replays();
    const auto batch = replays.Read(page.run, page.batch);
    ASSERT_TRUE(batch) << batch.error().Describe();
    const auto first = ports_->Count("SELECT min(id) FROM ing_task_run_batch WHERE run_id = " +
                                     std::to_string(ids.run));
    ASSERT_TRUE(replays.Read(ids.run, first));
    // Both ways to what a batch of the second phase asked for.
    for (const auto* status : {"SUCCEEDED", "FAILED"}) {
      ports_->Execute("UPDATE ing_task_run_batch SET status_code = '" + std::string(status) +
                      "' WHERE batch_no = 2 AND run_id = " + std::to_string(ids.run));
      ASSERT_TRUE(replays.Read(ids.run, ports_->Count("SELECT id FROM ing_task_run_batch WHERE "
                                                      "batch_no = 2 AND run_id = " +
                                                      std::to_string(ids.run))));
    }
    const std::vector<std::string> wanted{"a"};
    ASSERT_TRUE(replays.Stored(batch->task.lane, wanted));
    ASSERT_TRUE(replays.Isolate({.batch = *batch,
                                 .records = {{.path = "", .rule = "replay", .reason = "r"}},
                                 .fetched_at = clock_.Now(),
                                 .decision = {{"me"}, "r"},
                                 .details = "{}"}));
    ASSERT_TRUE(replays.Commit({.batch = *batch,
                                .records = {RecordOf("z", testing::kStart)},
                                .decision = {{"me"}, "r"},
                                .details = "{}"}));
  }
};
INSTANTIATE_TEST_SUITE_P(OfSqlite, QueryPlan, ::testing::Values(testing::kSqlite),
                         [](const auto&) { return "Sqlite"; });

TEST_P(QueryPlan, NoStatementOfTheLedgerReadsAWholeTable) {
  // Everything once: plan, claim, run, batch, quarantine, close, release, rescue, renew, cursors.
  const auto plan = Planned(0, 3);
  const domain::Trigger trigger{.id = 7, .fired_at = clock_.Now(), .lane = plan.lane};
  ASSERT_TRUE(ports_->plans().RecordTrigger(trigger));
  ASSERT_TRUE(ports_->plans().RemarkOnTrigger(7, Value::Object{}));
  ASSERT_TRUE(ports_->plans().AddIfAbsent(Draft(0, 3)));
  const auto tasks = Claim(3);
  const auto run = ports_->runs().Open(tasks[0], {.token = "a"});
  auto batch = BatchOf(
      tasks[0], *run,
      {RecordOf("a", testing::kStart), RecordOf("a", testing::kStart + testing::kHour, "b")});
  batch.bad_records = {{.path = "$", .rule = "json", .reason = "r", .bytes = "b"}};
  batch.raw_page = app::RawPage{"application/json", "{}", clock_.Now()};
  batch.records.push_back(RecordOf("gone", testing::kStart));
  batch.records.back().version.deleted = true;
  batch.after = app::Position{.token = "b"};
  ASSERT_TRUE(ports_->runs().Commit(batch));
  ASSERT_TRUE(ports_->runs().Close({.task = tasks[0], .lineage = run->lineage}));
  ASSERT_TRUE(ports_->queue().Release(tasks[1], clock_.Now(), "later"));
  ASSERT_TRUE(ports_->queue().Renew("worker-1", std::chrono::seconds(15)));
  ASSERT_TRUE(ports_->queue().RescueExpired());
  ASSERT_TRUE(ports_->queue().CountOpen(plan.lane));
  ASSERT_TRUE(ports_->queue().CountRequests("demo", 3));
  ASSERT_TRUE(ports_->queue().LookAt(plan.lane, {}));
  const auto open = ports_->runs().Open(tasks[2], {.page = 1});
  ASSERT_TRUE(open);
  auto ids_batch = BatchOf(tasks[2], *open, {});
  ids_batch.found_ids = {"1", "2"};
  ids_batch.fresh_since = clock_.Now();
  ids_batch.answered_ids = {"1"};
  ids_batch.bad_ids = {{"2", "gone"}};
  ids_batch.after = app::Position{.is_detail = true};
  ASSERT_TRUE(ports_->runs().Commit(ids_batch));
  ASSERT_TRUE(ports_->runs().GiveBack({.task = tasks[2],
                                       .lineage = open->lineage,
                                       .reason = "r",
                                       .level = domain::ErrorLevel::kL1,
                                       .again_at = clock_.Now(),
                                       .start_over = true}));
  ASSERT_TRUE(ports_->cursors().Settle(plan.lane, plan.cursor));
  ASSERT_TRUE(ports_->cursors().CoverageIn(plan.lane, plan.query_hash, plan.window));
  ASSERT_TRUE(ports_->cursors().Current(plan.lane, plan.cursor));

  ASSERT_TRUE(ports_->holds().Pause({.provenance = "x", .reason = "r"}, {{"me"}, "r"}));
  ASSERT_TRUE(ports_->holds().Blow({.provenance = "x", .reason = "r"}, "{}"));
  ASSERT_TRUE(ports_->holds().Holds(domain::Role::kExecutor));
  ASSERT_TRUE(ports_->holds().Reset("x", "*", {{"me"}, "r"}));
  ASSERT_TRUE(ports_->holds().Resume("x", "*", {{"me"}, "r"}));
  const std::vector<std::string> ids{"1", "2"};
  ASSERT_TRUE(ports_->found_ids().NextOpen(1, 10));
  ASSERT_TRUE(ports_->found_ids().Known(plan.lane, 10));
  ASSERT_TRUE(ports_->quarantine().ReleaseId("demo", "items", "1", {{"me"}, "r"}));
  ASSERT_TRUE(ports_->signals().Add(
      {.provenance = "x", .endpoint = "y", .item_id = "1", .type = "EXTERNAL", .origin = "o"}));
  ASSERT_TRUE(ports_->signals().TakeFor(1, "x", "y", 10));
  (void)ports_->queue().Requeue(1, {{"me"}, "r"});
  ASSERT_TRUE(ports_->cursors().Set(plan.lane, plan.cursor, testing::kStart, {{"me"}, "r"}));
  AskEverything(plan);
  AskAround();

  // What planners ask and write.
  ASSERT_TRUE(ports_->plans().Find(plan.id));
  ASSERT_TRUE(ports_->plans().FindUncut(plan.lane, plan.cursor));
  ASSERT_TRUE(ports_->plans().OpenStretches(plan.lane, plan.query_hash, plan.window));
  ASSERT_TRUE(ports_->plans().Remark(plan.id, Value::Object{{"a", 1}}));
  ASSERT_TRUE(ports_->history().Of(plan.lane, plan.query_hash));
  ASSERT_TRUE(ports_->history().ListSize(plan.lane, plan.query_hash));
  UpdateOnce();
  CutOnce();
  ASSERT_TRUE(ports_->history().ListSize(
      {plan.lane.provenance, plan.lane.endpoint, domain::Operation::kUpdate}, plan.query_hash));
  ASSERT_TRUE(ports_->candidates().Stale(plan.lane, clock_.Now(), "", 10));
  ASSERT_TRUE(ports_->candidates().OfOtherPrototypes(plan.lane, ids, "", 10));
  ASSERT_TRUE(ports_->signals().CountOpen("x", "y"));
  ASSERT_TRUE(ports_->signals().TakenBy(1, 0, 10));
  ASSERT_TRUE(ports_->signals().Settle(1));
  (void)ports_->plans().CancelTask(tasks[1].lineage.task, {{"me"}, "r"});
  (void)ports_->plans().CancelSlice(tasks[2].lineage.slice, {{"me"}, "r"});
  ASSERT_TRUE(ports_->plans().CancelPlan(Planned(5, 6).id, {{"me"}, "r"}));
  (void)ports_->queue().TakeAway(1, {{"me"}, "r"});
  ASSERT_TRUE(ports_->signals().List("OPEN", 10));
  ASSERT_TRUE(ports_->health().Observe({.polluted_part_over = 0}));
  ASSERT_TRUE(ports_->health().NoteQueues(*ports_->health().Observe({})));
  auto& adjustments = ports_->adjustments();
  ASSERT_TRUE(adjustments.Put({.provenance = "demo",
                               .endpoint = "items",
                               .kind = app::AdjustmentKind::kCursorHold,
                               .reason = "r"}));
  ASSERT_TRUE(adjustments.List());
  ASSERT_TRUE(adjustments.Find("demo", "items", app::AdjustmentKind::kPageSize));
  ASSERT_TRUE(
      adjustments.TakeBack("demo", "items", app::AdjustmentKind::kCursorHold, {{"me"}, "r"}));
  ASSERT_TRUE(adjustments.AskOfSlice(1, domain::SliceRequest::kFail, "r"));
  ASSERT_TRUE(ports_->duties().Take("heal", "me", clock_.Now()));
  ASSERT_TRUE(ports_->journal().Add({.lane = plan.lane, .saw = "{}", .did = "{}"}));
  ASSERT_TRUE(ports_->journal().List("", clock_.Now(), 10));
  const auto quarantined = ports_->quarantine().List({}, 0, 10);
  ASSERT_TRUE(quarantined && !quarantined->empty());
  ASSERT_TRUE(ports_->quarantine().List({.provenance = "demo"}, 0, 10));
  ASSERT_TRUE(ports_->quarantine().CountKinds(app::QuarantineStatus::kOpen, 10));
  const auto lane = quarantined->front().lane;
  ASSERT_TRUE(ports_->quarantine().CountOpenIn(lane, "q", testing::Hours(0, 1)));
  ASSERT_TRUE(ports_->quarantine().CountOpenOf(lane, 1));
  ASSERT_TRUE(ports_->quarantine().CountOpenAbout(lane, {"1"}));
  ASSERT_TRUE(ports_->quarantine().Find(quarantined->front().id));
  ASSERT_TRUE(ports_->quarantine().FetchAgain(quarantined->front().id, "1", {{"me"}, "r"}));
  ReplayOnce(run->lineage, open->lineage);

  auto& store = ports_->database();
  ASSERT_TRUE(ports_->store().registry().Fields());
  ASSERT_TRUE(ports_->store().registry().Find("demo", clock_.Now(), ""));
  std::set<std::string> statements =
      *store.Write([](infra::sql::Session& session) -> Result<std::set<std::string>> {
        return StatementsOf(session);
      });
  statements.merge(*store.Read([](infra::sql::Session& session) -> Result<std::set<std::string>> {
    return StatementsOf(session);
  }));
  EXPECT_GT(statements.size(), 30u);

  for (const auto& sql : statements) {
    const auto steps =
        *store.Read([&](infra::sql::Session& session) -> Result<std::vector<std::string>> {
          return StepsOf(session, sql);
        });
    for (const auto& step : steps) {
      EXPECT_TRUE(!step.starts_with("SCAN") || IsMeant(step)) << step << "\n" << sql;
      EXPECT_EQ(step.find("USE TEMP B-TREE"), std::string::npos) << step << "\n" << sql;
    }
  }
}

}  // namespace patra::query_plan_test
