#include "app/alert/alerting_log.h"

#include "base/canonical_json.h"
#include "domain/alert/alert_kind.h"

namespace patra::app {
namespace {

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
  if (event.empty()) return;  // which is how the rows say that no event is meant
  for (const auto& row : domain::kAlertRows) {
    if (row.ended_by != event) continue;
    const auto resolved =
        alerts_.Resolve(domain::AlertKey(row.kind, AboutOf(details, row.named_by)));
    if (!resolved) {
      log_.Write(LogLevel::kError, "alert.not_resolved", lineage,
                 {{"event", event}, {"reason", resolved.error().message}});
    }
  }
  for (const auto& row : domain::kAlertRows) {
    if (row.raised_by != event) continue;
    const auto raised =
        alerts_.Raise(domain::AlertOf(row.kind, AboutOf(details, row.named_by),
                                      Text(details, "reason"), CanonicalJson(Value(details))));
    if (!raised) {
      log_.Write(LogLevel::kError, "alert.lost", lineage,
                 {{"event", event}, {"reason", raised.error().message}});
    }
  }
}

}  // namespace patra::app
