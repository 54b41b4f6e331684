// The command-line arguments of replay.
#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddReplay(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
