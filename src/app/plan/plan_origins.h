// Where the values of a plan's snapshot came from, as the plan keeps it: definitions change, and plans stay.
#pragma once

#include <string>
#include <vector>

#include "domain/spec/compile_source.h"

namespace patra::app {

// Canonical JSON: [["window.safety_lag","2h","source","sources/crossref.yaml:12:5"], …]
std::string OriginsJson(const std::vector<domain::Origin>& origins);

}  // namespace patra::app
