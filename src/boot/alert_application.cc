#include "boot/alert_application.h"

#include <algorithm>

#include "base/duration.h"
#include "boot/open_store.h"
#include "boot/operator_name.h"

namespace patra::boot {
namespace {

using adapter::cli::AlertReport;

}  // namespace

Result<std::vector<AlertReport>> AlertApplication::ListAlerts(const std::string& database, bool all,
                                                              int alerts_max) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kLook));
  auto& alerts = open->store->alerts();
  const auto silences = PATRA_TRY(alerts.Silences());
  std::vector<AlertReport> reports;
  for (auto& alert : PATRA_TRY(alerts.List({.only_firing = !all, .alerts_max = alerts_max}))) {
    const bool is_silenced = std::ranges::any_of(
        silences, [&](const domain::Silence& silence) { return silence.Covers(alert); });
    reports.push_back({std::move(alert), is_silenced});
  }
  return reports;
}

Result<Instant> AlertApplication::SilenceAlerts(const adapter::cli::SilenceRequest& request) {
  const auto length = PATRA_TRY(ParseDuration(request.length));
  if (length <= Duration::zero()) {
    return Fail(ErrorCode::kInvalidInput, "a silence has to last", {},
                "--for takes a length such as 2h or 7d");
  }
  const auto open = PATRA_TRY(CommandStore::Open(request.database, StoreUse::kChange));
  auto& alerts = open->store->alerts();
  const auto until = open->clock.Now() + length;
  PATRA_TRY(
      alerts.Silence(request.pattern, until, {.actor = OperatorName(), .reason = request.reason}));
  return until;
}

Result<void> AlertApplication::ResolveAlert(const std::string& database, const std::string& key) {
  const auto open = PATRA_TRY(CommandStore::Open(database, StoreUse::kChange));
  auto& alerts = open->store->alerts();
  if (PATRA_TRY(alerts.Resolve(key))) return {};
  return Fail(ErrorCode::kNotFound, "no alert of that key fires", {},
              "`patra alerts list` shows those that do");
}

}  // namespace patra::boot
