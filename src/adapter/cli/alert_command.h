// patra alerts list | silence | resolve
#pragma once

#include "adapter/cli/alert_services.h"
#include "adapter/cli/console.h"

namespace patra::adapter::cli {

struct AlertListing {
  std::string database;
  bool all = false;
  int alerts_max = 100;
  bool as_json = false;
};
int RunAlertList(const AlertListing& listing, AlertServices& services, const Console& console);

int RunAlertSilence(const SilenceRequest& request, AlertServices& services, const Console& console);

struct AlertResolution {
  std::string database;
  std::string key;
};
int RunAlertResolve(const AlertResolution& resolution, AlertServices& services,
                    const Console& console);

}  // namespace patra::adapter::cli
