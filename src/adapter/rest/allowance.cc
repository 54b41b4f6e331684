#include "adapter/rest/allowance.h"

#include <algorithm>
#include <cmath>

namespace patra::adapter::rest {

Allowances::Left& Allowances::Refilled(const std::string& caller) {
  const auto now = clock_.Elapsed();
  if (!left_.contains(caller) && left_.size() >= callers_max_) {
    left_.erase(
        std::ranges::min_element(left_, {}, [](const auto& known) { return known.second.at; }));
  }
  auto& left = left_.try_emplace(caller, Left{rate_.at_once, now}).first->second;
  const auto seconds = std::chrono::duration<double>(now - left.at).count();
  left.count = std::min(rate_.at_once, left.count + seconds * rate_.per_second);
  left.at = now;
  return left;
}

std::optional<Duration> Allowances::WaitOf(const Left& left) const {
  if (left.count >= 1) return std::nullopt;
  return std::chrono::ceil<Duration>(
      std::chrono::duration<double>((1 - left.count) / rate_.per_second));
}

std::optional<Duration> Allowances::Take(const std::string& caller) {
  const std::lock_guard lock(mutex_);
  auto& left = Refilled(caller);
  if (const auto wait = WaitOf(left)) return wait;
  left.count -= 1;
  return std::nullopt;
}

std::optional<Duration> Allowances::Look(const std::string& caller) {
  const std::lock_guard lock(mutex_);
  return WaitOf(Refilled(caller));
}

}  // namespace patra::adapter::rest
