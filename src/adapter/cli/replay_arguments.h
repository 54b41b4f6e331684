// The command-line arguments of replay.
#pragma once

#include <memory>
#include <string>

#include "adapter/cli/plan_arguments.h"
#include "adapter/cli/replay_services.h"

namespace patra::adapter::cli {

void AddReplay(CLI::App& app, ReplayServices& services,
               const std::shared_ptr<std::string>& database, Chosen& chosen);

}  // namespace patra::adapter::cli
