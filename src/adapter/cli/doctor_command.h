#pragma once

#include "adapter/cli/console.h"
#include "app/api/checkup.h"

namespace patra::adapter::cli {

int PrintCheckup(const app::CheckupLines& lines, bool as_json, const Console& console);

}  // namespace patra::adapter::cli
