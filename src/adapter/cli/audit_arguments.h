#pragma once

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

// `patra audit`.
void AddAudit(CLI::App& app, const Scene& scene);

}  // namespace patra::adapter::cli
