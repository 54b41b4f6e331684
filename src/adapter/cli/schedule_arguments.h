// The command-line arguments of schedule.
#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddSchedule(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
