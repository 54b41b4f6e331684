#include "app/port/gate_answers.h"

#include <algorithm>

#include <fmt/format.h>

namespace patra::app {
namespace {

// The moment on the calendar that lies as far from the wall's now as `at` from ours.
Instant OnCalendar(const domain::GateTime& time, Duration at) {
  return time.wall + (at - time.now);
}

}  // namespace

GateAnswer AnswerOf(RateGate& gate, const domain::GateTarget& target,
                    const domain::GateVerdict& verdict, const domain::GateTime& time,
                    Duration ahead) {
  using Kind = domain::GateVerdict::Kind;
  PATRA_ASSERT(verdict.kind != Kind::kNeedsQuota);
  const auto wait = verdict.until - time.now;
  if (verdict.kind == Kind::kAllow)
    return Allow{Permit(gate, target, *verdict.booking, time.now - ahead), verdict.reading};
  if (verdict.kind == Kind::kWait)
    return WaitUntil{wait,
                     OnCalendar(time, verdict.until),
                     verdict.reason,
                     verdict.booking,
                     verdict.leaves_rest,
                     verdict.reading};
  return Reject{wait, OnCalendar(time, verdict.until), verdict.reason, verdict.leaves_rest,
                verdict.reading};
}

GateStatus StatusOf(const domain::GateCell& cell, const domain::GateTime& time) {
  GateStatus status{.key = std::string(cell.name()),
                    .counts = cell.counts,
                    .share_ppm = cell.rate.ShareAt(time.now),
                    .jitter = cell.delays.Spread(),
                    .last_used_at = OnCalendar(time, cell.used_at)};
  for (const auto& limit : cell.limits) status.in_flight += limit.leases.Held(time.now);
  const auto block = [&](Duration until, domain::WaitReason reason) {
    status.blocked_until = OnCalendar(time, until);
    status.reason = reason;
  };
  if (cell.breaker.state() == domain::Breaker::State::kOpen && cell.breaker.until() > time.now)
    block(cell.breaker.until(), domain::WaitReason::kBreaker);
  if (cell.frozen_until > time.now) block(cell.frozen_until, domain::WaitReason::kCoolDown);
  if (cell.is_refused) status.reason = domain::WaitReason::kRefused;
  return status;
}

Result<void> BoundByQuotas(domain::GateEstimate& estimate, const domain::GateRules& rules,
                           const domain::GateTarget& target, GateLedger& ledger, Instant wall) {
  const bool has_quota = std::ranges::any_of(
      rules.limits, [](const auto& limit) { return limit.kind == domain::LimitKind::kQuota; });
  if (!has_quota) return {};
  for (const auto& window : PATRA_TRY(ledger.Quotas(wall))) {
    for (const auto& limit : rules.limits) {
      if (limit.kind != domain::LimitKind::kQuota || window.from > wall ||
          window.key != domain::QuotaKey(limit.scope, target, limit.window))
        continue;
      const auto left = window.allowed - window.reserved - domain::KeptBack(limit, wall);
      if (left > estimate.permits) continue;
      estimate.permits = left;
      estimate.more_from = window.to;
    }
  }
  return {};
}

Result<std::int64_t> Reserve(GateLedger& ledger, const domain::GateTarget& target,
                             const domain::QuotaNeed& need) {
  return ledger.ReserveQuota(domain::QuotaKey(need.scope, target, need.to - need.from), need.from,
                             need.to, need.allowed, need.keep, need.piece);
}

Error NoSuchGateKey(const std::string& key) {
  return {ErrorCode::kNotFound, fmt::format("the gate knows no key '{}'", key), {}, {}};
}

}  // namespace patra::app
