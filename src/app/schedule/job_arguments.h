// The arguments of a job: what a command of its operation could wish, as JSON.
#pragma once

#include <string>
#include <vector>

#include "app/api/plan_request.h"
#include "base/value.h"
#include "domain/word/job.h"

namespace patra::app {

// Something that is wrong with a job, and in which of its fields: "cron", "arguments.stale".
struct JobProblem {
  std::string field;
  Error error;
};

// Fills what the arguments name. All that is wrong comes at once.
std::vector<JobProblem> ReadArguments(const Value& arguments, PlanRequest& request);

// What the job asks a planner for, without who fired. An error where somebody else has written arguments that nobody
// understands.
Result<PlanRequest> RequestOf(const domain::Job& job);

}  // namespace patra::app
