// The slices that take over what is left of one that is cut while it runs.
#pragma once

#include <vector>

#include "app/execute/slice_run.h"
#include "base/result.h"
#include "domain/plan/slice_spec.h"

namespace patra::app {

// Each with what is known of the whole that they were cut from. None, where it cannot be cut.
Result<std::vector<domain::SliceSpec>> SmallerSlices(const SliceRun& run,
                                                     const domain::Window& rest);

}  // namespace patra::app
