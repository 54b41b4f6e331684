// The ids that the first of two phases found, until the second has fetched them or knows that it cannot.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "domain/plan/plan.h"

namespace patra::app {

class IdLedger {
 public:
  virtual ~IdLedger() = default;

  // Remembers ids for a slice; those known already are left as they are, those on the bad-id list are left
  // out. How many are new.
  virtual Result<int> AddFound(Id slice, const domain::Partition& partition,
                               std::span<const std::string> ids, Id batch) = 0;

  // The next ids without details, in the order of their text.
  virtual Result<std::vector<std::string>> NextOpen(Id slice, int ids_max) = 0;

  virtual Result<void> MarkFetched(Id slice, std::span<const std::string> ids, Id batch) = 0;

  // Puts ids on the bad-id list with the reason: no later slice asks for them again.
  virtual Result<void> MarkBad(Id slice, const domain::Partition& partition,
                               std::span<const std::string> ids, const std::string& reason,
                               Id batch) = 0;
};

}  // namespace patra::app
