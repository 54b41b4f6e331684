#include "app/schedule/fire_jobs.h"

#include <gmock/gmock.h>

#include "tests/app/schedule/schedule_fixture.h"

namespace patra::app::fire_jobs_test {

using namespace std::chrono_literals;
using domain::ExecutionStatus;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using FireJobsTest = ScheduleTest;

TEST_F(FireJobsTest, AJobFiresWhenItsTimeHasComeAndNotBefore) {
  const auto job = SetJob("hourly");
  EXPECT_EQ(Fire().fired, 0);
  clock_.Advance(1h);
  EXPECT_EQ(Fire().fired, 1);
  EXPECT_EQ(Fire().fired, 0) << "once";
  const auto fired = Log("hourly").at(0);
  EXPECT_EQ(fired.fired_at, *job.next_fire_at);
  EXPECT_EQ(fired.status, ExecutionStatus::kPending);
  EXPECT_EQ(fired.claimed_by, "scheduler");
}

TEST_F(FireJobsTest, WhatWasMissedWhileNobodyWasThereFiresOnce) {
  SetJob("hourly");
  clock_.Advance(100h);
  EXPECT_EQ(Fire().fired, 1);
  EXPECT_EQ(Fire().fired, 0);
  EXPECT_THAT(Log("hourly"), SizeIs(1));
  EXPECT_THAT(Log("hourly")[0].reason, HasSubstr("fires once for all"));
  EXPECT_GT(*(*ports_->jobs().Find("hourly"))->next_fire_at, clock_.Now());
}

TEST_F(FireJobsTest, OrNotAtAllWhichTheLogSays) {
  auto job = SetJob("hourly");
  job.misfire = domain::Misfire::kSkip;
  Put(job);
  clock_.Advance(100h);
  const auto report = Fire();
  EXPECT_EQ(report.fired, 0);
  EXPECT_EQ(report.skipped, 1);
  EXPECT_THAT(Log("hourly").at(0).reason, HasSubstr("skips what it missed"));
}

TEST_F(FireJobsTest, WhileAnEarlierExecutionIsNotOverTheNewOneIsSkipped) {
  Fired();
  clock_.Advance(1h);
  EXPECT_EQ(Fire().skipped, 1);
  EXPECT_THAT(Log("hourly")[0].reason, HasSubstr("is not over (PENDING)"));
}

TEST_F(FireJobsTest, WhatAClockThatWasAheadPutOffFiresByItsTimetableAgain) {
  auto job = SetJob("hourly");
  const auto usual = *job.next_fire_at;
  FireJobs fire(ports_->jobs(), ports_->executions(), clock_, "scheduler");
  EXPECT_THAT(*fire.SetRight(), IsEmpty()) << "it is as it should be";
  job.next_fire_at = usual + 24h * 365;
  Put(job);
  EXPECT_THAT(*fire.SetRight(), ::testing::ElementsAre("hourly"));
  EXPECT_EQ((*ports_->jobs().Find("hourly"))->next_fire_at, usual);
  clock_.Advance(1h);
  EXPECT_EQ(Fire().fired, 1);
}

TEST_F(FireJobsTest, AJitterMovesTheStartAndNotTheOccurrence) {
  auto job = SetJob("hourly");
  job.jitter = 10min;
  Put(job);
  clock_.Advance(1h);
  EXPECT_EQ(Fire().fired, 1);
  const auto fired = Log("hourly").at(0);
  EXPECT_EQ(fired.fired_at, *job.next_fire_at);
  EXPECT_EQ(fired.start_at, domain::StartOf("hourly", fired.fired_at, 10min));
}

TEST_F(FireJobsTest, AHourThatTheClockSkipsOrRepeatsFiresOnce) {
  auto job = SetJob("nightly", "30 2 * * *");
  job.timezone = "Europe/Berlin";
  for (const auto* day : {"2026-03-28T12:00:00Z", "2026-10-24T12:00:00Z"}) {
    const auto begin = *ParseRfc3339(day);
    clock_.Advance(begin - clock_.Now());
    job = **ports_->jobs().Find("nightly");
    job.timezone = "Europe/Berlin";
    job.next_fire_at = domain::Timetable::Of(job.cron, job.timezone)->FirstAfter(begin);
    Put(job);
    int fired = 0;
    for (int minutes = 0; minutes < 24 * 60; minutes += 10) {
      clock_.Advance(10min);
      fired += Fire().fired;
      PlanAll();
    }
    EXPECT_EQ(fired, 1) << day;
  }
}

TEST_F(FireJobsTest, AJobWhoseTimetableNobodyCanReadIsDisabledAndHoldsNobodyUp) {
  SetJob("hourly");
  auto broken = SetJob("broken");
  broken.cron = "what?";
  Put(broken);
  clock_.Advance(1h);
  const auto report = Fire();
  EXPECT_EQ(report.fired, 1);
  EXPECT_THAT(report.broken, ::testing::ElementsAre("broken"));
  broken = **ports_->jobs().Find("broken");
  EXPECT_FALSE(broken.enabled);
  EXPECT_THAT(broken.disabled_reason, HasSubstr("no cron expression"));
}

TEST_F(FireJobsTest, TenThousandJobsOfOneMinuteAreClaimedWithinIt) {
  std::vector<domain::Job> jobs;
  const auto due = clock_.Now() + 1min;
  for (int i = 0; i < 10'000; ++i) {
    jobs.push_back({.id = fmt::format("job-{}", i),
                    .provenance = "demo",
                    .cron = "@daily",
                    .next_fire_at = due});
  }
  ASSERT_TRUE(ports_->jobs().Put(jobs, {{"anna"}, "many"}));
  clock_.Advance(1min);
  const SystemClock real;
  const auto begin = real.Elapsed();
  EXPECT_EQ(Fire().fired, 10'000);
  const auto took = real.Elapsed() - begin;
  EXPECT_LT(took, 1min);
  RecordProperty("milliseconds", static_cast<int>(took / 1ms));
  EXPECT_EQ(Count("SELECT count(*) FROM scheduler_execution_log WHERE status_code = 'PENDING'"),
            10'000);
}

}  // namespace patra::app::fire_jobs_test
