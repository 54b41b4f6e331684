#include "app/alert/alerting_log.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/canonical_json.h"

namespace patra::app {
namespace {

struct Alarming {
  std::string_view event;
  std::string_view key;     // the alert's, before the source and what else names the trouble
  std::string_view detail;  // that names it within the source
  domain::Severity severity;
  std::string_view message;
};

constexpr auto kAlarming = std::to_array<Alarming>({
    {"credential.refused", "credential", "credential", domain::Severity::kCritical,
     "the provider refuses a credential, which is not used any more: put it right, then `patra "
     "gate reset KEY`, or `patra fuse reset` where the source stopped"},
    {"wait.too_long", "wait", "endpoint", domain::Severity::kWarn,
     "the provider asks for a longer wait than the definition's retry_after_cap: its tasks are "
     "parked"},
    {"slice.unproven", "unproven", "endpoint", domain::Severity::kWarn,
     "a slice was read to its end and is not called complete: `patra verify` names it"},
    {"ledger.contradiction", "ledger", "endpoint", domain::Severity::kCritical,
     "the idempotency keys of a batch name different batches: nothing of it was stored"},
    {"task.given_up", "task", "endpoint", domain::Severity::kCritical,
     "a task was given up without knowing what else to do about it: `patra task list` names it, "
     "`patra "
     "task requeue` tries it again"},
    {"slice.failed", "failed", "endpoint", domain::Severity::kWarn,
     "a slice was given up: `patra verify` names what is missing, `patra task requeue` tries it "
     "again"},
    {"secret.echoed", "secret", "endpoint", domain::Severity::kWarn,
     "the provider's data holds a credential of ours that is too short to be told from ordinary "
     "words: it is stored with the data; use one of eight bytes or more"},
    {"clock.ahead", "clock", "clock", domain::Severity::kCritical,
     "our clock is ahead of the provider's: nothing after the provider's now is proven, and slices "
     "that reach beyond it stay PARTIAL; put the clock right, then harvest again"},
    {"clock.behind", "clock", "clock", domain::Severity::kInfo,
     "our clock is behind the provider's: nothing is lost, but records come late; put it right"},
    {"clock.none", "clock", "clock", domain::Severity::kWarn,
     "what the provider sends as its date is no clock: ours alone says what is complete, so see "
     "that it is right"},
});

// Events that end the trouble of that key.
struct Calming {
  std::string_view event;
  std::string_view key;
  std::string_view detail;
};
constexpr auto kCalming = std::to_array<Calming>({{"clock.agrees", "clock", "clock"},
                                                  {"slice.recovered", "wait", "endpoint"},
                                                  {"slice.recovered", "failed", "endpoint"}});

std::string Text(const Value::Object& details, std::string_view name) {
  const auto found = details.find(name);
  const auto* text = found == details.end() ? nullptr : found->second.AsString();
  return text == nullptr ? "" : *text;
}

}  // namespace

void AlertingLog::Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
                        const Value::Object& details) {
  log_.Write(level, event, lineage, details);
  for (const auto& calming : kCalming) {
    if (calming.event != event) continue;
    const auto key = fmt::format("{}/{}/{}", calming.key, Text(details, "source"),
                                 Text(details, calming.detail));
    const auto resolved = alerts_.Resolve(key);
    if (!resolved) {
      log_.Write(LogLevel::kError, "alert.not_resolved", lineage,
                 {{"event", event}, {"reason", resolved.error().message}});
    }
  }
  const auto* alarming = std::ranges::find(kAlarming, event, &Alarming::event);
  if (alarming == kAlarming.end()) return;
  const auto source = Text(details, "source");
  const auto endpoint = Text(details, "endpoint");
  const auto reason = Text(details, "reason");
  const auto raised = alerts_.Raise(
      {.key = fmt::format("{}/{}/{}", alarming->key, source, Text(details, alarming->detail)),
       .severity = alarming->severity,
       .provenance = source,
       .endpoint = endpoint,
       .message = reason.empty() ? std::string(alarming->message)
                                 : fmt::format("{} ({})", alarming->message, reason),
       .details = CanonicalJson(Value(details))});
  if (!raised) {
    log_.Write(LogLevel::kError, "alert.lost", lineage,
               {{"event", event}, {"reason", raised.error().message}});
  }
}

}  // namespace patra::app
