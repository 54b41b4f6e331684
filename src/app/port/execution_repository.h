// Firings of jobs, from their claim to their end. Schedulers and planners of many processes look at the same ones: an occurrence
// belongs to whoever claims it first, and each step of an execution is done by one of them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/port/decision.h"
#include "base/result.h"
#include "domain/schedule/judge_execution.h"
#include "domain/word/job.h"
#include "domain/word/lane.h"

namespace patra::app {

using domain::Execution;

// A job whose next_fire_at has come, and what becomes of that occurrence.
struct DueJob {
  domain::Job job;
  bool fires = true;  // else it is logged as skipped
  std::string note{};
  Instant start_at{};
  std::optional<Instant> next{};
};

// What a planner made of an execution.
struct ExecutionPlanned {
  std::optional<Id> plan{};
  std::vector<Id> retried_plans{};
  bool takes_rest = true;
  std::string note{};
};

// What a planner before this one had made of it when it died.
struct PlannedBefore {
  Id trigger = 0;
  std::optional<Id> plan{};
  bool is_cut = false;  // nothing of it waits for a planner, unless it stopped
};

struct PlanLook {
  domain::PlanSeen seen;
  domain::Lane lane;
  std::string query_hash{};
};

struct ExecutionFilter {
  std::string job{};                                // empty: any
  std::optional<domain::ExecutionStatus> status{};  // none: any
  int executions_max = 50;
};

class ExecutionRepository {
 public:
  virtual ~ExecutionRepository() = default;

  // Each job moves on to its next occurrence and fires at this one, in one step for all of them: PENDING, or SKIPPED where it
  // does not fire or an earlier execution is not over. Those that somebody else moved on, or changed, are left out.
  virtual Result<std::vector<Execution>> Claim(std::span<const DueJob> due,
                                               const std::string& owner) = 0;

  // One of this moment, whatever the timetable says. kConflict where an earlier one is not over. Audited.
  virtual Result<Execution> AddManual(const std::string& job, const Decision& decision) = 0;

  // The one that has waited longest for a planner, for so long.
  virtual Result<std::optional<Execution>> Take(const std::string& owner, Duration lease) = 0;
  // Until then nobody takes it.
  virtual Result<void> GiveBack(const Execution& taken, Instant until, const std::string& note) = 0;
  virtual Result<std::optional<PlannedBefore>> FindPlanned(const Execution& execution) = 0;
  // It is RUNNING. False where somebody else has taken it meanwhile.
  virtual Result<bool> Start(const Execution& taken, const ExecutionPlanned& planned) = 0;

  // It is over, with what its plans brought by now. False where it is no more as it was read.
  virtual Result<bool> End(const Execution& execution, domain::ExecutionStatus status,
                           const std::string& reason) = 0;

  // One that runs, and whose plan stopped before it was wholly cut, unless a planner was at it since then; others leave it alone
  // from now on for as long.
  virtual Result<std::optional<Execution>> TakeRest(Instant untouched_since) = 0;

  // RUNNING ones with ids above `after`, in their order.
  virtual Result<std::vector<Execution>> Running(Id after, int executions_max) = 0;
  // A plan without its unfinished slices; `who` also finds out who is at it. Nothing where it is gone.
  virtual Result<std::optional<PlanLook>> LookAt(Id plan, bool who) = 0;

  virtual Result<std::vector<Execution>> Log(const ExecutionFilter& filter) = 0;  // newest first
  // Those that were over before then; how many went.
  virtual Result<int> Forget(Instant before, int executions_max) = 0;
};

}  // namespace patra::app
