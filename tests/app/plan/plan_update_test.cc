#include "app/plan/plan_update.h"

#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "domain/plan/slicer.h"
#include "tests/app/plan/planning_fixture.h"
#include "tests/app/send/send_fixture.h"

namespace patra::app::plan_update_test {

using namespace std::chrono_literals;
using testing::kStart;
using Kind = Planned::Kind;

class PlanUpdateTest : public PlanningTest {
 protected:
  static UpdateCommand Command(UpdateScope scope) {
    UpdateCommand command{.spec = Spec(), .scope = std::move(scope)};
    command.spec.details = domain::DetailSpec{.endpoint = "detail", .id_batch_size = 200};
    return command;
  }

  // Records as a batch of a plan with that prototype wrote them.
  void StoreItems(int from, int to, const std::string& prototype, Instant refreshed_at) {
    const auto batch = ids_.Next();
    const auto plan = ids_.Next();
    ports_->Execute(fmt::format(
        "INSERT INTO ing_plan (id, schedule_instance_id, plan_key, provenance_code, endpoint_name, "
        "operation_code, query_hash, namespace_scope_code, namespace_key, cursor_key, "
        "expr_proto_hash, expr_proto_snapshot, provenance_config_snapshot, provenance_config_hash, "
        "spec_fingerprint, slice_strategy_code, priority, status_code, created_at, updated_at) "
        "VALUES ({0}, 1, 'k{0}', 'demo', 'items', 'HARVEST', 'q', 'EXPR', 'n', 'c', '{1}', '{{}}', "
        "'{{}}', 'h', 'f', 'TIME', 3, 'COMPLETED', 0, 0);"
        "INSERT OR IGNORE INTO ing_record_set (id, provenance_code, endpoint_name) VALUES (1, "
        "'demo', 'items');"
        "INSERT INTO ing_task_run_batch (id, run_id, task_id, slice_id, plan_id, expr_hash, "
        "provenance_code, endpoint_name, operation_code, batch_no, idempotent_key, created_at) "
        "VALUES ({2}, {2}, 1, 1, {0}, 'e', 'demo', 'items', 'HARVEST', 1, 'b{2}', 0);",
        plan, prototype, batch));
    for (int i = from; i < to; ++i) {
      ports_->Execute(fmt::format(
          "INSERT INTO ing_item (id, record_set_id, provider_item_id, updated_at, "
          "fetched_at, content_hash, fields, expr_hash, batch_id, first_seen_at, refreshed_at) "
          "VALUES ({}, 1, 'id-{:05}', 0, 0, zeroblob(32), '{{}}', zeroblob(32), {}, 0, {})",
          ids_.Next(), i, batch, refreshed_at.time_since_epoch().count()));
    }
  }

  PlanUpdate plan_{PortsOf(*ports_, clock_, ids_)};
};

TEST_F(PlanUpdateTest, AListOfIdsBecomesSlicesWithTheirIds) {
  PlanUpdate small(PortsOf(*ports_, clock_, ids_), {.ids_per_slice_max = 2});
  const auto planned = small.Run(Command(ListedRecords{{"c", "a", "b", "a", "e", "d"}}));
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id"), 5);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE json_extract(slice_spec, "
                  "'$.dimension') = 'ID' AND json_extract(slice_spec, '$.phase.twoPhase') AND "
                  "json_extract(slice_spec, '$.phase.idBatchSize') = 200"),
            3);
  const auto tasks = Claim(10);
  ASSERT_EQ(tasks.size(), 3u);
  EXPECT_EQ(*ports_->found_ids().NextOpen(tasks[0].lineage.slice, 10),
            (std::vector<std::string>{"a", "b"}));
}

TEST_F(PlanUpdateTest, TheSameListTwiceIsOnePlan) {
  ASSERT_TRUE(plan_.Run(Command(ListedRecords{{"a", "b"}})));
  auto ports = PortsOf(*ports_, clock_, ids_);
  testing::RecordingLog log;
  ports.log = &log;
  const auto again = PlanUpdate(ports).Run(Command(ListedRecords{{"b", "a"}}));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Kind::kAlreadyPlanned);
  ASSERT_EQ(log.lines.size(), 1u);
  EXPECT_EQ(log.lines[0].event, "key.met");
  EXPECT_EQ(log.lines[0].details.at("kind"), Value("plan"));
  EXPECT_EQ(log.lines[0].lineage.plan, again->plan);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), 1);
}

