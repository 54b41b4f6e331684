#include "app/send/sender.h"

#include <fmt/format.h>

#include "app/gate/source_rules.h"
#include "domain/gate/provider_signal.h"

namespace patra::app {
namespace {

// A worker that waits longer for a permit has better things to do.
constexpr Duration kPermitDeadline = std::chrono::seconds(5);
constexpr Duration kNoticeableWait = std::chrono::milliseconds(500);

domain::GateSignal::Kind KindOf(const domain::Verdict& verdict,
                                domain::GateSignal::Kind by_status) {
  using enum domain::GateSignal::Kind;
  if (verdict.is_throttled && verdict.level == domain::ErrorLevel::kL1) return kThrottled;
  switch (verdict.level) {
    case domain::ErrorLevel::kL1:
      return kTransient;
    case domain::ErrorLevel::kL2:
    case domain::ErrorLevel::kL3:
      return kRejected;
    case domain::ErrorLevel::kL4:
      return by_status == kRefused ? kRefused : kRejected;
    case domain::ErrorLevel::kNone:
      break;
  }
  return kOk;
}

}  // namespace

Result<Sent> Sender::Send(const Outgoing& outgoing, const OnGateWait& on_wait) {
  Sent sent{.target = GateTargetOf(outgoing.spec), .rules = GateRulesOf(outgoing.spec)};
  PATRA_TRY(domain::Validate(sent.rules));
  const domain::GateAsk ask{.deadline = kPermitDeadline,
                            .priority = outgoing.priority,
                            .task = static_cast<std::uint64_t>(outgoing.lineage.task),
                            .is_retry = outgoing.is_retry};
  const auto tell = [&](const GateWait& wait) {
    if (wait.until - clock_.Now() >= kNoticeableWait) on_wait(wait);
  };
  auto awaited = PATRA_TRY(AwaitPermit(gate_, clock_, sent.target, sent.rules, ask, tell));
  sent.permit = {GateKey(sent.rules.feedback_scope, sent.target), awaited.waited, awaited.reason};
  if (!awaited.permit && awaited.reason == domain::WaitReason::kRefused) {
    return Fail(ErrorCode::kRefused,
                fmt::format("the provider refuses the credential of {}", sent.permit.key), {},
                fmt::format("put it right, then `patra gate reset {}`", sent.permit.key));
  }
  if (!awaited.permit) {
    sent.parked = GateWait{awaited.rejected->reason, awaited.rejected->until};
    return sent;
  }
  sent.held = *std::move(awaited.permit);
  sent.requests = 1;
  auto response = transport_.Send(outgoing.request);
  if (response) {
    sent.response = *std::move(response);
  } else {
    sent.failure = response.error();
  }
  return sent;
}

Result<void> Sender::Settle(Sent& sent, const domain::Verdict& verdict) {
  auto signal = sent.response ? domain::ReadSignal(sent.response->status, sent.response->headers,
                                                   sent.response->received_at, sent.rules)
                              : domain::GateSignal{};
  signal.kind = KindOf(verdict, signal.kind);
  if (verdict.wait) signal.cool_down = verdict.wait;
  signal.sent_at = sent.held.granted_at();
  signal.booked = sent.held.booking().booked;
  const auto told = gate_.Feedback(sent.target, sent.rules, signal);
  sent.held = {};
  return told;
}

Result<std::optional<GateWait>> Sender::LongWaitAhead(const domain::SpecSnapshot& spec) {
  const auto rules = GateRulesOf(spec);
  PATRA_TRY(domain::Validate(rules));
  const auto estimate = PATRA_TRY(gate_.Estimate(GateTargetOf(spec), rules, kPermitDeadline));
  const auto wait = estimate.blocked_until - clock_.Elapsed();
  if (wait <= kPermitDeadline) return std::nullopt;
  return GateWait{estimate.reason, clock_.Now() + wait};
}

}  // namespace patra::app
