#include "domain/window/finer_dates.h"

namespace patra::domain {

bool MayMissFinerDates(const WindowSpec& window, Instant date) {
  const bool is_moment =
      window.granularity == Granularity::kSecond || window.granularity == Granularity::kMillisecond;
  return window.ends == WindowEnds::kInclusive && window.filter == WindowFilter::kServer &&
         is_moment && date.time_since_epoch() % LengthOf(window.granularity) != Duration::zero();
}

}  // namespace patra::domain
