// Retries only as a share of all requests, so that a dying provider is not asked more than a healthy one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

class RetryBudget {
 public:
  bool MayRetry(const GateRules& rules) const { return spent_ + kOne <= rules.retry_burst * kOne; }
  void Retry() { spent_ += kOne; }
  void FirstTry(const GateRules& rules) {
    spent_ = std::max<std::int64_t>(spent_ - rules.retry_share, 0);
  }

 private:
  static constexpr std::int64_t kOne = 1'000'000;
  std::int64_t spent_ = 0;
};

}  // namespace patra::domain
