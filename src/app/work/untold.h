#pragma once

#include "app/api/work_report.h"
#include "app/execute/run_tally.h"

namespace patra::app {

// What came to nothing was sent all the same, and no batch tells of it: `told` is what batches said.
void AddUntold(WorkProgress& totals, const RunTally& tally, const RunTally& told);

}  // namespace patra::app
