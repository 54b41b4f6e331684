#include "domain/retention/kept_for.h"

namespace patra::domain {

Duration KeptFor(OldKind kind, const RetentionPolicy& policy) {
  switch (kind) {
    case OldKind::kChanges:
      return policy.keep_changes;
    case OldKind::kRelayLog:
      return policy.keep_relay_log;
    case OldKind::kAudit:
      return policy.keep_audit;
    case OldKind::kHealLog:
      return policy.keep_heal_log;
    case OldKind::kAlerts:
      return policy.keep_alerts;
    case OldKind::kExecutions:
      return policy.keep_executions;
    case OldKind::kAnswers:
      return policy.keep_answers;
    case OldKind::kWalks:
      return policy.keep_walks;
    case OldKind::kRefusals:
      return policy.keep_refusals;
    case OldKind::kSignals:
      return policy.keep_signals;
    case OldKind::kRollup:
      return policy.keep_rollup;
  }
  return {};
}

}  // namespace patra::domain
