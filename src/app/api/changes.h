// What became of records, for whoever keeps something else in step.
#pragma once

#include <string>

#include "base/result.h"
#include "contract/changes.h"

namespace patra::app {

class Changes {
 public:
  virtual ~Changes() = default;

  // `after` is a place that a page told; empty: all that is kept; "end": nothing but the place of what comes from now on.
  // What was committed before it was asked is there.
  virtual Result<contract::ChangePage> After(const std::string& after,
                                             const contract::ChangeFilter& filter,
                                             int changes_max) = 0;
};

}  // namespace patra::app
