// What a plan may count on: how many requests all credentials of a source have together.
#pragma once

#include <string>
#include <vector>

#include "app/port/rate_gate.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

// `credentials` are the names of those that are set; none: requests go without.
Result<domain::GateEstimate> AllowanceOf(RateGate& gate, const domain::SpecSnapshot& spec,
                                         const std::vector<std::string>& credentials,
                                         Duration horizon);

}  // namespace patra::app
