// What a gate's decisions and cells mean to whoever asks, the same for all who keep its state.
#pragma once

#include <string>
#include <vector>

#include "app/port/gate_ledger.h"
#include "app/port/rate_gate.h"

namespace patra::app {

// `ahead` is how far the gate's time is ahead of the clock's Elapsed.
// REQUIRES: the verdict is not kNeedsQuota
GateAnswer AnswerOf(RateGate& gate, const domain::GateTarget& target,
                    const domain::GateVerdict& verdict, const domain::GateTime& time,
                    Duration ahead);

GateStatus StatusOf(const domain::GateCell& cell, const domain::GateTime& time);

// No more than what is left of the quotas in the store.
Result<void> BoundByQuotas(domain::GateEstimate& estimate, const domain::GateRules& rules,
                           const domain::GateTarget& target, GateLedger& ledger, Instant wall);

// The store's part of a quota that a decision lacks; how much of it there was.
Result<std::int64_t> Reserve(GateLedger& ledger, const domain::GateTarget& target,
                             const domain::QuotaNeed& need);

Error NoSuchGateKey(const std::string& key);

}  // namespace patra::app
