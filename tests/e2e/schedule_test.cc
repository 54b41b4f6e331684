// A job by itself: it fires, is planned and executed against the simulator, and the log says what it brought.
#include <fstream>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "app/schedule/fire_jobs.h"
#include "app/schedule/plan_executions.h"
#include "app/schedule/planner_of_jobs.h"
#include "app/schedule/watch_executions.h"
#include "base/canonical_json.h"
#include "boot/open_desk.h"
#include "tests/e2e/sim_world.h"

namespace patra::schedule_test {

using namespace std::chrono_literals;
using domain::ExecutionStatus;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 12 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
const std::string kSources = PATRA_SOURCE_DIR "/sources";

class ScheduledHarvest : public testing::SimWorld, public ::testing::Test {
 protected:
  void SetUp() override {
    Start({.seed = 7, .size = 800, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    planning_ = std::make_unique<app::PlannerOfJobs>(engine_->planner(), kSources, "");
  }

  app::Store& store() { return engine_->store(); }

  void SetJob() {
    Value::Object arguments;
    arguments["set"] = Value::Object{{"http.base_url", simulator_->url()},
                                     {"http.allow_http", true},
                                     {"window.start", FormatRfc3339(kBegin)},
                                     {"window.safety_lag", "1d"},
                                     {"window.width", "1d"}};
    const domain::Job job{.id = "daily",
                          .provenance = "sim-rest",
                          .endpoint = "by-token",
                          .cron = "0 3 * * *",
                          .params = CanonicalJson(arguments),
                          .next_fire_at = kNow + 3h};
    ASSERT_TRUE(store().jobs().Put(job, {{"anna"}, "because"}));
  }

  void Rounds() {
    const auto fired =
        app::FireJobs(store().jobs(), store().executions(), *clock_, "scheduler").Round();
    EXPECT_TRUE(fired) << fired.error().Describe();
    const auto planned =
        app::PlanExecutions({*planning_, store().jobs(), store().executions(), *clock_}, "planner")
            .Round();
    EXPECT_TRUE(planned) << planned.error().Describe();
  }
  void Watch() {
    const auto watched =
        app::WatchExecutions({store().executions(), store().plans(), store().cursors(),
                              store().executors(), store().holds(), *clock_})
            .Round();
    EXPECT_TRUE(watched) << watched.error().Describe();
  }
  app::WorkSummary Work() {
    const auto summary = engine_->work().Run({.workers = 0, .drain = true}, [](const auto&) {});
    EXPECT_TRUE(summary) << summary.error().Describe();
    return summary.value_or(app::WorkSummary{});
  }
  domain::Execution Newest() {
    const auto log = store().executions().Log({.job = "daily"});
    return log && !log->empty() ? log->front() : domain::Execution{};
  }

  std::unique_ptr<app::PlannerOfJobs> planning_;
};

TEST_F(ScheduledHarvest, FiresIsPlannedAndExecutedAndTheLogSaysWhatItBrought) {
  SetJob();
  Rounds();
  EXPECT_EQ(Newest().id, 0) << "its time has not come";
  simulator_->Advance(3h);
  Rounds();
  const auto running = Newest();
  ASSERT_EQ(running.status, ExecutionStatus::kRunning) << running.reason;
  Watch();
  EXPECT_EQ(Newest().status, ExecutionStatus::kRunning);
  const auto work = Work();
  Watch();
  const auto first = Newest();
  EXPECT_EQ(first.status, ExecutionStatus::kSuccess) << first.reason;
  EXPECT_EQ(first.counts.received, work.totals.counts.received);
  EXPECT_EQ(first.counts.inserted, Count("SELECT count(*) FROM ing_item"));
  EXPECT_EQ(first.counts.inserted + first.counts.updated + first.counts.unchanged +
                first.counts.quarantined,
            first.counts.received);
  EXPECT_EQ(first.counts.requests, work.totals.requests);
  EXPECT_GT(first.counts.requests, 10);
  EXPECT_EQ(
      Count(fmt::format("SELECT count(*) FROM ing_plan WHERE id = {} AND schedule_instance_id "
                        "= {}",
                        *first.plan, *first.trigger)),
      1);
  EXPECT_EQ(Count(fmt::format("SELECT count(*) FROM ing_schedule_instance WHERE id = {} AND "
                              "scheduler_job_id = 'daily' AND scheduler_log_id = '{}'",
                              *first.trigger, first.id)),
            1);

  simulator_->Advance(24h);
  Rounds();
  Work();
  Watch();
  const auto second = Newest();
  EXPECT_NE(second.id, first.id);
  EXPECT_EQ(second.status, ExecutionStatus::kSuccess) << second.reason;
  EXPECT_EQ(first.counts.inserted + second.counts.inserted, Count("SELECT count(*) FROM ing_item"));
}

TEST_F(ScheduledHarvest, AManualFiringOfWhatIsUpToDateHasNothingToDo) {
  SetJob();
  simulator_->Advance(3h);
  Rounds();
  Work();
  Watch();
  ASSERT_TRUE(store().executions().AddManual("daily", {{"anna"}, "now"}));
  Rounds();
  EXPECT_EQ(Newest().status, ExecutionStatus::kSuccess);
  EXPECT_EQ(Newest().type, domain::FiringType::kManual);
  EXPECT_TRUE(Newest().reason.starts_with("nothing to do")) << Newest().reason;
}

TEST_F(ScheduledHarvest, ThatOnlyMayAskSoMuchGoesOnAtTheNextFiring) {
  SetJob();
  simulator_->Advance(3h);
  Rounds();
  Work();
  Watch();
  auto inserted = Newest().counts.inserted;
  auto job = **store().jobs().Find("daily");
  job.params.insert(1, R"("max_requests":2,)");
  ASSERT_TRUE(store().jobs().Put(job, {{"anna"}, "because"}));
  simulator_->Advance(24h * 30);
  int firings = 0;
  for (; firings < 40; ++firings) {
    Rounds();
    Work();
    Watch();
    const auto one = Newest();
    ASSERT_EQ(one.status, ExecutionStatus::kSuccess) << one.reason;
    inserted += one.counts.inserted;
    if (one.reason.find("waits for the next firing") == std::string::npos) break;
    simulator_->Advance(24h);
  }
  EXPECT_GT(firings, 2);
  EXPECT_EQ(inserted, Count("SELECT count(*) FROM ing_item")) << "each counts what came by it";
}

// As people set it: the desk looks at the definition first.
TEST_F(ScheduledHarvest, IsSetAtTheDeskAndReadBack) {
  const auto desk =
      boot::OpenDesk({.database = database_, .sources_folder = kSources, .changes = true});
  ASSERT_TRUE(desk) << desk.error().Describe();
  auto& schedule = (*desk)->schedule();
  const domain::Actor anna{.name = "anna"};
  auto put = schedule.Put({.id = "n", .target = "sim-rest/by-tokn", .cron = "@daily"}, anna);
  ASSERT_TRUE(put);
  ASSERT_EQ(put->problems.size(), 1u);
  EXPECT_EQ(put->problems[0].hint, "did you mean 'by-token'?");
  put = schedule.Put({.id = "n", .target = "sim-rest/by-token", .cron = "@daily"}, anna);
  ASSERT_TRUE(put && put->problems.empty());
  EXPECT_EQ(schedule.Show("m").error().hint, "did you mean 'n'?");
  EXPECT_EQ(schedule.Next("n", 3)->size(), 3u);
  ASSERT_TRUE(schedule.Disable("n", "too dear", anna));
  EXPECT_EQ(schedule.Show("n")->job.disabled_reason, "too dear");
  const auto text = schedule.Export();
  ASSERT_TRUE(text);
  std::ofstream(folder_.Path("jobs.yaml")) << *text;
  const auto applied = schedule.Apply(folder_.Path("jobs.yaml"), anna);
  ASSERT_TRUE(applied && applied->problems.empty());
  EXPECT_EQ(applied->changed, std::vector<std::string>{"n"}) << "it is the file's now";
  EXPECT_EQ(schedule.Apply(folder_.Path("jobs.yaml"), anna)->unchanged,
            std::vector<std::string>{"n"});
  ASSERT_TRUE(schedule.Trigger("n", "now", anna));
  EXPECT_EQ(schedule.Log({.job = "n"})->at(0).status, ExecutionStatus::kPending);
  ASSERT_TRUE(schedule.Remove("n", "done", anna));
  EXPECT_TRUE(schedule.List("", 10)->empty());
}

}  // namespace patra::schedule_test
