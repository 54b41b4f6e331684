#include "domain/gate/adaptive_rate.h"

#include <algorithm>

namespace patra::domain {

bool AdaptiveRate::Cut(Duration now, Duration sent_at, const AdaptRules& rules,
                       std::int64_t floor) {
  if (sent_at < cut_at_) return false;
  bad_share_ = share_;
  const auto lowest = std::clamp(floor, kShareMin, share_);
  share_ = std::max(share_ * rules.cut_to / kFull, lowest);
  cut_at_ = changed_at_ = now;
  return true;
}

void AdaptiveRate::Raise(Duration now, Duration window, bool is_saturated,
                         const AdaptRules& rules) {
  if (share_ >= rules.ceiling || now - changed_at_ < window) return;
  if (!rules.limit_is_known && !is_saturated) return;
  auto step = rules.limit_is_known ? rules.known_step : rules.unknown_step;
  // Close to where an unknown limit bit last time it creeps.
  const bool was_bad_here = bad_share_ > 0 && share_ >= bad_share_ / 100 * 95;
  if (!rules.limit_is_known && was_bad_here) step = std::max<std::int64_t>(step / 10, 1);
  share_ = std::min(share_ + step, rules.ceiling);
  changed_at_ = now;
}

void AdaptiveRate::Cap(Duration now, std::int64_t share, Duration until) {
  const auto bounded = std::clamp(share, kShareMin, kFull);
  cap_ = capped_until_ > now ? std::min(cap_, bounded) : bounded;
  capped_until_ = std::max(capped_until_, until);
}

std::int64_t AdaptiveRate::SteadyShareAt(Duration at) const {
  return at < capped_until_ ? std::min(share_, cap_) : share_;
}

std::int64_t AdaptiveRate::ShareAt(Duration at) const {
  const auto share = SteadyShareAt(at);
  const auto ramp_end = ramp_from_ + ramp_length_;
  if (at >= ramp_end) return share;
  const auto climbed = std::max(at - ramp_from_, Duration::zero());
  const auto permille = 100 + 900 * climbed.count() / ramp_length_.count();
  return std::max(share * permille / 1'000, kShareMin);
}

}  // namespace patra::domain
