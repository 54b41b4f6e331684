#include "app/send/sender.h"

#include "app/send/send_request.h"
#include "app/send/tell_gate.h"
#include "domain/gate/provider_signal.h"

namespace patra::app {
namespace {

domain::GateSignal::Kind KindOf(const domain::Verdict& verdict) {
  using enum domain::GateSignal::Kind;
  if (verdict.is_throttled && verdict.level == domain::ErrorLevel::kL1) return kThrottled;
  switch (verdict.level) {
    case domain::ErrorLevel::kL1:
      return kTransient;
    case domain::ErrorLevel::kL2:
    case domain::ErrorLevel::kL3:
    case domain::ErrorLevel::kL4:
      return kRejected;
    case domain::ErrorLevel::kNone:
      break;
  }
  return kOk;
}

SenderPorts WithoutSecrets(RateGate& gate, Transport& transport, Clock& clock) {
  static NoSecrets secrets;
  static NoLog log;
  static Redactor redactor;
  return {gate, transport, clock, secrets, redactor, log};
}

// What a request came to, for whoever counts them.
void TellSettled(const Sent& sent, const domain::Verdict& verdict, Duration now, Log& log) {
  auto details = SpanDetails(sent, now);
  details["requests"] = std::int64_t{sent.requests};
  details["level"] = std::string(Code(verdict.level));
  details["throttled"] = std::int64_t{verdict.is_throttled ? 1 : 0};
  details["retryAfter"] = std::int64_t{sent.met.retry_after};
  if (sent.response) details["latencyMs"] = sent.response->latency / std::chrono::milliseconds(1);
  log.Write(LogLevel::kDebug, "request.settled", sent.lineage, details);
}

}  // namespace

Sender::Sender(RateGate& gate, Transport& transport, Clock& clock)
    : Sender(WithoutSecrets(gate, transport, clock)) {}

Sender::Sender(SenderPorts ports, std::string product)
    : ports_(ports), product_(std::move(product)), tokens_(ports.clock) {}

Result<Sent> Sender::Send(const Outgoing& outgoing, const OnGateWait& on_wait) {
  auto sent = SendRequest(ports_, tokens_, answers_, product_, outgoing, on_wait).Run();
  if (!sent) return std::unexpected(ports_.redactor.RedactError(std::move(sent).error()));
  return sent;
}

Result<void> Sender::Settle(Sent& sent, const domain::Verdict& verdict) {
  if (verdict.level != domain::ErrorLevel::kNone && sent.response) {
    sent.response_digest["headers"] = HeadersDigest(sent.response->headers, ports_.redactor);
    sent.response_digest["firstBytes"] = FirstBytesOf(sent.response->body);
  }
  // What this machine lacks, or that we did not wait for the rest, is no news about the provider.
  if (verdict.failure == ErrorCode::kExhausted || verdict.failure == ErrorCode::kCancelled) {
    sent.held = {};
    return {};
  }
  auto signal = SignalOf(sent);
  signal.kind = KindOf(verdict);
  if (verdict.wait) signal.cool_down = verdict.wait;
  if (sent.response) {
    if (auto quota = QuotaDigest(signal, sent.response->received_at); !quota.is_null())
      sent.response_digest["quota"] = std::move(quota);
  }
  sent.held = {};
  if (sent.response && domain::RetryAfter(sent.response->headers, sent.response->received_at))
    ++sent.met.retry_after;
  TellSettled(sent, verdict, ports_.clock.Elapsed(), ports_.log);
  const bool is_refused = verdict.level == domain::ErrorLevel::kL4 && sent.response &&
                          sent.response->status == 401 && sent.carried_credential;
  if (is_refused) PATRA_TRY(TakeOut(ports_, sent.target, sent.rules, sent.lineage, 401));
  return TellGate(ports_, sent, signal);
}

Result<std::optional<domain::GateWait>> Sender::LongWaitAhead(
    const domain::CompiledSource& source) {
  const auto& auth = source.spec().auth;
  const auto rules = source.RulesFor(domain::Phase::kSearch, {.now = ports_.clock.Now()});
  const auto credentials = CredentialsOf(auth, ports_.secrets, ports_.redactor);
  if (!credentials) return std::nullopt;  // Send says what is wrong
  const auto chosen =
      PATRA_TRY(ChooseAmong(*credentials, source.TargetOf(domain::Phase::kSearch), rules,
                            ports_.gate, ports_.clock, OrderOf(auth), ports_.permit_wait_max));
  if (!chosen) return std::nullopt;
  const auto target = source.TargetOf(domain::Phase::kSearch, (*credentials)[*chosen].name);
  const auto estimate = PATRA_TRY(ports_.gate.Estimate(target, rules, ports_.permit_wait_max));
  const auto wait = estimate.blocked_until - ports_.clock.Elapsed();
  if (wait <= ports_.permit_wait_max) return std::nullopt;
  return domain::GateWait{estimate.reason, ports_.clock.Now() + wait};
}

}  // namespace patra::app
