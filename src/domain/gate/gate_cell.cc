#include "domain/gate/gate_cell.h"

#include <algorithm>

namespace patra::domain {

Duration GateCell::JitterOf(const Limit& limit) const {
  // Answers may take long to make, which says nothing about the way: more than this is not the way's.
  constexpr Duration kMost = std::chrono::milliseconds(250);
  constexpr Duration kLeast = std::chrono::milliseconds(2);
  const auto measured = delays.Spread();
  if (!measured) return limit.jitter;
  const auto most = std::max(limit.jitter, std::min(kMost, limit.window / 8));
  // Windows of the provider's clock also have to cover how far its clock is from ours, which is not measured.
  const bool is_of_clock = limit.kind == LimitKind::kFixedWindow || limit.kind == LimitKind::kQuota;
  const auto least = is_of_clock ? limit.jitter : std::min(kLeast, limit.jitter);
  return std::clamp(*measured, least, most);
}

Duration GateCell::EndSeenLaterBy() const {
  // As far as the way varies. Beyond that it would cost more of a limit on concurrency than a rare 429 does.
  constexpr Duration kMost = std::chrono::milliseconds(50);
  return std::min(delays.Spread().value_or(Limit{}.jitter), kMost);
}

void Claim(GateCell& cell, std::string_view key, const GateRules& rules, Duration now) {
  PATRA_ASSERT(!key.empty() && key.size() <= kGateKeyBytesMax);
  cell = GateCell{};
  std::ranges::copy(key, cell.key.begin());
  cell.used_at = now;
  // A booking from an earlier life of the key must not pass for one of this.
  cell.stops = static_cast<std::uint64_t>(now.count()) << 20;
  cell.rate.Start(rules.adapt);
  if (rules.warm_up > Duration::zero()) cell.rate.SlowStart(now, rules.warm_up);
}

void EndStops(GateCell& cell) {
  cell.frozen_until = kLongAgo;
  cell.breaker = {};
  cell.rate = {};
  cell.retries = {};
  cell.is_refused = false;
}

void ForgetUse(GateCell& cell) {
  for (auto& limit : cell.limits) {
    limit = LimitState{.told_count = limit.told_count,
                       .told_window = limit.told_window,
                       .told_left = limit.told_left,
                       .told_until = limit.told_until};
  }
  ++cell.stops;
}

}  // namespace patra::domain
