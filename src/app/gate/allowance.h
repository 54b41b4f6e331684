// What a plan may count on: how many requests all credentials of a source have together.
#pragma once

#include <string>
#include <vector>

#include "app/port/rate_gate.h"
#include "domain/spec/source_rules.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

// `credentials` are the names of those that are set; none: requests go without. In requests, whatever one costs.
// REQUIRES: spec.details for kDetail
Result<domain::GateEstimate> AllowanceOf(RateGate& gate, const domain::SpecSnapshot& spec,
                                         domain::Phase phase, const domain::Asker& asker,
                                         const std::vector<std::string>& credentials,
                                         Duration horizon);

}  // namespace patra::app
