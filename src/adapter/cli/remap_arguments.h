// The command-line arguments of remap.
#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddRemap(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
