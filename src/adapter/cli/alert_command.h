// patra alerts list | silence | resolve
#pragma once

#include "adapter/cli/console.h"
#include "app/api/alerts.h"

namespace patra::adapter::cli {

struct AlertListing {
  bool all = false;
  int alerts_max = 100;
  bool as_json = false;
};
int RunAlertList(const AlertListing& listing, app::Alerts& alerts, const Console& console);

int RunAlertSilence(const app::SilenceRequest& request, app::Alerts& alerts,
                    const domain::Actor& actor, const Console& console);

int RunAlertResolve(const std::string& key, app::Alerts& alerts, const Console& console);

}  // namespace patra::adapter::cli
