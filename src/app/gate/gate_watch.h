// Tells when a gate that machines share cannot be asked, and when it can be again.
#pragma once

#include <optional>

#include "app/port/log.h"
#include "app/port/rate_gate.h"

namespace patra::app {

// One thread at a time.
class GateWatch {
 public:
  GateWatch(RateGate& gate, Log& log) : gate_(gate), log_(log) {}

  void Look();

 private:
  RateGate& gate_;
  Log& log_;
  std::optional<bool> was_away_;  // nobody knows what those before have told
};

}  // namespace patra::app
