// What every repository of executions of jobs must do.
#include <thread>

#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::execution_repository_contract_test {

using namespace std::chrono_literals;
using domain::Execution;
using domain::ExecutionStatus;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ExecutionRepositoryContract : public testing::LedgerTest {
 protected:
  void SetJob(const std::string& id) {
    const domain::Job job{.id = id,
                          .provenance = "demo",
                          .endpoint = "items",
                          .cron = "0 3 * * *",
                          .next_fire_at = clock_.Now() + 1h};
    ASSERT_TRUE(ports_->jobs().Put(job, kAnna));
  }
  domain::Job Found(const std::string& id) { return **ports_->jobs().Find(id); }
  app::DueJob Due(const std::string& id, Duration jitter = {}) {
    const auto job = Found(id);
    return {.job = job, .start_at = *job.next_fire_at + jitter, .next = *job.next_fire_at + 24h};
  }
  std::vector<Execution> ClaimAs(const std::string& owner, const app::DueJob& due) {
    return *ports_->executions().Claim(std::span(&due, 1), owner);
  }
  // A job that has fired, as a planner has taken it.
  Execution Taken(const std::string& id = "daily") {
    SetJob(id);
    clock_.Advance(1h);
    EXPECT_THAT(ClaimAs("one", Due(id)), SizeIs(1));
    const auto taken = *ports_->executions().Take("planner", 5min);
    EXPECT_TRUE(taken);
    return *taken;
  }
  Execution Logged(const std::string& id) {
    return ports_->executions().Log({.job = id}).value().at(0);
  }
  // As a planner plans for it.
  domain::Plan PlannedFor(const Execution& execution, int from, int to) {
    auto plan = Draft(from, to);
    EXPECT_TRUE(ports_->plans().RecordTrigger({.id = plan.trigger_id,
                                               .job_id = execution.job,
                                               .log_id = std::to_string(execution.id),
                                               .type = "SCHEDULE",
                                               .fired_at = clock_.Now(),
                                               .lane = plan.lane}));
    AddReady(plan);
    return plan;
  }

  const app::Decision kAnna{{"anna"}, "because"};
};
RUN_ON_EVERY_LEDGER(ExecutionRepositoryContract);

TEST_P(ExecutionRepositoryContract, AnOccurrenceBelongsToWhoeverClaimsItFirst) {
  SetJob("daily");
  clock_.Advance(1h);
  const auto due = Due("daily", 7min);
  const auto first = ClaimAs("one", due);
  ASSERT_THAT(first, SizeIs(1));
  EXPECT_EQ(first[0].fired_at, *due.job.next_fire_at) << "the jitter is no part of it";
  EXPECT_EQ(first[0].start_at, *due.job.next_fire_at + 7min);
  EXPECT_EQ(first[0].status, ExecutionStatus::kPending);
  EXPECT_THAT(ClaimAs("two", due), IsEmpty());
  EXPECT_THAT(*ports_->jobs().Due(10), IsEmpty());
  EXPECT_EQ(Found("daily").next_fire_at, due.next);
  EXPECT_TRUE(Found("daily").last_run_at);
}

TEST_P(ExecutionRepositoryContract, OfTwoInstancesAtOnceOneClaimsEachOccurrence) {
  const auto other = backend_->Connect(clock_);
  std::vector<std::string> names;
  for (int i = 0; i < 20; ++i) names.push_back("job-" + std::to_string(i));
  for (const auto& name : names) SetJob(name);
  clock_.Advance(1h);
  std::vector<app::DueJob> due;
  for (const auto& name : names) due.push_back(Due(name));
  std::vector<Execution> mine;
  std::vector<Execution> theirs;
  const auto claim = [&](testing::LedgerPorts& ports, std::vector<Execution>& into) {
    for (const auto& one : due) {
      const auto claimed = *ports.executions().Claim(std::span(&one, 1), "x");
      into.insert(into.end(), claimed.begin(), claimed.end());
    }
  };
  std::thread rival([&] { claim(*other, theirs); });
  claim(*ports_, mine);
  rival.join();
  EXPECT_EQ(mine.size() + theirs.size(), names.size());
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM scheduler_execution_log"), 20);
}

