// What is done by itself at its times, and each time that it was done.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/time.h"
#include "domain/word/execution.h"
#include "domain/word/operation.h"

namespace patra::domain {

struct Job {
  std::string id;  // chosen by people
  std::string provenance;
  std::optional<std::string> endpoint{};
  Operation operation = Operation::kHarvest;
  std::string cron;
  std::string timezone = "UTC";
  std::string params = "{}";           // JSON: what a command of that operation could wish
  std::optional<std::string> query{};  // in the provider's own syntax
  Misfire misfire = Misfire::kOnce;
  Duration jitter{};  // over which starts are spread
  bool enabled = true;
  std::string disabled_reason{};
  JobOrigin origin = JobOrigin::kPerson;
  bool decided = false;  // a person chose whether it is enabled
  std::optional<Instant> next_fire_at{};
  std::optional<Instant> last_run_at{};
  std::optional<Instant> removed_at{};  // a default that a person removed: it stays away
  std::int64_t version = 0;             // of the row that was read; 0 for a new job

  std::string Target() const { return endpoint ? provenance + "/" + *endpoint : provenance; }
};

struct Execution {
  Id id = 0;
  std::string job;
  FiringType type = FiringType::kSchedule;
  Instant fired_at{};  // the planned moment: its identity
  Instant start_at{};  // not before; the jitter is in it
  std::string claimed_by;
  ExecutionStatus status = ExecutionStatus::kPending;
  std::int64_t takes = 0;  // how many planners took it
  std::optional<Id> trigger{};
  std::optional<Id> plan{};
  std::vector<Id> retried_plans{};  // earlier ones of which it had something tried again
  bool takes_rest = true;           // planners go on with a plan that stopped; else the next firing
  std::string reason{};             // why it failed or was skipped, or what is said of it
  ExecutionCounts counts{};         // at its end
  Instant started_at{};             // when it was claimed
  std::optional<Instant> planned_at{};
  std::optional<Instant> finished_at{};

  std::vector<Id> Plans() const {
    auto plans = retried_plans;
    if (plan) plans.insert(plans.begin(), *plan);
    return plans;
  }
};

}  // namespace patra::domain
