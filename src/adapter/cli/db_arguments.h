// The arguments of `patra db`.
#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddDb(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
