// `patra demo`: harvests the built-in simulator end to end, then shows what happened.
#pragma once

#include "adapter/cli/console.h"
#include "adapter/cli/services.h"
#include "base/clock.h"

namespace patra::adapter::cli {

int RunDemo(const DemoRequest& request, Services& services, const Clock& clock,
            const Console& console);

}  // namespace patra::adapter::cli
