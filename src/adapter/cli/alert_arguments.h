// The command-line arguments of alerts.
#pragma once

#include <memory>
#include <string>

#include "adapter/cli/alert_services.h"
#include "adapter/cli/plan_arguments.h"

namespace patra::adapter::cli {

void AddAlerts(CLI::App& app, AlertServices& services, const std::shared_ptr<std::string>& database,
               Chosen& chosen);

}  // namespace patra::adapter::cli
