#pragma once

#include "adapter/cli/console.h"
#include "adapter/cli/services.h"

namespace patra::adapter::cli {

int RunServe(const ServeRequest& request, Services& services, const Console& console);

}  // namespace patra::adapter::cli
