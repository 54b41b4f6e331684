#include "app/send/tell_gate.h"

namespace patra::app {
namespace {

Value::Object AboutWay(const Sent& sent, domain::LimitScope scope) {
  return {{"source", sent.target.provenance},
          {"endpoint", sent.target.endpoint},
          {"gateKey", GateKey(scope, sent.target)}};
}

}  // namespace

Result<void> TellGate(const SenderPorts& ports, Sent& sent, const domain::GateSignal& signal) {
  const auto change = PATRA_TRY(ports.gate.Feedback(sent.target, sent.rules, signal));
  sent.met.Add(change);
  if (ports.rates != nullptr)
    ports.rates->Note(sent.target, sent.rules, signal, change, sent.sent_at);
  if (change.is_slowed)
    ports.log.Write(LogLevel::kWarn, "gate.slowed", sent.lineage,
                    AboutWay(sent, sent.rules.feedback_scope));
  if (change.is_opened)
    ports.log.Write(LogLevel::kWarn, "gate.opened", sent.lineage,
                    AboutWay(sent, sent.rules.breaker_scope));
  return {};
}

Value::Object SpanDetails(const Sent& sent, Duration now) {
  Value::Object details{{"span", sent.span},
                        {"batchNo", std::int64_t{sent.batch_no}},
                        {"tookMs", (now - sent.sent_at) / std::chrono::milliseconds(1)}};
  if (sent.response) details["status"] = std::int64_t{sent.response->status};
  return details;
}

void NoteQuota(const SenderPorts& ports, Sent& sent, bool leaves_rest) {
  ++(leaves_rest ? sent.met.soft_quota : sent.met.hard_quota);
  auto details = AboutWay(sent, sent.rules.feedback_scope);
  details["kind"] = leaves_rest ? "soft" : "hard";
  ports.log.Write(LogLevel::kWarn, "quota.reached", sent.lineage, details);
}

}  // namespace patra::app
