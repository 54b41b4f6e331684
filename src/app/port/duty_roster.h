// What one process at a time does for all that share the store.
#pragma once

#include <string>

#include "base/result.h"
#include "base/time.h"

namespace patra::app {

class DutyRoster {
 public:
  virtual ~DutyRoster() = default;

  // Takes the duty until then, unless somebody else's time for it is not up yet.
  virtual Result<bool> Take(const std::string& duty, const std::string& owner, Instant until) = 0;
};

}  // namespace patra::app
