#include "app/plan/plan_harvest.h"

#include <gtest/gtest.h>

#include "tests/infra/sqlite_backend.h"

namespace patra::app {
namespace {

using namespace std::chrono_literals;
using Kind = HarvestPlanned::Kind;

const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class PlanHarvestTest : public ::testing::Test {
 protected:
  HarvestCommand Command() {
    HarvestCommand command;
    command.spec.provenance = "demo";
    command.spec.endpoint = "items";
    command.spec.window.start = kStart;
    command.spec.window.safety_lag = 10min;
    command.spec.window.align = 1h;
    command.spec.window.width = 24h;
    command.spec.window.watermark_key = "updated_at";
    return command;
  }

  std::int64_t Count(const std::string& sql) { return ports_->Count(sql); }

  // Finishes every task that is due, as executors would.
  void WorkEverythingOff() {
    while (true) {
      const auto claimed = *ports_->queue().Claim({.owner = "w", .tasks_max = 1, .lease = 15s});
      if (claimed.empty()) return;
      const auto run = *ports_->runs().Open(claimed[0], {.page = 1});
      ASSERT_TRUE(ports_->runs().Close({.task = claimed[0], .lineage = run.lineage}));
    }
  }

  VirtualClock clock_{kStart + std::chrono::days(3) + 35min};
  IdGenerator ids_{clock_, 1};
  testing::SqliteBackend backend_;
  std::unique_ptr<testing::LedgerPorts> ports_ = backend_.Connect(clock_, ids_);
  PlanHarvest plan_{ports_->plans(), ports_->cursors(), clock_, ids_};
};

TEST_F(PlanHarvestTest, TheFirstHarvestGoesFromTheStartToTheLastAlignedMomentBeforeTheSafetyLag) {
  const auto planned = plan_.Run(Command());
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->kind, Kind::kCreated);
  EXPECT_EQ(planned->window->from(), kStart);
  EXPECT_EQ(planned->window->to(), kStart + std::chrono::days(3));
  EXPECT_EQ(planned->slices, 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code = 'QUEUED'"), 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'READY'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_schedule_instance"), 1);
}

TEST_F(PlanHarvestTest, TheSameTriggerTwiceFindsTheSamePlan) {
  ASSERT_TRUE(plan_.Run(Command()));
  clock_.Advance(5min);  // still in the same hour
  const auto again = plan_.Run(Command());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Kind::kAlreadyPlanned);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), 3);
}

TEST_F(PlanHarvestTest, TheNextHarvestStartsAtTheWatermark) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  clock_.Advance(2h);
  const auto next = plan_.Run(Command());
  ASSERT_TRUE(next);
  EXPECT_EQ(next->kind, Kind::kCreated);
  EXPECT_EQ(next->window->from(), kStart + std::chrono::days(3));
  EXPECT_EQ(next->window->width(), 2h);
}

TEST_F(PlanHarvestTest, NothingDueIsAQuietSuccess) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  const auto again = plan_.Run(Command());
  ASSERT_TRUE(again);
  EXPECT_EQ(again->kind, Kind::kNothingDue);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 1);
}

TEST_F(PlanHarvestTest, AGapOfMonthsIsPlannedAndNotRefused) {
  clock_.Advance(std::chrono::days(300));
  const auto planned = plan_.Run(Command());
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->slices, 303);
}

TEST_F(PlanHarvestTest, APlanThatADeadPlannerLeftHalfCutIsTakenOver) {
  ASSERT_TRUE(plan_.Run(Command()));
  ports_->Execute(
      "UPDATE ing_plan SET status_code = 'SLICING'; DELETE FROM ing_task WHERE slice_id IN "
      "(SELECT id FROM ing_plan_slice WHERE slice_no > 1); DELETE FROM ing_plan_slice WHERE "
      "slice_no > 1");
  const auto planned = plan_.Run(Command());
  ASSERT_TRUE(planned) << planned.error().Describe();
  EXPECT_EQ(planned->kind, Kind::kCreated);
  EXPECT_EQ(planned->slices, 2);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task"), 3);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'READY'"), 1);
}

TEST_F(PlanHarvestTest, AnEditedDefinitionChangesNothingForAPlanThatExists) {
  ASSERT_TRUE(plan_.Run(Command()));
  auto edited = Command();
  edited.spec.fields = {{.name = "title", .path = "$.other"}};
  EXPECT_EQ(plan_.Run(edited)->kind, Kind::kAlreadyPlanned);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE expr_proto_snapshot LIKE '%$.other%'"), 0);
}

TEST_F(PlanHarvestTest, AnEditedDefinitionDoesNotRestartTheWatermark) {
  ASSERT_TRUE(plan_.Run(Command()));
  WorkEverythingOff();
  clock_.Advance(24h);
  auto edited = Command();
  edited.spec.fields = {{.name = "title", .path = "$.other"}};
  EXPECT_EQ(plan_.Run(edited)->window->from(), kStart + std::chrono::days(3));
}

}  // namespace
}  // namespace patra::app
