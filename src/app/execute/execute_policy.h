// The bounds that every run keeps, whatever its source.
#pragma once

#include <cstdint>

#include "app/port/task_queue.h"
#include "base/time.h"
#include "domain/heal/heal_policy.h"

namespace patra::app {

struct ExecutePolicy {
  bool fetch_ahead = true;
  std::int64_t failures_max = domain::kFailuresMax;
  Duration first_retry = std::chrono::seconds(15);  // of a failed run; doubled each time
  Duration retry_max = std::chrono::minutes(15);
  int fruitless_claims_max = 20;  // a task that ends its process each time is given up after these
  bool keep_raw_pages = true;
  domain::ChangePolicy change{};
  domain::RecutPolicy recut{};
  domain::FailingPolicy failing{};

  // Whether the task is not tried again if this run fails, too.
  bool IsLastChance(const LeasedTask& task) const { return task.failures + 1 >= failures_max; }
};

}  // namespace patra::app
