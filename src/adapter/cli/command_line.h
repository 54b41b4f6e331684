// Reads the command line and runs the command it names.
#pragma once

#include "adapter/cli/console.h"
#include "adapter/cli/services.h"
#include "base/clock.h"

namespace patra::adapter::cli {

int RunCommandLine(int argc, const char* const* argv, Services& services, const Clock& clock,
                   Console console);

}  // namespace patra::adapter::cli
