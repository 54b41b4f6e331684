#pragma once

#include <memory>

#include "adapter/cli/services.h"
#include "app/port/log.h"
#include "base/clock.h"

namespace patra::boot {

std::unique_ptr<app::Log> MakeLog(const adapter::cli::LogRequest& request, const Clock& clock);

}  // namespace patra::boot