TEST_P(ExecutionRepositoryContract, AJobThatWasChangedOrDisabledAfterItWasReadIsNotClaimed) {
  SetJob("daily");
  clock_.Advance(1h);
  const auto due = Due("daily");
  auto changed = Found("daily");
  changed.cron = "0 4 * * *";
  ASSERT_TRUE(ports_->jobs().Put(changed, kAnna));
  EXPECT_THAT(ClaimAs("one", due), IsEmpty());
  const auto newer = Due("daily");
  changed = Found("daily");
  changed.enabled = false;
  ASSERT_TRUE(ports_->jobs().Put(changed, kAnna));
  EXPECT_THAT(ClaimAs("one", newer), IsEmpty());
}

TEST_P(ExecutionRepositoryContract, FiringIsNoChangeThatWhoeverEditsAJobHasToKnow) {
  SetJob("daily");
  const auto read = Found("daily");
  clock_.Advance(1h);
  EXPECT_THAT(ClaimAs("one", Due("daily")), SizeIs(1));
  EXPECT_TRUE(ports_->jobs().Put(read, kAnna));
}

TEST_P(ExecutionRepositoryContract, AJobThatWasSetBackDoesNotFireTwiceAtTheSameMoment) {
  SetJob("daily");
  clock_.Advance(1h);
  const auto due = Due("daily");
  ASSERT_THAT(ClaimAs("one", due), SizeIs(1));
  auto set_back = Found("daily");
  set_back.next_fire_at = due.job.next_fire_at;
  ASSERT_TRUE(ports_->jobs().Put(set_back, kAnna));
  EXPECT_THAT(ClaimAs("one", Due("daily")), IsEmpty());
  EXPECT_THAT(*ports_->jobs().Due(10), IsEmpty()) << "it moved on";
}

TEST_P(ExecutionRepositoryContract, WhatFiresWhileAnEarlierOneIsNotOverIsSkippedWithTheReason) {
  const auto first = Taken();
  clock_.Advance(24h);
  const auto second = ClaimAs("one", Due("daily"));
  ASSERT_THAT(second, SizeIs(1));
  EXPECT_EQ(second[0].status, ExecutionStatus::kSkipped);
  EXPECT_EQ(Logged("daily").reason,
            "the execution of " + FormatRfc3339(first.fired_at) + " is not over (PENDING)");
  EXPECT_TRUE(Logged("daily").finished_at);
  EXPECT_EQ(ports_->executions().AddManual("daily", kAnna).error().code, ErrorCode::kConflict);
  ASSERT_TRUE(*ports_->executions().End(first, ExecutionStatus::kSuccess, "nothing due"));
  clock_.Advance(24h);
  EXPECT_EQ(ClaimAs("one", Due("daily")).at(0).status, ExecutionStatus::kPending);
}

TEST_P(ExecutionRepositoryContract, WhatDoesNotFireIsLogged) {
  SetJob("daily");
  clock_.Advance(5h);
  auto due = Due("daily");
  due.fires = false;
  due.note = "missed";
  EXPECT_EQ(ClaimAs("one", due).at(0).status, ExecutionStatus::kSkipped);
  EXPECT_EQ(Logged("daily").reason, "missed");
  EXPECT_FALSE(*ports_->executions().Take("planner", 5min));
}

TEST_P(ExecutionRepositoryContract, APersonFiresAJobNowWhichIsAudited) {
  SetJob("daily");
  auto off = Found("daily");
  off.enabled = false;
  ASSERT_TRUE(ports_->jobs().Put(off, kAnna));
  const auto execution = ports_->executions().AddManual("daily", kAnna);
  ASSERT_TRUE(execution) << execution.error().Describe();
  EXPECT_EQ(Logged("daily").type, domain::FiringType::kManual);
  EXPECT_EQ(Logged("daily").claimed_by, "anna");
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE action = 'TRIGGER'"), 1);
  EXPECT_EQ(ports_->executions().AddManual("other", kAnna).error().code, ErrorCode::kNotFound);
}

