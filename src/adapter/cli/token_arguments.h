#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddTokens(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
