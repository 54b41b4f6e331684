#pragma once

#include <memory>

#include "adapter/cli/services.h"

namespace patra::boot {

// The desk of one store, with everything that it stands on.
Result<std::shared_ptr<app::Desk>> OpenDesk(const adapter::cli::StoreRequest& request);

}  // namespace patra::boot
