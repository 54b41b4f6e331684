// Whether there is what somebody names: a name that is mistyped finds nothing, and nothing is an answer, too.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace patra::app {

class Names {
 public:
  virtual ~Names() = default;

  // An error, with what may be meant, where neither the definitions nor the store know such a source or endpoint. Empty
  // ones stand for any.
  virtual Result<void> CheckTarget(const std::string& source, const std::string& endpoint) = 0;

  // The same of a state of a "plan", "slice", "task", "run" or "batch".
  virtual Result<void> CheckState(std::string_view of, const std::string& state) = 0;
};

}  // namespace patra::app
