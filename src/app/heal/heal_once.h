// One round of self-healing: look, decide, act, and write down all three.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "app/plan/plan_backfill.h"
#include "app/port/adjustment_repository.h"
#include "app/port/alert_repository.h"
#include "app/port/gate_ledger.h"
#include "app/port/heal_journal.h"
#include "app/port/health_reader.h"
#include "app/port/hold_repository.h"
#include "app/port/plan_repository.h"
#include "app/port/rate_gate.h"
#include "app/port/task_queue.h"
#include "base/clock.h"
#include "domain/heal/decide.h"

namespace patra::app {

struct HealPorts {
  HealthReader& health;
  HealJournal& journal;
  HoldRepository& holds;
  PlanRepository& plans;
  TaskQueue& queue;
  AdjustmentRepository& adjustments;
  const Clock& clock;
  RateGate* gate = nullptr;           // absent: rates are left as they are
  GateLedger* quotas = nullptr;       // absent: nothing is known of budgets
  PlanBackfill* backfill = nullptr;   // absent: gaps are named and not planned
  AlertRepository* alerts = nullptr;  // absent: only the journal tells people
};

class HealOnce {
 public:
  explicit HealOnce(const HealPorts& ports, domain::HealPolicy policy = {})
      : ports_(ports), policy_(policy) {}

  // What was done in this round. An action that was taken less than `policy.pause` ago is not taken again:
  // it needs time to show.
  Result<std::vector<HealEntry>> Run();

  const domain::HealPolicy& policy() const { return policy_; }

 private:
  struct GateView;

  Result<GateView> LookAtGate();
  Result<std::string> Act(const LaneHealth& lane, const GateView& gate,
                          const domain::HealAction& action);
  Result<std::string> Adjust(const LaneHealth& lane, const domain::HealAction& action,
                             AdjustmentKind kind, std::int64_t value);
  Result<std::string> TellGate(const LaneHealth& lane, const GateView& gate,
                               const domain::HealAction& action);
  Result<std::string> PausePlanner(const domain::Lane& of, const domain::HealAction& action);
  Result<std::string> AskSlice(const domain::HealAction& action, domain::SliceRequest request);
  // What people should look at fires until a round finds nothing of it any more.
  Result<void> NoteSlowDown(const LaneHealth& lane, const domain::HealAction& action,
                            const domain::HealEntry& entry);
  Result<void> Alarm(const LaneHealth& lane, const domain::HealAction& action,
                     std::set<std::string>& firing);
  Result<void> CalmDown(const std::set<std::string>& firing);
  Result<std::string> PlanGap(const LaneHealth& lane, const domain::HealAction& action);

  const HealPorts ports_;
  const domain::HealPolicy policy_;
};

}  // namespace patra::app
