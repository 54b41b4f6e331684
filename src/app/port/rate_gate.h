// Permission to send. No request leaves without a permit, and permits are spaced so that the
// provider never counts more than it allows (I9).
#pragma once

#include <string>

#include "base/result.h"
#include "base/time.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::app {

class RateGate {
 public:
  virtual ~RateGate() = default;

  // Waits for the key's next slot. How long it waited.
  virtual Result<Duration> Acquire(const std::string& key,
                                   const domain::SpecSnapshot::Rate& rate) = 0;
};

}  // namespace patra::app
