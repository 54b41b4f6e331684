// Hints that records should be fetched again. Each is consumed by exactly one plan.
#pragma once

#include <string>
#include <vector>

#include "base/id.h"
#include "base/result.h"
#include "domain/word/signal.h"

namespace patra::app {

using domain::Signal;

class SignalRepository {
 public:
  virtual ~SignalRepository() = default;

  // False where the same signal is waiting already.
  virtual Result<bool> Add(const Signal& signal) = 0;

  // How many wait.
  virtual Result<std::int64_t> CountOpen(const std::string& provenance,
                                         const std::string& endpoint) = 0;

  // Of that state (OPEN, PLANNED or DONE), newest first.
  virtual Result<std::vector<Signal>> List(const std::string& status, int signals_max) = 0;

  // Hands up to `signals_max` waiting signals, oldest first, to a plan. Nobody else gets them.
  virtual Result<std::vector<Signal>> TakeFor(Id plan, const std::string& provenance,
                                              const std::string& endpoint, int signals_max) = 0;

  // What a plan has taken and not settled, in the order of ids after `after`.
  virtual Result<std::vector<Signal>> TakenBy(Id plan, Id after, int signals_max) = 0;

  // All that the plan has taken is in its slices.
  virtual Result<void> Settle(Id plan) = 0;
};

}  // namespace patra::app
