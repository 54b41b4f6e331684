// A definition that was corrected helps at once. A plan keeps the snapshot that it was made with (I2); so one that has brought
// nothing by an older definition is withdrawn, and what it was to bring is planned anew. One that brought something goes on,
// and whoever asks is told how to end it.
#pragma once

#include <string>
#include <vector>

#include "app/api/plan_report.h"
#include "app/api/plan_request.h"
#include "app/plan/plan_ports.h"

namespace patra::app {

struct ReplacedPlans {
  std::vector<Id> withdrawn{};  // in a dry run: that would be
  std::vector<Id> going_on{};

  bool IsWithdrawn(Id plan) const;
};

// Who heals goes by the snapshot of a plan, not by the definition: that is no correction.
bool IsByHealing(const PlanOptions& options);

class ReplaceOlder {
 public:
  explicit ReplaceOlder(const PlanPorts& ports) : ports_(ports) {}

  // Of that query, where all that they were to bring lies within `window`: the command plans it.
  Result<ReplacedPlans> In(const domain::Lane& lane, const std::string& query_hash,
                           const std::string& fingerprint, const domain::Window& window,
                           const PlanOptions& options);

  // Of an activity that knows no time.
  Result<ReplacedPlans> OfActivity(const domain::Lane& lane, const domain::CursorNamespace& cursor,
                                   const std::string& fingerprint, const PlanOptions& options);

 private:
  Result<void> Withdraw(const OlderPlan& plan, const PlanOptions& options, ReplacedPlans& replaced);

  const PlanPorts ports_;
};

// Whether the same is planned once more, though this plan had it and is over: a planner withdrew it for the sake of another
// definition, a person took back what it had proven, or whoever asks wants it whatever came of it.
Result<bool> MayRepeat(const StoredPlan& stored, const PlanOptions& options,
                       CursorRepository& cursors);

// Says on `planned` what became of older ones.
Planned With(Planned planned, const ReplacedPlans& replaced);

}  // namespace patra::app
