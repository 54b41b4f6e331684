// The command-line arguments of alerts.
#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddAlerts(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
