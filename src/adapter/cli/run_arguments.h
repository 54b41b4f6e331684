// The command-line arguments of executors.
#pragma once

#include "adapter/cli/plan_arguments.h"

namespace patra::adapter::cli {

// Of commands that ask providers.
void AddEngineOptions(CLI::App& sub, EngineRequest& engine);

// harvest, backfill, update, work.
void AddRuns(CLI::App& app, const Scene& scene);

// preview, of `source`.
void AddPreview(CLI::App& source, const Scene& scene);

}  // namespace patra::adapter::cli
