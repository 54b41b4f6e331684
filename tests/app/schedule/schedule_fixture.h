// A store with jobs, and a planner that says what a test prepared.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "app/plan/plan_harvest.h"
#include "app/schedule/fire_jobs.h"
#include "app/schedule/plan_executions.h"
#include "app/schedule/watch_executions.h"
#include "domain/schedule/timetable.h"
#include "tests/app/plan/planning_fixture.h"

namespace patra::app {

class FakePlanning final : public Planning {
 public:
  Result<PlanReport> Plan(const PlanRequest& request) override {
    asked.push_back(request);
    return plan(request);
  }
  Result<Planned> TakeRest(Id plan_id, const PlanRequest& request) override {
    asked_for_rest.push_back(plan_id);
    return take_rest(plan_id, request);
  }

  std::function<Result<PlanReport>(const PlanRequest&)> plan = [](const PlanRequest&) {
    return PlanReport{.planned = {.reason = "the watermark is where it should be"}};
  };
  std::function<Result<Planned>(Id, const PlanRequest&)> take_rest = [](Id id, const PlanRequest&) {
    return Planned{.plan = id, .slices = 1};
  };
  std::vector<PlanRequest> asked;
  std::vector<Id> asked_for_rest;
};

class ScheduleTest : public PlanningTest {
 protected:
  domain::Job SetJob(const std::string& id, const std::string& cron = "0 * * * *") {
    domain::Job job{.id = id, .provenance = "demo", .endpoint = "items", .cron = cron};
    job.next_fire_at = domain::Timetable::Of(cron, job.timezone)->FirstAfter(clock_.Now());
    return Put(job);
  }
  domain::Job Put(const domain::Job& job) {
    const auto put = ports_->jobs().Put(job, {{"anna"}, "because"});
    EXPECT_TRUE(put) << put.error().Describe();
    return **ports_->jobs().Find(job.id);
  }
  std::vector<Execution> Log(const std::string& job = "") {
    return ports_->executions().Log({.job = job}).value();
  }
  FiringReport Fire(const std::string& owner = "scheduler") {
    const auto report = FireJobs(ports_->jobs(), ports_->executions(), clock_, owner).Round();
    EXPECT_TRUE(report) << report.error().Describe();
    return report.value_or(FiringReport{});
  }
  PlanningReport PlanAll(const std::string& owner = "planner") {
    const auto report =
        PlanExecutions({planning_, ports_->jobs(), ports_->executions(), clock_}, owner).Round();
    EXPECT_TRUE(report) << report.error().Describe();
    return report.value_or(PlanningReport{});
  }
  WatchReport Watch() {
    const auto report = WatchExecutions({ports_->executions(), ports_->plans(), ports_->cursors(),
                                         ports_->executors(), ports_->holds(), clock_})
                            .Round();
    EXPECT_TRUE(report) << report.error().Describe();
    return report.value_or(WatchReport{});
  }
  // Fires the hourly job once.
  Execution Fired(const std::string& job = "hourly") {
    SetJob(job);
    clock_.Advance(testing::kHour);
    EXPECT_EQ(Fire().fired, 1);
    return Log(job).at(0);
  }

  // Plans as the planner does, without definitions.
  Result<PlanReport> Harvest(const PlanRequest& request, const PlanLimits& limits = {}) {
    PlanReport report{.source = "demo", .endpoint = "items"};
    report.planned = PATRA_TRY(PlanHarvest(PortsOf(*ports_, clock_, ids_), limits)
                                   .Run({.spec = Spec(), .options = request.options}));
    return report;
  }

  FakePlanning planning_;
};

}  // namespace patra::app
