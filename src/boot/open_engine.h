#pragma once

#include <memory>

#include "adapter/cli/services.h"

namespace patra::boot {

// An engine over one store, for one command.
Result<std::shared_ptr<app::Operations>> OpenEngine(const adapter::cli::EngineRequest& request);

}  // namespace patra::boot
