#include "app/work/tell_task.h"

#include <algorithm>

namespace patra::app {

Instant LeaseEnd(const HeldTask& held, Duration renewed_at, Duration lease, const Clock& clock) {
  if (renewed_at <= held.claimed_at) return held.task.leased_until;
  const auto renewed = clock.Now() - (clock.Elapsed() - renewed_at) + lease;
  return std::max(held.task.leased_until, renewed);
}

void TellTask(LogLevel level, std::string_view event, const HeldTask& held,
              const std::string& owner, Instant lease_end, Value::Object details, Log& log) {
  details["owner"] = owner;
  details["fence"] = held.task.fence;
  details["leasedUntil"] = FormatRfc3339(lease_end);
  details["slot"] = std::int64_t{held.slot};
  log.Write(level, event, held.task.lineage, details);
}

}  // namespace patra::app
