// `patra status`: one screen about the whole store.
#pragma once

#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/ledger_services.h"
#include "base/clock.h"

namespace patra::adapter::cli {

int RunStatus(const std::string& database, bool as_json, LedgerServices& services,
              const Clock& clock, const Console& console);

}  // namespace patra::adapter::cli
