#include "domain/word/wait_reason.h"

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
    case WaitReason::kNewerPatra:
      return "NEWER_PATRA";
  }
  return "UNKNOWN";
}

bool IsTrouble(WaitReason reason) {
  return reason == WaitReason::kCoolDown || reason == WaitReason::kBreaker ||
         reason == WaitReason::kRetryBudget;
}

}  // namespace patra::domain
