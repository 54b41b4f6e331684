#include "app/work/untold.h"

#include <algorithm>

namespace patra::app {

void AddUntold(WorkProgress& totals, const RunTally& tally, const RunTally& told) {
  totals.requests += std::max(tally.requests - told.requests, 0);
  totals.retries += std::max(tally.retries - told.retries, 0);
  totals.throttled += std::max(tally.throttled - told.throttled, 0);
  totals.waited += std::max(tally.waited - told.waited, Duration::zero());
}

}  // namespace patra::app
