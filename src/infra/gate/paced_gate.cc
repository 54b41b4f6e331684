#include "infra/gate/paced_gate.h"

namespace patra::infra::gate {

Result<Duration> PacedGate::Acquire(const std::string& key,
                                    const domain::SpecSnapshot::Rate& rate) {
  const auto now = clock_.Elapsed();
  Duration slot{};
  {
    const std::lock_guard lock(mutex_);
    auto [place, is_new] = slots_.try_emplace(key, rate.requests, rate.per, guard_);
    slot = place->second.Take(now);
  }
  const auto wait = slot - now;
  if (wait > Duration::zero()) clock_.SleepFor(wait);
  return wait;
}

}  // namespace patra::infra::gate
