#include "app/work/untold.h"

#include <algorithm>

namespace patra::app {

void AddUntold(WorkProgress& totals, const domain::RequestsSent& sent,
               const domain::RequestsSent& told) {
  totals.requests += std::max(sent.requests - told.requests, 0);
  totals.retries += std::max(sent.retries - told.retries, 0);
  totals.throttled += std::max(sent.throttled - told.throttled, 0);
  totals.waited += std::max(sent.waited - told.waited, Duration::zero());
}

}  // namespace patra::app
