#include "app/api/work_report.h"

namespace patra::app {

WorkProgress& WorkProgress::operator+=(const WorkProgress& earlier) {
  slices_done += earlier.slices_done;
  counts += earlier.counts;
  announced += earlier.announced;
  requests += earlier.requests;
  retries += earlier.retries;
  throttled += earlier.throttled;
  waited += earlier.waited;
  return *this;
}

}  // namespace patra::app
