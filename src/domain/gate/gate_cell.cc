#include "domain/gate/gate_cell.h"

#include <algorithm>

namespace patra::domain {

std::string_view Name(WaitReason reason) {
  switch (reason) {
    case WaitReason::kNone:
      return "NONE";
    case WaitReason::kPace:
      return "PACE";
    case WaitReason::kWindow:
      return "WINDOW";
    case WaitReason::kConcurrency:
      return "CONCURRENCY";
    case WaitReason::kQuota:
      return "QUOTA";
    case WaitReason::kCoolDown:
      return "COOL_DOWN";
    case WaitReason::kBreaker:
      return "BREAKER_OPEN";
    case WaitReason::kTurn:
      return "TURN";
    case WaitReason::kRetryBudget:
      return "RETRY_BUDGET";
    case WaitReason::kRefused:
      return "REFUSED";
  }
  return "UNKNOWN";
}

void Claim(GateCell& cell, std::string_view key, const GateRules& rules, Duration now) {
  PATRA_ASSERT(!key.empty() && key.size() <= kGateKeyBytesMax);
  cell = GateCell{};
  std::ranges::copy(key, cell.key.begin());
  cell.used_at = now;
  // A booking from an earlier life of the key must not pass for one of this.
  cell.stops = static_cast<std::uint64_t>(now.count()) << 20;
  cell.rate.Start(rules.adapt);
  if (rules.warm_up > Duration::zero()) cell.rate.SlowStart(now, rules.warm_up);
}

}  // namespace patra::domain
