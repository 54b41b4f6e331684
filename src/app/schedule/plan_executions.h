// Plans what has fired. Several planners share the executions one by one; one that dies over one is found when its time for it is
// up, and what it had planned is taken over.
#pragma once

#include <string>

#include "app/port/execution_repository.h"
#include "app/port/job_repository.h"
#include "app/schedule/planning.h"
#include "base/clock.h"

namespace patra::app {

struct PlanExecutionsOptions {
  Duration lease = std::chrono::minutes(5);         // for which an execution stays with a planner
  Duration again_after = std::chrono::seconds(30);  // where the store or something else was away
  Duration rest_after = std::chrono::minutes(1);    // the rest of a plan is looked at as often
  int executions_max = 100;                         // of a round
};

struct PlanningReport {
  int started = 0;  // RUNNING
  int ended = 0;    // nothing due, held back, or refused
  int given_back = 0;
  int rests = 0;  // plans that were gone on with

  bool empty() const { return started + ended + given_back + rests == 0; }
};

class PlanExecutions {
 public:
  struct Ports {
    Planning& planning;
    JobRepository& jobs;
    ExecutionRepository& executions;
    const Clock& clock;
  };

  PlanExecutions(const Ports& ports, std::string owner, const PlanExecutionsOptions& options = {})
      : ports_(ports), owner_(std::move(owner)), options_(options) {}

  // What waits for a planner, and then the rests of plans that stopped.
  Result<PlanningReport> Round();

 private:
  Result<void> PlanOne(const Execution& taken, PlanningReport& report);
  Result<void> TakeOver(const Execution& taken, const PlanRequest& request,
                        const PlannedBefore& before, PlanningReport& report);
  Result<void> Trouble(const Execution& taken, const Error& error, PlanningReport& report);
  Result<void> Settle(const Execution& taken, const PlanRequest& request, const PlanReport& planned,
                      PlanningReport& report);
  Result<void> Start(const Execution& taken, const ExecutionPlanned& planned,
                     PlanningReport& report);
  Result<void> End(const Execution& taken, domain::ExecutionStatus status,
                   const std::string& reason, PlanningReport& report);
  Result<void> GoOn(const Execution& running, PlanningReport& report);

  const Ports ports_;
  const std::string owner_;
  const PlanExecutionsOptions options_;
};

}  // namespace patra::app
