#pragma once

#include <map>
#include <mutex>
#include <string>

#include "app/port/rate_gate.h"
#include "base/clock.h"
#include "domain/gate/paced_slots.h"

namespace patra::infra::gate {

// Paces the requests of this process, one row of slots per key. Thread-safe.
class PacedGate final : public app::RateGate {
 public:
  PacedGate(Clock& clock, Duration guard) : clock_(clock), guard_(guard) {}

  Result<Duration> Acquire(const std::string& key, const domain::SpecSnapshot::Rate& rate) override;

 private:
  Clock& clock_;
  const Duration guard_;
  std::mutex mutex_;  // guards slots_
  std::map<std::string, domain::PacedSlots, std::less<>> slots_;
};

}  // namespace patra::infra::gate
