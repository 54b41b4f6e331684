// Plans an operation and works it off in this process until nothing is left: `patra harvest`, `backfill`
// and `update`.
#pragma once

#include <functional>

#include "app/plan/planner.h"
#include "app/work/work.h"

namespace patra::app {

struct OperationProgress {
  std::int64_t slices = 0;                  // planned so far; re-slicing adds more
  std::optional<std::int64_t> expected{};   // records, where history tells
  std::optional<double> rate_per_second{};  // that is allowed
  WorkProgress work;
};

struct OperationSummary {
  PlanReport plan;  // the first one: a plan larger than the queue goes on when the queue is empty
  std::int64_t slices = 0;
  WorkSummary work;
  std::optional<Instant> watermark_before;
  std::optional<Instant> watermark;
  Unproven unproven;                 // of what was asked for, at the end
  std::int64_t quarantine_open = 0;  // the same

  // Nothing is missing that was asked for, whoever brought it. Records in quarantine are not missing, they are apart.
  bool complete() const {
    return plan.problems.empty() && work.failed == 0 && work.partial == 0 && work.left == 0 &&
           !work.is_stopped && !work.is_at_limit && is_proven();
  }
  bool is_proven() const {
    const auto& planned = plan.planned;
    return planned.kind != Planned::Kind::kHeld && unproven.empty() && planned.given_up.empty() &&
           !planned.is_partial;
  }
};

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
