// Whether a snapshot makes sense: nine checks of how its parts fit together, and the rules of each part. Each check says
// everything that is wrong, with its place.
#pragma once

#include "domain/spec/merged_view.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

void CheckSpec(const MergedView& view, const SpecSnapshot& spec, Operation operation,
               Findings& findings);

}  // namespace patra::domain
