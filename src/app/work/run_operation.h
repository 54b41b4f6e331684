// Plans an operation and works it off in this process until nothing is left: `patra harvest`, `backfill`
// and `update`.
#pragma once

#include <functional>

#include "app/api/operation_report.h"
#include "app/plan/planner.h"
#include "app/work/work.h"

namespace patra::app {

class RunOperation {
 public:
  using OnProgress = std::function<void(const OperationProgress&)>;

  RunOperation(Planner& planner, Work& work) : planner_(planner), work_(work) {}

  // `options.only` is set to what is planned.
  Result<OperationSummary> Run(PlanRequest request, WorkOptions options,
                               const OnProgress& on_progress);

 private:
  Result<void> WorkOff(PlanRequest request, const WorkOptions& options,
                       const OnProgress& on_progress, OperationSummary& summary);

  Planner& planner_;
  Work& work_;
};

}  // namespace patra::app
