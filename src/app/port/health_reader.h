// How the partitions of a store are doing, as self-healing sees it. Bounded, and never in the way of work.
#pragma once

#include <vector>

#include "base/result.h"
#include "domain/heal/decide.h"

namespace patra::app {

class HealthReader {
 public:
  virtual ~HealthReader() = default;

  // Every partition that did something within `policy.watch`, has work under way or has a plan that waits.
  virtual Result<std::vector<domain::Observations>> Observe(const domain::HealPolicy& policy) = 0;
};

}  // namespace patra::app
