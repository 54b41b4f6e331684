#include "adapter/cli/alert_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include "adapter/cli/cells.h"
#include "adapter/cli/table.h"
#include "app/api/report_facts.h"

namespace patra::adapter::cli {
int RunAlertList(const AlertListing& listing, app::Alerts& alerts, const Console& console) {
  const auto reports = alerts.List(listing.all, listing.alerts_max);
  if (!reports) return PrintError(console, reports.error());
  if (listing.as_json) {
    for (const auto& report : *reports) PrintJsonLine(console, ToObject(FactsOf(report)));
    return kComplete;
  }
  if (reports->empty()) {
    fmt::print(console.out, "no alerts\n");
    return kComplete;
  }
  Table table({"severity", "state", "last seen", "times", "key", "message"});
  for (const auto& report : *reports) {
    const auto& alert = report.alert;
    table.Add({std::string(Code(alert.severity)), std::string(StateOf(report)),
               When(alert.last_seen_at), Thousands(alert.times_seen), alert.key, alert.message});
  }
  fmt::print(console.out, "{}", table.Print(console));
  return kComplete;
}

int RunAlertSilence(const app::SilenceRequest& request, app::Alerts& alerts,
                    const domain::Actor& actor, const Console& console) {
  const auto until = alerts.Silence(request, actor);
  if (!until) return PrintError(console, until.error());
  fmt::print(console.out, "{} is silent until {}\n", request.pattern, When(*until));
  return kComplete;
}

int RunAlertResolve(const std::string& key, app::Alerts& alerts, const Console& console) {
  const auto resolved = alerts.Resolve(key);
  if (!resolved) return PrintError(console, resolved.error());
  fmt::print(console.out, "{} is resolved\n", key);
  return kComplete;
}

}  // namespace patra::adapter::cli
