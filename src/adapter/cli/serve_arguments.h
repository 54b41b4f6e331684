// `patra serve` and `patra doctor`.
#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddServe(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