TEST_P(ExecutionRepositoryContract, APersonMayFireItInTheMomentOfItsTimetable) {
  const auto taken = Taken();
  ASSERT_TRUE(*ports_->executions().End(taken, ExecutionStatus::kSuccess, ""));
  const auto manual = ports_->executions().AddManual("daily", kAnna);
  ASSERT_TRUE(manual) << manual.error().Describe();
  EXPECT_GT(manual->fired_at, taken.fired_at);
  EXPECT_EQ(manual->start_at, clock_.Now());
}

TEST_P(ExecutionRepositoryContract, APlannerTakesNoneBeforeItsStart) {
  SetJob("daily");
  clock_.Advance(1h);
  ASSERT_THAT(ClaimAs("one", Due("daily", 7min)), SizeIs(1));
  EXPECT_FALSE(*ports_->executions().Take("planner", 5min));
  clock_.Advance(7min);
  EXPECT_TRUE(*ports_->executions().Take("planner", 5min));
}

TEST_P(ExecutionRepositoryContract, WhatAPlannerDiedOverIsTakenByTheNextWhoseWordCounts) {
  const auto dead = Taken();
  EXPECT_FALSE(*ports_->executions().Take("other", 5min)) << "it is at it";
  clock_.Advance(5min);
  const auto taken = *ports_->executions().Take("other", 5min);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->id, dead.id);
  EXPECT_FALSE(*ports_->executions().Start(dead, {})) << "it was not dead, but late";
  EXPECT_FALSE(*ports_->executions().End(dead, ExecutionStatus::kFailed, "late"));
  EXPECT_TRUE(*ports_->executions().Start(*taken, {}));
  EXPECT_EQ(Logged("daily").status, ExecutionStatus::kRunning);
}

TEST_P(ExecutionRepositoryContract, WhatIsGivenBackWaitsAndSaysWhy) {
  const auto taken = Taken();
  ASSERT_TRUE(ports_->executions().GiveBack(taken, clock_.Now() + 30s, "the store was away"));
  EXPECT_EQ(Logged("daily").reason, "the store was away");
  EXPECT_FALSE(*ports_->executions().Take("other", 5min));
  clock_.Advance(30s);
  EXPECT_TRUE(*ports_->executions().Take("other", 5min));
}

TEST_P(ExecutionRepositoryContract, WhatADeadPlannerHadPlannedIsFoundByTheFiring) {
  const auto execution = Taken();
  EXPECT_FALSE(*ports_->executions().FindPlanned(execution));
  const auto plan = PlannedFor(execution, 0, 2);
  const auto before = *ports_->executions().FindPlanned(execution);
  ASSERT_TRUE(before);
  EXPECT_EQ(before->trigger, plan.trigger_id);
  EXPECT_EQ(before->plan, plan.id);
  EXPECT_TRUE(before->is_cut);
}

TEST_P(ExecutionRepositoryContract, ItsTriggerItsPlanAndWhatThatBroughtAreInTheLog) {
  auto execution = Taken();
  const auto plan = PlannedFor(execution, 0, 2);
  ASSERT_TRUE(*ports_->executions().Start(execution, {.plan = plan.id, .note = "two slices"}));
  execution = Logged("daily");
  EXPECT_EQ(execution.status, ExecutionStatus::kRunning);
  EXPECT_EQ(execution.trigger, plan.trigger_id);
  EXPECT_EQ(execution.plan, plan.id);
  EXPECT_EQ(execution.reason, "two slices");
  EXPECT_THAT(*ports_->executions().Running(0, 10), SizeIs(1));
  EXPECT_THAT(*ports_->executions().Running(execution.id, 10), IsEmpty());
  for (const auto& task : Claim(10)) {
    const auto run = ports_->runs().Open(task, kFirstPage);
    const auto& at = task.window().from();
    ASSERT_TRUE(ports_->runs().Commit(
        BatchOf(task, *run, {RecordOf("a", at), RecordOf(FormatRfc3339(at), at)})));
    ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
  }
  const auto look = *ports_->executions().LookAt(plan.id, true);
  ASSERT_TRUE(look);
  EXPECT_EQ(look->seen.status, domain::PlanStatus::kCompleted);
  EXPECT_FALSE(look->seen.has_open_slices);
  ASSERT_TRUE(*ports_->executions().End(execution, ExecutionStatus::kSuccess, ""));
  const auto over = Logged("daily");
  EXPECT_EQ(over.status, ExecutionStatus::kSuccess);
  EXPECT_EQ(over.counts.received, 4);
  EXPECT_EQ(over.counts.inserted, 3);
  EXPECT_EQ(over.counts.updated + over.counts.unchanged, 1);
  EXPECT_TRUE(over.finished_at);
}

