// What the log says of a task that comes to a worker or leaves it.
#pragma once

#include <string>
#include <string_view>

#include "app/port/log.h"
#include "app/port/task_queue.h"
#include "base/clock.h"

namespace patra::app {

// A task that one worker has.
struct HeldTask {
  const LeasedTask& task;
  Duration claimed_at;
  int slot;  // the worker's number in its executor, from 1 on
};

// As the task was claimed, or as all leases of its executor were renewed since; `renewed_at` by the clock's Elapsed.
Instant LeaseEnd(const HeldTask& held, Duration renewed_at, Duration lease, const Clock& clock);

void TellTask(LogLevel level, std::string_view event, const HeldTask& held,
              const std::string& owner, Instant lease_end, Value::Object details, Log& log);

}  // namespace patra::app
