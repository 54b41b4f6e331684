// The command-line arguments of what one meets first: help, completion, the manual, the configuration, a new project.
#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddFront(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
