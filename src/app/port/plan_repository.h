// Remembers triggers, plans, slices and tasks. Each method is one atomic step: it happens wholly or
// not at all, and doing it twice has the effect of doing it once (I5).
#pragma once

#include <span>

#include "base/result.h"
#include "domain/plan/plan.h"
#include "domain/task/states.h"

namespace patra::app {

struct PlanAdded {
  Id id;  // of the plan that holds the key, whoever made it
  bool is_new;
  domain::PlanStatus status;
};

class PlanRepository {
 public:
  virtual ~PlanRepository() = default;

  virtual Result<void> RecordTrigger(const domain::Trigger& trigger) = 0;

  // Says on the trigger why it led to no plan.
  virtual Result<void> RemarkOnTrigger(Id trigger, const Value& remark) = 0;

  virtual Result<PlanAdded> AddIfAbsent(const domain::Plan& plan) = 0;

  // Adds slices with one queued task each; those whose key is there already are left alone. Returns
  // how many were new. `sliced_to` remembers how far the plan is cut.
  virtual Result<int> AddSlices(const domain::Plan& plan,
                                std::span<const domain::SliceWithTask> slices,
                                Instant sliced_to) = 0;

  // Moves the plan if its state allows it, else kConflict.
  virtual Result<void> Move(Id plan, domain::PlanStatus to) = 0;
};

}  // namespace patra::app
