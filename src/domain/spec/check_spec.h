// Whether a snapshot makes sense: the nine checks of the design (000 §4.17) and the rules of its
// §3.3.3 and §4.2–4.10. Each check says everything that is wrong, with its place.
#pragma once

#include "domain/spec/merged_view.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

void CheckSpec(const MergedView& view, const SpecSnapshot& spec, Operation operation,
               Findings& findings);

}  // namespace patra::domain
