// The one place where a source's definition becomes rules of the gate.
#pragma once

#include "domain/gate/gate_key.h"
#include "domain/gate/gate_rules.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

// Without any declared limit, one request a second.
domain::GateRules GateRulesOf(const domain::SpecSnapshot& spec);
domain::GateTarget GateTargetOf(const domain::SpecSnapshot& spec);

}  // namespace patra::app
