#pragma once

#include "adapter/cli/services.h"

namespace patra::boot {

app::CheckupLines LookOver(const adapter::cli::CheckupRequest& request,
                           app::SourceLibrary& library);

}  // namespace patra::boot
