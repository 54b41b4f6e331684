// The planner, with what requests of jobs do not name.
#pragma once

#include <string>

#include "app/plan/planner.h"
#include "app/schedule/planning.h"

namespace patra::app {

class PlannerOfJobs final : public Planning {
 public:
  // Without a folder of definitions it goes by what was applied to the registry. `rate` is that of requests that name none, such
  // as 2/s; empty: none.
  PlannerOfJobs(Planner& planner, std::string sources_folder, std::string rate)
      : planner_(planner), sources_folder_(std::move(sources_folder)), rate_(std::move(rate)) {}

  Result<PlanReport> Plan(const PlanRequest& request) override {
    return planner_.Run(Filled(request));
  }
  Result<Planned> TakeRest(Id plan, const PlanRequest& request) override {
    return planner_.TakeRest(plan, Filled(request));
  }

 private:
  PlanRequest Filled(PlanRequest request) const {
    request.sources_folder = sources_folder_;
    request.reads_registry = sources_folder_.empty();
    if (!request.source.rate && !rate_.empty()) request.source.rate = rate_;
    return request;
  }

  Planner& planner_;
  const std::string sources_folder_;
  const std::string rate_;
};

}  // namespace patra::app
