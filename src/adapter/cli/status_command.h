// `patra status`: one screen about the whole store.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "base/clock.h"
#include "contract/status.h"

namespace patra::adapter::cli {

int RunStatus(bool as_json, contract::StatusQueries& status, const Clock& clock,
              const Console& console);

}  // namespace patra::adapter::cli
