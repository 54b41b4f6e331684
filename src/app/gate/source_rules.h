// The one place where a source's definition becomes rules of the gate.
#pragma once

#include "domain/gate/gate_key.h"
#include "domain/gate/gate_rules.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

inline domain::GateRules GateRulesOf(const domain::SpecSnapshot& spec) {
  domain::GateRules rules;
  rules.limits.push_back({.kind = domain::LimitKind::kPaced,
                          .scope = domain::LimitScope::kSource,
                          .count = spec.rate.requests,
                          .window = spec.rate.per});
  return rules;
}

inline domain::GateTarget GateTargetOf(const domain::SpecSnapshot& spec) {
  return {.provenance = spec.provenance, .endpoint = spec.endpoint};
}

}  // namespace patra::app
