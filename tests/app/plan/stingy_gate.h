#pragma once

#include "app/port/rate_gate.h"

namespace patra::app {

// A gate that can only say how much it has left.
class StingyGate : public RateGate {
 public:
  explicit StingyGate(std::int64_t permits, std::optional<Instant> more_from = {})
      : estimate{.permits = permits, .concurrency = 2, .more_from = more_from} {}

  Result<GateAnswer> Acquire(const domain::GateTarget&, const domain::GateRules&,
                             const domain::GateAsk&) override {
    return Fail(ErrorCode::kInternal, "a planner asks for no permit");
  }
  Result<domain::GateChange> Feedback(const domain::GateTarget&, const domain::GateRules&,
                                      const domain::GateSignal&) override {
    return domain::GateChange{};
  }
  Result<domain::GateEstimate> Estimate(const domain::GateTarget&, const domain::GateRules&,
                                        Duration) override {
    return estimate;
  }
  Result<std::vector<GateStatus>> List() override { return std::vector<GateStatus>{}; }
  Result<void> Reset(const std::string&) override { return {}; }

  domain::GateEstimate estimate;

 private:
  void Release(const domain::GateTarget&, domain::LeaseId) noexcept override {}
};

}  // namespace patra::app
