// `patra init`: a folder to start in.
#pragma once

#include <string>

#include "adapter/cli/console.h"

namespace patra::adapter::cli {

// Writes over nothing.
int RunInit(const std::string& folder, const Console& console);

}  // namespace patra::adapter::cli
