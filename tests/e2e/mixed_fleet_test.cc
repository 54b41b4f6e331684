// Executors beside planners of a newer version.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/plan/plan_harvest.h"
#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"

namespace patra::mixed_fleet_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 12 / 1}};
const Instant kNow = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 6h;

class MixedFleet : public testing::SimWorld, public ::testing::Test {
 protected:
  void SetUp() override {
    Start({.seed = 5, .size = 400, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    for (const auto* endpoint : {"items", "by-token"}) {
      const auto spec = testing::SimRest(endpoint, simulator_->url(), kBegin);
      const auto planned = app::PlanHarvest(engine_->plan_ports()).Run({.spec = spec});
      ASSERT_TRUE(planned) << planned.error().Describe();
    }
  }

  // What a newer planner writes, to this program: a snapshot of a format that it does not know.
  void Plan(const std::string& from, const std::string& to) {
    const auto done =
        testing::DatabaseOf(engine_->store()).Write([&](infra::sql::Session& session) {
          return session.Execute(fmt::format(
              "UPDATE ing_plan SET expr_proto_snapshot = replace(expr_proto_snapshot, '{}', '{}') "
              "WHERE endpoint_name = 'items'",
              from, to));
        });
    ASSERT_TRUE(done) << done.error().Describe();
  }
  void BeNewer() { Plan(R"("format":2,)", R"("format":902,)"); }
  void BeReadable() { Plan(R"("format":902,)", R"("format":2,)"); }

  app::WorkSummary WorkOff() {
    const auto worked = engine_->work().Run({.workers = 0}, [](const auto&) {});
    EXPECT_TRUE(worked) << worked.error().Describe();
    return worked.value_or(app::WorkSummary{});
  }
  std::int64_t Tasks(const std::string& endpoint, const std::string& status) {
    return Count(fmt::format(
        "SELECT count(*) FROM ing_task WHERE endpoint_name = '{}' AND status_code = '{}'", endpoint,
        status));
  }
  std::int64_t OpenAlerts() {
    return Count(
        "SELECT count(*) FROM ing_alert WHERE alert_key LIKE 'newer/%' AND resolved_at IS NULL");
  }
};

TEST_F(MixedFleet, WhatANewerPlannerMadeStaysQueuedAndOtherLanesAreWorkedOff) {
  BeNewer();
  const auto tasks = Tasks("items", "QUEUED");
  ASSERT_GT(tasks, 0);
  const auto first = WorkOff();
  EXPECT_EQ(Tasks("items", "QUEUED"), tasks);
  EXPECT_EQ(Tasks("by-token", "QUEUED"), 0);
  EXPECT_GT(Tasks("by-token", "SUCCEEDED"), 0);
  EXPECT_EQ(first.left, tasks);
  EXPECT_FALSE(first.tired);
  ASSERT_TRUE(first.first_error);
  EXPECT_EQ(first.first_error->code, ErrorCode::kUnavailable);
  EXPECT_THAT(first.first_error->message, HasSubstr("newer patra"));
  EXPECT_EQ(OpenAlerts(), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE endpoint_name = 'items' AND ready = 1"),
            tasks)
      << "for whoever can read it, at once";
}

TEST_F(MixedFleet, AnExecutorThatCannotReadALaneAsksForItOnceAMinuteAndNeverGivesItUp) {
  BeNewer();
  const auto tasks = Tasks("items", "QUEUED");
  constexpr int kMinutes = 30;
  for (int i = 0; i < kMinutes; ++i) {
    WorkOff();
    clock_->SleepFor(61s);
  }
  EXPECT_EQ(Tasks("items", "QUEUED"), tasks);
  EXPECT_LE(Count("SELECT sum(fence) FROM ing_task WHERE endpoint_name = 'items'"), kMinutes + 1);
  EXPECT_EQ(Count("SELECT max(fruitless_claims) FROM ing_task WHERE endpoint_name = 'items'"), 0);
  EXPECT_EQ(
      Count(
          "SELECT count(*) FROM ing_task_run AS run JOIN ing_task AS task ON task.id = run.task_id "
          "WHERE task.endpoint_name = 'items'"),
      0);
}

TEST_F(MixedFleet, AnExecutorThatCanReadItEndsTheAlert) {
  BeNewer();
  WorkOff();
  BeReadable();
  clock_->SleepFor(61s);
  const auto done = WorkOff();
  EXPECT_EQ(done.left, 0);
  EXPECT_EQ(Tasks("items", "QUEUED"), 0);
  EXPECT_GT(Tasks("items", "SUCCEEDED"), 0);
  EXPECT_EQ(OpenAlerts(), 0);
}

}  // namespace patra::mixed_fleet_test
