#include "app/service/service_health.h"

namespace patra::app {

void ServiceHealth::Well(const std::string& part) {
  const std::lock_guard lock(mutex_);
  parts_[part] = {.part = part, .done_at = clock_.Now()};
}

void ServiceHealth::Failing(const std::string& part, const Error& error) {
  const std::lock_guard lock(mutex_);
  auto& health = parts_[part];
  health.part = part;
  health.error = error;
  if (!health.failing_since) health.failing_since = clock_.Now();
}

void ServiceHealth::Forget(const std::string& part) {
  const std::lock_guard lock(mutex_);
  parts_.erase(part);
}

std::vector<PartHealth> ServiceHealth::Parts() const {
  const std::lock_guard lock(mutex_);
  std::vector<PartHealth> parts;
  for (const auto& [name, health] : parts_) parts.push_back(health);
  return parts;
}

}  // namespace patra::app
