#include "app/schedule/watch_executions.h"

#include <gmock/gmock.h>

#include "tests/app/schedule/schedule_fixture.h"

namespace patra::app::watch_executions_test {

using namespace std::chrono_literals;
using domain::ExecutionStatus;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class WatchExecutionsTest : public ScheduleTest {
 protected:
  // A job that fired, with a plan whose slices are queued.
  Execution Running() {
    const auto fired = Fired();
    planning_.plan = [this](const PlanRequest& request) { return Harvest(request); };
    EXPECT_EQ(PlanAll().started, 1);
    return Log("hourly").at(0);
  }
  Execution Only() { return Log("hourly").at(0); }
};

TEST_F(WatchExecutionsTest, AnExecutionEndsWhenItsPlanIsComplete) {
  Running();
  EXPECT_TRUE(Watch().empty());
  WorkEverythingOff();
  EXPECT_EQ(Watch().succeeded, 1);
  EXPECT_EQ(Only().status, ExecutionStatus::kSuccess);
  EXPECT_TRUE(Only().finished_at);
  EXPECT_TRUE(Watch().empty()) << "once";
}

TEST_F(WatchExecutionsTest, OrSaysWhatIsMissing) {
  Running();
  Finish(Claim(1).at(0), domain::TaskStatus::kFailed);
  WorkEverythingOff();
  EXPECT_EQ(Watch().failed, 1);
  EXPECT_THAT(Only().reason, HasSubstr("1 slice of plan"));
}

TEST_F(WatchExecutionsTest, WhatAnotherSliceHasProvenMeanwhileIsNotMissing) {
  const auto running = Running();
  const auto failed = Claim(1).at(0);
  Finish(failed, domain::TaskStatus::kFailed);
  WorkEverythingOff();
  const auto& window = failed.window();
  PlanHarvest harvest(PortsOf(*ports_, clock_, ids_));
  ASSERT_TRUE(harvest.Run(
      {.spec = Spec(), .from = window.from(), .to = window.to(), .options = {.again = true}}));
  WorkEverythingOff();
  EXPECT_EQ(Watch().succeeded, 1) << Only().reason;
}

TEST_F(WatchExecutionsTest, AnExecutionThatNobodyWorksAtFailsAfterTenMinutes) {
  Running();
  clock_.Advance(9min);
  EXPECT_TRUE(Watch().empty());
  clock_.Advance(2min);
  EXPECT_EQ(Watch().failed, 1);
  EXPECT_THAT(Only().reason, HasSubstr("no executor is alive"));
}

TEST_F(WatchExecutionsTest, ButNotWhileAnExecutorIsAliveOrTheSourceIsPausedForAWhile) {
  Running();
  ASSERT_TRUE(ports_->holds().Pause(
      {.provenance = "demo", .reason = "night", .until = clock_.Now() + 30min},
      {{"anna"}, "night"}));
  clock_.Advance(11min);
  EXPECT_TRUE(Watch().empty());
  ASSERT_TRUE(ports_->executors().Beat("one", "host", 0));
  clock_.Advance(20min);
  ASSERT_TRUE(ports_->executors().Beat("one", "host", 0));
  EXPECT_TRUE(Watch().empty());
  ASSERT_TRUE(ports_->holds().Blow(
      {.provenance = "demo", .reason = "the key is refused", .is_fuse = true}, "{}"));
  EXPECT_EQ(Watch().failed, 1);
  EXPECT_THAT(Only().reason, HasSubstr("the key is refused"));
}

TEST_F(WatchExecutionsTest, TheLogIsKeptForThirtyDays) {
  Running();
  WorkEverythingOff();
  Watch();
  clock_.Advance(29 * 24h);
  EXPECT_EQ(Watch().forgotten, 0);
  clock_.Advance(2 * 24h);
  EXPECT_EQ(Watch().forgotten, 1);
  EXPECT_THAT(Log(), SizeIs(0));
}

}  // namespace patra::app::watch_executions_test
