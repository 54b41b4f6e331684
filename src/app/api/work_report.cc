#include "app/api/work_report.h"

namespace patra::app {

SlicesReached& SlicesReached::operator+=(const SlicesReached& more) {
  slices += more.slices;
  received += more.received;
  announced += more.announced;
  owed += more.owed;
  return *this;
}

WorkProgress& WorkProgress::operator+=(const WorkProgress& earlier) {
  slices_done += earlier.slices_done;
  reached += earlier.reached;
  counts += earlier.counts;
  announced += earlier.announced;
  is_announced = is_announced || earlier.is_announced;
  gone += earlier.gone;
  requests += earlier.requests;
  retries += earlier.retries;
  throttled += earlier.throttled;
  waited += earlier.waited;
  return *this;
}

}  // namespace patra::app