TEST_F(PlanUpdateTest, StaleRecordsArePlannedOnePartADay) {
  StoreItems(0, 100, "p", kStart);
  StoreItems(100, 120, "p", kStart + std::chrono::days(40));
  clock_.Advance(std::chrono::days(40));
  const UpdateScope stale = StaleRecords{.older_than = std::chrono::days(30), .buckets = 4};
  std::int64_t planned_ids = 0;
  for (int day = 0; day < 4; ++day) {
    const auto planned = plan_.Run(Command(stale));
    ASSERT_TRUE(planned) << planned.error().Describe();
    const auto ids = Count("SELECT count(*) FROM ing_enumerated_id");
    EXPECT_GT(ids - planned_ids, 5) << day;
    EXPECT_LT(ids - planned_ids, 60) << day;
    planned_ids = ids;
    clock_.Advance(std::chrono::days(1));
  }
  EXPECT_EQ(Count("SELECT count(DISTINCT provider_item_id) FROM ing_enumerated_id"), 100);
  EXPECT_EQ(planned_ids, 100) << "every record once in a round";
}

// Exactly once, also where the queue was full, the planner died and another went on.
TEST_F(PlanUpdateTest, EveryCandidateIsInOneSliceHoweverOftenPlanningStops) {
  StoreItems(0, 95, "p", kStart);
  clock_.Advance(std::chrono::days(40));
  const auto command = Command(StaleRecords{});
  int rounds = 0;
  while (true) {
    PlanUpdate narrow(PortsOf(*ports_, clock_, ids_),
                      {.open_tasks_max = 2, .ids_per_slice_max = 10});
    const auto planned = narrow.Run(command);
    ASSERT_TRUE(planned) << planned.error().Describe();
    // A planner that died leaves the plan in the middle of its slices.
    if (++rounds == 2)
      ports_->Execute(
          "UPDATE ing_plan SET status_code = 'SLICING' WHERE operation_code = 'UPDATE'");
    WorkEverythingOff();
    if (!planned->is_partial) break;
    ASSERT_LT(rounds, 20);
  }
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE operation_code = 'UPDATE'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice"), 10);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id"), 95);
  EXPECT_EQ(Count("SELECT count(DISTINCT provider_item_id) FROM ing_enumerated_id"), 95);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE operation_code = 'UPDATE' AND status_code = "
                  "'COMPLETED'"),
            1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_cursor WHERE cursor_key = 'refresh_checked_at'"), 1);
}

TEST_F(PlanUpdateTest, TwoPlannersAtOnceMakeOneSetOfCandidates) {
  StoreItems(0, 500, "p", kStart);
  clock_.Advance(std::chrono::days(40));
  const auto other_ports = backend_.Connect(clock_);
  PlanUpdate one(PortsOf(*ports_, clock_, ids_), {.ids_per_slice_max = 20});
  PlanUpdate other(PortsOf(*other_ports, clock_, other_ports->ids()), {.ids_per_slice_max = 20});
  std::thread a([&] { EXPECT_TRUE(one.Run(Command(StaleRecords{}))); });
  std::thread b([&] { EXPECT_TRUE(other.Run(Command(StaleRecords{}))); });
  a.join();
  b.join();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE operation_code = 'UPDATE'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), 25);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id"), 500);
}

// The cursor of signals goes along with the batches and stops before the first signal that nobody acted upon.
TEST_F(PlanUpdateTest,
       TheCursorOfSignalsMovesWithEachBatchAndAFailedSliceHoldsItAtItsFirstUncheckedId) {
  std::vector<Id> signals;
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(ports_->signals().Add({.provenance = "demo",
                                       .endpoint = "items",
                                       .item_id = fmt::format("ID-{}", i),
                                       .type = "MANUAL",
                                       .origin = "test"}));
    signals.push_back(Count("SELECT max(id) FROM ing_signal"));
  }
  PlanUpdate plan(PortsOf(*ports_, clock_, ids_), {.ids_per_slice_max = 3});
  const auto planned = plan.Run(Command(SignalledRecords{}));
  ASSERT_TRUE(planned) << planned.error().Describe();
  const auto cursor = [&] {
    return Count(
        "SELECT coalesce(max(normalized_numeric), 0) FROM ing_cursor WHERE cursor_key = "
        "'signal_id'");
  };
  const auto answer = [&](const LeasedTask& task, domain::Lineage lineage, int batch_no,
                          std::vector<std::string> ids, bool is_last) {
    BatchCommit batch{.task = task,
                      .lineage = lineage,
                      .batch_no = batch_no,
                      .before = {.token = std::to_string(batch_no), .is_detail = true},
                      .answered_ids = std::move(ids),
                      .evidence = {.request = "{}", .sent = {.requests = 1}}};
    if (!is_last) batch.after = Position{.token = std::to_string(batch_no + 1), .is_detail = true};
    const auto committed = ports_->runs().Commit(batch);
    EXPECT_TRUE(committed) << committed.error().Describe();
    return committed->next_batch;
  };
  const auto tasks = Claim(2);
  ASSERT_EQ(tasks.size(), 2u);
  const auto first = ports_->runs().Open(tasks[0], {.token = "1", .is_detail = true});
  const auto second = ports_->runs().Open(tasks[1], {.token = "1", .is_detail = true});
  auto lineage = first->lineage;
  lineage.batch = answer(tasks[0], lineage, 1, {"ID-0"}, false);
  EXPECT_EQ(cursor(), signals[0]) << "with the batch";
  EXPECT_EQ(Count("SELECT count(*) FROM ing_cursor_event WHERE cursor_key = 'signal_id'"), 1);
  answer(tasks[1], second->lineage, 1, {"ID-3", "ID-5"}, false);
  EXPECT_EQ(cursor(), signals[0]) << "what comes before is still open";
  answer(tasks[0], lineage, 2, {"ID-1", "ID-2"}, true);
  EXPECT_EQ(cursor(), signals[3]) << "and so is the fifth";
  ASSERT_TRUE(ports_->runs().Close({.task = tasks[0], .lineage = lineage}));
  ASSERT_TRUE(ports_->runs().Close({.task = tasks[1],
                                    .lineage = second->lineage,
                                    .status = domain::TaskStatus::kFailed,
                                    .error = "no more"}));
  EXPECT_EQ(cursor(), signals[3]) << "a failed slice holds it at its first unchecked id";
}

