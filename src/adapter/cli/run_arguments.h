// The command-line arguments of executors.
#pragma once

#include "adapter/cli/plan_arguments.h"
#include "adapter/cli/services.h"
#include "base/clock.h"

namespace patra::adapter::cli {

// Of commands that ask providers.
void AddEngineOptions(CLI::App& sub, EngineRequest& engine);

// harvest, backfill, update, work.
void AddRuns(CLI::App& app, Services& services, const Clock& clock,
             const std::shared_ptr<std::string>& database, Chosen& chosen);

// preview, of `source`.
void AddPreview(CLI::App& source, Services& services, const std::shared_ptr<std::string>& database,
                Chosen& chosen);

}  // namespace patra::adapter::cli
