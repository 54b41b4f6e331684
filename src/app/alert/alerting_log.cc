#include "app/alert/alerting_log.h"

#include <algorithm>
#include <array>

#include "base/canonical_json.h"
#include "domain/alert/alert_kind.h"

namespace patra::app {
namespace {

using enum domain::AlertKind;

// An event, the alert that it raises or ends, and the detail that names the trouble within the source.
struct Telling {
  std::string_view event;
  domain::AlertKind kind;
  std::string_view name;
};

constexpr auto kAlarming = std::to_array<Telling>({
    {"credential.refused", kCredentialRefused, "credential"},
    {"wait.too_long", kLongWait, "endpoint"},
    {"slice.unproven", kSliceUnproven, "endpoint"},
    {"ledger.contradiction", kLedgerContradiction, "endpoint"},
    {"task.given_up", kTaskGivenUp, "endpoint"},
    {"slice.failed", kSliceFailed, "endpoint"},
    {"secret.echoed", kSecretEchoed, "endpoint"},
    {"clock.ahead", kClockAhead, "clock"},
    {"clock.behind", kClockBehind, "clock"},
    {"clock.none", kNoClock, "clock"},
});

constexpr auto kCalming = std::to_array<Telling>({{"clock.agrees", kClockAhead, "clock"},
                                                  {"slice.recovered", kLongWait, "endpoint"},
                                                  {"slice.recovered", kSliceFailed, "endpoint"}});

std::string Text(const Value::Object& details, std::string_view name) {
  const auto found = details.find(name);
  const auto* text = found == details.end() ? nullptr : found->second.AsString();
  return text == nullptr ? "" : *text;
}

domain::AlertAbout AboutOf(const Value::Object& details, std::string_view name) {
  return {.source = Text(details, "source"),
          .endpoint = Text(details, "endpoint"),
          .name = Text(details, name)};
}

}  // namespace

void AlertingLog::Write(LogLevel level, std::string_view event, const domain::Lineage& lineage,
                        const Value::Object& details) {
  log_.Write(level, event, lineage, details);
  for (const auto& calming : kCalming) {
    if (calming.event != event) continue;
    const auto resolved =
        alerts_.Resolve(domain::AlertKey(calming.kind, AboutOf(details, calming.name)));
    if (!resolved) {
      log_.Write(LogLevel::kError, "alert.not_resolved", lineage,
                 {{"event", event}, {"reason", resolved.error().message}});
    }
  }
  const auto* alarming = std::ranges::find(kAlarming, event, &Telling::event);
  if (alarming == kAlarming.end()) return;
  const auto raised =
      alerts_.Raise(domain::AlertOf(alarming->kind, AboutOf(details, alarming->name),
                                    Text(details, "reason"), CanonicalJson(Value(details))));
  if (!raised) {
    log_.Write(LogLevel::kError, "alert.lost", lineage,
               {{"event", event}, {"reason", raised.error().message}});
  }
}

}  // namespace patra::app