TEST_P(ExecutionRepositoryContract, OfAPlanThatItJoinedOnlyWhatCameSinceCounts) {
  const auto plan = Planned(0, 2);
  const auto bring = [&](const app::LeasedTask& task) {
    const auto run = ports_->runs().Open(task, kFirstPage);
    const auto& at = task.window().from();
    ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, *run, {RecordOf(FormatRfc3339(at), at)})));
    ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
  };
  bring(Claim(1).at(0));
  const auto taken = Taken();
  ASSERT_TRUE(*ports_->executions().Start(taken, {.plan = plan.id}));
  bring(Claim(1).at(0));
  ASSERT_TRUE(*ports_->executions().End(Logged("daily"), ExecutionStatus::kSuccess, ""));
  EXPECT_EQ(Logged("daily").counts.received, 1);
}

TEST_P(ExecutionRepositoryContract, WhoIsAtAPlanIsSeen) {
  const auto plan = Planned(0, 2);
  auto look = **ports_->executions().LookAt(plan.id, true);
  EXPECT_TRUE(look.seen.has_open_slices);
  EXPECT_FALSE(look.seen.is_leased);
  EXPECT_EQ(look.lane.provenance, "demo");
  const auto task = Claim(1).at(0);
  look = **ports_->executions().LookAt(plan.id, true);
  EXPECT_TRUE(look.seen.is_leased);
  clock_.Advance(1min);
  look = **ports_->executions().LookAt(plan.id, true);
  EXPECT_FALSE(look.seen.is_leased) << "its lease is over";
  EXPECT_FALSE(*ports_->executions().LookAt(1, true));
}

TEST_P(ExecutionRepositoryContract, TheRestOfAPlanIsTakenByOnePlannerAtATime) {
  const auto taken = Taken();
  auto plan = Draft(0, 4);
  ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
  ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
  auto slices = Cut(plan);
  slices.erase(slices.begin() + 2, slices.end());
  ASSERT_TRUE(ports_->plans().AddSlices(plan, slices, testing::Hours(0, 2).to()));
  ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kPartial));
  ASSERT_TRUE(*ports_->executions().Start(taken, {.plan = plan.id}));
  EXPECT_FALSE(*ports_->executions().TakeRest(clock_.Now() - 1min)) << "a planner was just there";
  clock_.Advance(1min);
  const auto rest = *ports_->executions().TakeRest(clock_.Now() - 1min);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->plan, plan.id);
  EXPECT_FALSE(*ports_->executions().TakeRest(clock_.Now() - 1min));
}

TEST_P(ExecutionRepositoryContract, TheLogIsReadByJobAndStateAndForgottenAfterAWhile) {
  const auto first = Taken("a");
  ASSERT_TRUE(*ports_->executions().End(first, ExecutionStatus::kFailed, "no such source"));
  clock_.Advance(24h);
  Taken("b");
  auto& executions = ports_->executions();
  EXPECT_THAT(*executions.Log({}),
              ElementsAre(Field(&Execution::job, "b"), Field(&Execution::job, "a")));
  EXPECT_THAT(*executions.Log({.status = ExecutionStatus::kFailed}),
              ElementsAre(Field(&Execution::reason, "no such source")));
  EXPECT_THAT(*executions.Log({.job = "a", .status = ExecutionStatus::kPending}), IsEmpty());
  EXPECT_THAT(*executions.Log({.executions_max = 1}), SizeIs(1));
  EXPECT_EQ(*executions.Forget(clock_.Now() - 24h, 10), 1);
  clock_.Advance(90 * 24h);
  EXPECT_EQ(*executions.Forget(clock_.Now(), 10), 0) << "what is not over is not forgotten";
  EXPECT_THAT(*executions.Log({}), SizeIs(1));
}

}  // namespace patra::execution_repository_contract_test
