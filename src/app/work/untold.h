#pragma once

#include "app/api/work_report.h"
#include "domain/task/evidence.h"

namespace patra::app {

// What came to nothing was sent all the same, and no batch tells of it: `told` is what batches said.
void AddUntold(WorkProgress& totals, const domain::RequestsSent& sent,
               const domain::RequestsSent& told);

}  // namespace patra::app
