// What executions of jobs need of a planner.
#pragma once

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"

namespace patra::app {

class Planning {
 public:
  virtual ~Planning() = default;

  virtual Result<PlanReport> Plan(const PlanRequest& request) = 0;
  // Goes on with a plan that stopped where the queue or the provider had no room.
  virtual Result<Planned> TakeRest(Id plan, const PlanRequest& request) = 0;
};

}  // namespace patra::app