TEST_F(PlanUpdateTest, AFailedSliceHoldsTheRoundAtTheOldestLookOfWhatItDidNotCheck) {
  StoreItems(0, 3, "p", kStart);
  const auto newer_look = kStart + std::chrono::days(1);
  StoreItems(3, 6, "p", newer_look);
  clock_.Advance(std::chrono::days(40));
  PlanUpdate plan(PortsOf(*ports_, clock_, ids_), {.ids_per_slice_max = 3});
  ASSERT_TRUE(plan.Run(Command(StaleRecords{})));
  const auto tasks = Claim(2);
  ASSERT_EQ(tasks.size(), 2u);
  Finish(tasks[0]);
  Finish(tasks[1], domain::TaskStatus::kFailed);
  EXPECT_EQ(Count("SELECT normalized_instant FROM ing_cursor WHERE cursor_key LIKE "
                  "'refresh_checked_at%'"),
            newer_look.time_since_epoch().count());
}

TEST_F(PlanUpdateTest, TheCursorWaitsForEverySliceAndIgnoresWithdrawnRounds) {
  StoreItems(0, 30, "p", kStart);
  clock_.Advance(std::chrono::days(40));
  PlanUpdate small(PortsOf(*ports_, clock_, ids_), {.ids_per_slice_max = 10});
  ASSERT_EQ(small.Run(Command(StaleRecords{}))->slices, 3);
  const auto tasks = Claim(3);
  Finish(tasks[0]);
  Finish(tasks[2]);
  EXPECT_EQ(Count("SELECT normalized_instant FROM ing_cursor"), kStart.time_since_epoch().count())
      << "the last look at what is still open";
  Finish(tasks[1]);
  EXPECT_GT(Count("SELECT normalized_instant FROM ing_cursor"), kStart.time_since_epoch().count());
  const auto before = Count("SELECT normalized_instant FROM ing_cursor");

  clock_.Advance(std::chrono::days(1));
  ASSERT_EQ(small.Run(Command(StaleRecords{}))->slices, 3) << "nobody has looked at them";
  const auto next = Claim(3);
  ASSERT_TRUE(ports_->plans().CancelTask(next[0].lineage.task, {{"me"}, "not now"}));
  Finish(next[1]);
  Finish(next[2]);
  EXPECT_EQ(Count("SELECT normalized_instant FROM ing_cursor"), before);
}

TEST_F(PlanUpdateTest, BadIdsAreLeftToThoseWhoNameThem) {
  StoreItems(0, 3, "p", kStart);
  ports_->Execute(
      "INSERT INTO ing_bad_id (provenance_code, endpoint_name, provider_item_id, reason, batch_id, "
      "listed_at) VALUES ('demo', 'items', 'id-00001', 'gone', 1, 0)");
  clock_.Advance(std::chrono::days(40));
  ASSERT_TRUE(plan_.Run(Command(StaleRecords{})));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id"), 2);
  ASSERT_TRUE(plan_.Run(Command(ChangedRecords{{"new"}})));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id"), 4);
  ASSERT_TRUE(plan_.Run(Command(ListedRecords{{"id-00001"}})));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id WHERE provider_item_id = 'id-00001'"), 1);
}

