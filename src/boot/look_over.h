#pragma once

#include "adapter/cli/services.h"

namespace patra::boot {

app::CheckupLines LookOver(const adapter::cli::StoreRequest& request, app::SourceLibrary& library);

}  // namespace patra::boot
