#pragma once

#include <string>
#include <vector>

#include "app/port/gate_ledger.h"
#include "app/port/rate_gate.h"
#include "base/clock.h"

namespace patra::infra::gate {

// What a gate knows that nobody uses: for whoever may look into a store and write nothing beside it. Nothing goes out by it.
class RestingView final : public app::RateGate {
 public:
  RestingView(app::GateLedger& ledger, const Clock& clock) : ledger_(ledger), clock_(clock) {}

  Result<std::vector<app::GateStatus>> List() override;

  Result<app::GateAnswer> Acquire(const domain::GateTarget& target, const domain::GateRules& rules,
                                  const domain::GateAsk& ask) override;
  Result<domain::GateChange> Feedback(const domain::GateTarget& target,
                                      const domain::GateRules& rules,
                                      const domain::GateSignal& signal) override;
  Result<domain::GateEstimate> Estimate(const domain::GateTarget& target,
                                        const domain::GateRules& rules, Duration horizon) override;
  Result<void> Reset(const std::string& key) override;

 protected:
  void Release(const domain::GateTarget&, domain::LeaseId) noexcept override {}

 private:
  app::GateLedger& ledger_;
  const Clock& clock_;
};

}  // namespace patra::infra::gate