TEST_F(PlanUpdateTest, IdsAreInTheCaseOfTheSource) {
  auto command = Command(ListedRecords{{"10.1/ABC", "10.1/abc"}});
  command.spec.details->response.id_case = domain::TextCase::kLower;
  ASSERT_TRUE(plan_.Run(command));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id WHERE provider_item_id = '10.1/abc'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id"), 1);
}

TEST_F(PlanUpdateTest, AgesBelowADayCountSeconds) {
  StoreItems(0, 5, "p", clock_.Now());
  clock_.Advance(2h);
  EXPECT_EQ(plan_.Run(Command(StaleRecords{.older_than = 3h}))->kind, Kind::kNothingDue);
  EXPECT_EQ(plan_.Run(Command(StaleRecords{.older_than = 1h}))->slices, 1);
}

TEST_F(PlanUpdateTest, ChangedRecordsAreThoseOfAnOlderPrototype) {
  StoreItems(0, 5, "old", kStart);
  StoreItems(5, 8, "new", kStart);
  const auto planned = plan_.Run(Command(ChangedRecords{{"new", "new-too"}}));
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id"), 5);
  const auto none = plan_.Run(Command(ChangedRecords{{"new", "old"}}));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->kind, Kind::kNothingDue);
}

TEST_F(PlanUpdateTest, SignalsAreConsumedExactlyOnce) {
  for (const auto* id : {"x", "y", "z"}) {
    ASSERT_TRUE(ports_->signals().Add({.provenance = "demo",
                                       .endpoint = "items",
                                       .item_id = id,
                                       .type = "EXTERNAL",
                                       .origin = "test"}));
  }
  const auto planned = plan_.Run(Command(SignalledRecords{}));
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->slices, 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id"), 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_signal WHERE status_code = 'DONE'"), 3);
  const auto none = plan_.Run(Command(SignalledRecords{}));
  ASSERT_TRUE(none);
  EXPECT_EQ(none->kind, Kind::kNothingDue);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 1);
}

TEST_F(PlanUpdateTest, SignalsOfAPlannerThatDiedAreNotLost) {
  ASSERT_TRUE(ports_->signals().Add({.provenance = "demo",
                                     .endpoint = "items",
                                     .item_id = "x",
                                     .type = "EXTERNAL",
                                     .origin = "test"}));
  ASSERT_TRUE(plan_.Run(Command(SignalledRecords{})));
  // As if it had died after taking them and before cutting.
  ports_->Execute(
      "DELETE FROM ing_task; DELETE FROM ing_plan_slice; DELETE FROM ing_enumerated_id; UPDATE "
      "ing_plan SET status_code = 'SLICING', sliced_to = NULL, slice_position = NULL; UPDATE "
      "ing_signal SET status_code = 'PLANNED'");
  const auto planned = plan_.Run(Command(SignalledRecords{}));
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_TRUE(planned->is_continued);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_enumerated_id"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_signal WHERE status_code = 'DONE'"), 1);
}

TEST_F(PlanUpdateTest, ProvesNothingAboutTheSourcesTime) {
  ASSERT_TRUE(plan_.Run(Command(ListedRecords{{"a"}})));
  WorkEverythingOff();
  const auto coverage = ports_->cursors().CoverageIn(
      {"demo", "items"}, domain::QueryHash({}),
      *domain::Window::Between(kStart, kStart + std::chrono::days(30)));
  ASSERT_TRUE(coverage);
  EXPECT_TRUE(coverage->windows().empty());
  EXPECT_EQ(Count("SELECT count(*) FROM ing_cursor WHERE operation_code = 'HARVEST'"), 0);
}

TEST_F(PlanUpdateTest, ASourceWithoutRecordsByIdSaysWhatToAdd) {
  auto command = Command(ListedRecords{{"a"}});
  command.spec.details.reset();
  const auto refused = plan_.Run(command);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().hint.find("refresh"), std::string::npos);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 0);
}

TEST_F(PlanUpdateTest, ADryRunCountsAndTakesNothing) {
  ASSERT_TRUE(ports_->signals().Add({.provenance = "demo",
                                     .endpoint = "items",
                                     .item_id = "x",
                                     .type = "EXTERNAL",
                                     .origin = "test"}));
  auto command = Command(SignalledRecords{});
  command.options.dry_run = true;
  const auto priced = plan_.Run(command);
  ASSERT_TRUE(priced);
  EXPECT_EQ(priced->price->requests, 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_signal WHERE status_code = 'OPEN'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 0);
}

}  // namespace patra::app::plan_update_test
