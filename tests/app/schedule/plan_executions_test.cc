#include "app/schedule/plan_executions.h"

#include <gmock/gmock.h>

#include "tests/app/schedule/schedule_fixture.h"

namespace patra::app::plan_executions_test {

using namespace std::chrono_literals;
using domain::ExecutionStatus;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class PlanExecutionsTest : public ScheduleTest {
 protected:
  Execution Only() { return Log("hourly").at(0); }
};

TEST_F(PlanExecutionsTest, WhatIsDueIsPlannedAndTheLogLeadsToIt) {
  const auto fired = Fired();
  planning_.plan = [&](const PlanRequest& request) { return Harvest(request); };
  EXPECT_EQ(PlanAll().started, 1);
  const auto running = Only();
  EXPECT_EQ(running.status, ExecutionStatus::kRunning);
  ASSERT_TRUE(running.plan && running.trigger);
  const auto stored = *ports_->plans().Find(*running.plan);
  EXPECT_EQ(stored->plan.trigger_id, *running.trigger);
  EXPECT_EQ(Count(fmt::format("SELECT count(*) FROM ing_schedule_instance WHERE scheduler_job_id = "
                              "'hourly' AND scheduler_log_id = '{}' AND trigger_type_code = "
                              "'SCHEDULE'",
                              fired.id)),
            1);
}

TEST_F(PlanExecutionsTest, TheArgumentsOfTheJobAreWhatIsAskedFor) {
  auto job = SetJob("hourly");
  job.operation = domain::Operation::kUpdate;
  job.params = R"({"stale":"30d","parts":7,"priority":2,"set":["retry.attempts=2"]})";
  job.query = "q";
  Put(job);
  clock_.Advance(1h);
  Fire();
  PlanAll();
  ASSERT_THAT(planning_.asked, SizeIs(1));
  const auto& asked = planning_.asked[0];
  EXPECT_EQ(asked.source.target, "demo/items");
  EXPECT_EQ(asked.source.operation, domain::Operation::kUpdate);
  EXPECT_EQ(asked.source.query, "q");
  EXPECT_THAT(asked.source.overrides, ElementsAre("retry.attempts=2"));
  EXPECT_EQ(asked.stale, "30d");
  EXPECT_EQ(asked.parts, 7);
  EXPECT_EQ(asked.options.priority, 2);
  EXPECT_EQ(asked.options.origin.job_id, "hourly");
  EXPECT_EQ(asked.options.origin.type, "SCHEDULE");
}

TEST_F(PlanExecutionsTest, NothingDueIsASuccessThatSaysSo) {
  Fired();
  EXPECT_EQ(PlanAll().ended, 1);
  EXPECT_EQ(Only().status, ExecutionStatus::kSuccess);
  EXPECT_THAT(Only().reason, HasSubstr("nothing to do: the watermark is where it should be"));
}

TEST_F(PlanExecutionsTest, HowLateItIsStaysInTheLog) {
  SetJob("hourly");
  clock_.Advance(10h);
  Fire();
  planning_.plan = [&](const PlanRequest& request) { return Harvest(request); };
  PlanAll();
  WorkEverythingOff();
  Watch();
  EXPECT_EQ(Only().status, ExecutionStatus::kSuccess);
  EXPECT_THAT(Only().reason, HasSubstr("fires once for all"));
}

TEST_F(PlanExecutionsTest, WhatIsHeldBackIsSkippedWithTheReason) {
  Fired();
  planning_.plan = [](const PlanRequest&) {
    return PlanReport{.planned = {.kind = Planned::Kind::kHeld, .reason = "demo is paused"}};
  };
  PlanAll();
  EXPECT_EQ(Only().status, ExecutionStatus::kSkipped);
  EXPECT_EQ(Only().reason, "demo is paused");
}

TEST_F(PlanExecutionsTest, ProblemsOfTheDefinitionFailItAndAreTold) {
  Fired();
  planning_.plan = [](const PlanRequest&) {
    return PlanReport{.problems = {{ErrorCode::kInvalidInput, "no url", {}, "write one"}}};
  };
  PlanAll();
  EXPECT_EQ(Only().status, ExecutionStatus::kFailed);
  EXPECT_THAT(Only().reason, HasSubstr("no url"));
}

TEST_F(PlanExecutionsTest, WhatIsAwayIsTriedAgainLater) {
  Fired();
  planning_.plan = [](const PlanRequest&) -> Result<PlanReport> {
    return Fail(ErrorCode::kUnavailable, "the store is away");
  };
  EXPECT_EQ(PlanAll().given_back, 1);
  EXPECT_EQ(Only().status, ExecutionStatus::kPending);
  EXPECT_TRUE(PlanAll().empty()) << "not at once";
  planning_.plan = FakePlanning().plan;
  clock_.Advance(30s);
  EXPECT_EQ(PlanAll().ended, 1);
}

TEST_F(PlanExecutionsTest, WhatKillsEveryPlannerIsGivenUp) {
  Fired();
  for (int death = 0; death < 10; ++death) {
    ASSERT_TRUE(*ports_->executions().Take("mortal", 5min));
    clock_.Advance(5min);
  }
  PlanAll();
  EXPECT_EQ(Only().status, ExecutionStatus::kFailed);
  EXPECT_THAT(Only().reason, HasSubstr("10 planners took it"));
  EXPECT_TRUE(planning_.asked.empty());
}

TEST_F(PlanExecutionsTest, WhatADeadPlannerHadPlannedIsNotPlannedASecondTime) {
  const auto fired = Fired();
  const auto taken = *ports_->executions().Take("mortal", 5min);
  PlanRequest request;
  request.options.origin = {
      .job_id = "hourly", .log_id = std::to_string(fired.id), .type = "SCHEDULE"};
  const auto planned = Harvest(request);
  ASSERT_TRUE(planned && planned->planned.plan != 0);
  clock_.Advance(5min);
  EXPECT_EQ(PlanAll().started, 1);
  EXPECT_TRUE(planning_.asked.empty());
  EXPECT_EQ(Only().plan, planned->planned.plan);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan"), 1);
}

TEST_F(PlanExecutionsTest, WhatAPlannerDiedOverHalfCutIsCutFurther) {
  const auto fired = Fired();
  ASSERT_TRUE(*ports_->executions().Take("mortal", 5min));
  PlanRequest request;
  request.options.origin = {
      .job_id = "hourly", .log_id = std::to_string(fired.id), .type = "SCHEDULE"};
  const auto plan = Harvest(request, {.open_tasks_max = 1})->planned.plan;
  ASSERT_TRUE(ports_->plans().Move(plan, domain::PlanStatus::kSlicing));
  clock_.Advance(5min);
  planning_.take_rest = [](Id, const PlanRequest&) -> Result<Planned> {
    return Fail(ErrorCode::kUnavailable, "the store is away");
  };
  EXPECT_EQ(PlanAll().given_back, 1);
  planning_.take_rest = FakePlanning().take_rest;
  clock_.Advance(30s);
  EXPECT_EQ(PlanAll().started, 1);
  EXPECT_TRUE(planning_.asked.empty());
  EXPECT_THAT(planning_.asked_for_rest, ElementsAre(plan, plan));
  EXPECT_EQ(Only().plan, plan);
}

TEST_F(PlanExecutionsTest, AJobThatIsGoneOrDisabledMeanwhileIsSkipped) {
  Fired("hourly");
  auto job = **ports_->jobs().Find("hourly");
  job.enabled = false;
  job.disabled_reason = "too dear";
  Put(job);
  PlanAll();
  EXPECT_EQ(Only().status, ExecutionStatus::kSkipped);
  EXPECT_THAT(Only().reason, HasSubstr("too dear"));
  ASSERT_TRUE(ports_->executions().AddManual("hourly", {{"anna"}, "now"}));
  PlanAll();
  EXPECT_EQ(Only().status, ExecutionStatus::kSuccess) << "a person fires what is disabled, too";
  clock_.Advance(1s);
  ASSERT_TRUE(ports_->executions().AddManual("hourly", {{"anna"}, "now"}));
  ASSERT_TRUE(ports_->jobs().Remove("hourly", {{"anna"}, "never"}));
  PlanAll();
  EXPECT_EQ(Only().status, ExecutionStatus::kSkipped);
  EXPECT_THAT(Only().reason, HasSubstr("removed"));
}

TEST_F(PlanExecutionsTest, APlanThatStoppedIsGoneOnWithAfterAMinute) {
  Fired();
  planning_.plan = [&](const PlanRequest& request) {
    return Harvest(request, {.open_tasks_max = 1});
  };
  EXPECT_EQ(PlanAll().started, 1);
  EXPECT_TRUE(PlanAll().empty());
  clock_.Advance(1min);
  EXPECT_EQ(PlanAll().rests, 1);
  EXPECT_THAT(planning_.asked_for_rest, ElementsAre(*Only().plan));
  EXPECT_TRUE(PlanAll().empty()) << "once a minute";
}

TEST_F(PlanExecutionsTest, WhatAJobIsAllowedInOneFiringWaitsForTheNext) {
  auto job = SetJob("hourly");
  job.params = R"({"max_requests":1})";
  Put(job);
  clock_.Advance(1h);
  Fire();
  planning_.plan = [&](const PlanRequest& request) { return Harvest(request); };
  PlanAll();
  clock_.Advance(1min);
  PlanAll();
  EXPECT_TRUE(planning_.asked_for_rest.empty());
  WorkEverythingOff();
  EXPECT_EQ(Watch().succeeded, 1);
  EXPECT_THAT(Only().reason, HasSubstr("waits for the next firing"));
}

}  // namespace patra::app::plan_executions_test
