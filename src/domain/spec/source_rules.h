// The one place where a source's definition becomes rules of the gate.
#pragma once

#include <string>

#include "domain/gate/gate_decision.h"
#include "domain/gate/gate_key.h"
#include "domain/gate/gate_rules.h"
#include "domain/spec/phase.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// For whom and when the rules are made: what is kept for more urgent ones, and where a provider's day begins.
struct Asker {
  GatePriority priority = GatePriority::kHarvest;
  Instant now{};
};

// Without any declared limit, one request a second. REQUIRES: spec.details for kDetail
GateRules GateRulesOf(const SpecSnapshot& spec, Phase phase = Phase::kSearch,
                      const Asker& asker = {});
GateTarget GateTargetOf(const SpecSnapshot& spec, Phase phase = Phase::kSearch,
                        std::string credential = {});
std::int64_t CostOf(const SpecSnapshot& spec, Phase phase);

// Whose allowance the requests count against, as a key of the gate without the credential, which nobody knows before the
// request: of several limits, the one that counts most requests together.
std::string RateKeyOf(const SpecSnapshot& spec, Phase phase = Phase::kSearch);

// The same with no more requests at a time to the endpoint than that.
GateRules WithConcurrency(GateRules rules, std::int64_t requests_max);

// The same limits, asked or told about the credential alone: whether the provider refuses it is a matter
// of the credential, also where limits count by source or endpoint.
GateRules RefusalRulesOf(GateRules rules);

}  // namespace patra::domain
