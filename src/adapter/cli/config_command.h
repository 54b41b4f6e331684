// `patra config`: what every command goes by, and who says so.
#pragma once

#include "adapter/cli/console.h"
#include "adapter/cli/global_options.h"

namespace patra::adapter::cli {

int RunConfigShow(const GlobalOptions& globals, bool as_json, Services& services,
                  const Console& console);

}  // namespace patra::adapter::cli
