#include "app/plan/plan_update.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/hash.h"
#include "domain/plan/slicer.h"
#include "tests/app/plan/planning_fixture.h"

namespace patra::app {
namespace {

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
        "INSERT INTO ing_task_run_batch (id, run_id, task_id, slice_id, plan_id, expr_hash, "
        "provenance_code, endpoint_name, operation_code, batch_no, idempotent_key, created_at) "
        "VALUES ({2}, {2}, 1, 1, {0}, 'e', 'demo', 'items', 'HARVEST', 1, 'b{2}', 0);",
        plan, prototype, batch));
    for (int i = from; i < to; ++i) {
      ports_->Execute(fmt::format(
          "INSERT INTO ing_item (id, provenance_code, endpoint_name, provider_item_id, updated_at, "
          "fetched_at, content_hash, fields, expr_hash, batch_id, first_seen_at, refreshed_at) "
          "VALUES ({}, 'demo', 'items', 'id-{:05}', 0, 0, 'h', '{{}}', 'e', {}, 0, {})",
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
  const auto again = plan_.Run(Command(ListedRecords{{"b", "a"}}));
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Kind::kAlreadyPlanned);
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

}  // namespace
}  // namespace patra::app
