// The command-line arguments of everything that looks at a store.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/ledger_services.h"
#include "adapter/cli/plan_services.h"
#include "base/clock.h"

namespace CLI {
class App;
}

namespace patra::adapter::cli {

// What was chosen, to be run after the whole line is understood.
using Chosen = std::function<int(const Console&)>;

// status, slice, task, run, batch, cursor, items and verify; and list, show and timeline of `plan`, a command
// that is made if it is not there yet.
void AddLedger(CLI::App& app, LedgerServices& services, PlanServices& plans, const Clock& clock,
               const std::shared_ptr<std::string>& database, Chosen& chosen);

}  // namespace patra::adapter::cli
