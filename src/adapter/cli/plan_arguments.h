// The command-line arguments of planning and cancelling.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/plan_services.h"

namespace CLI {
class App;
}

namespace patra::adapter::cli {

// What was chosen, to be run after the whole line is understood.
using Chosen = std::function<int(const Console&)>;

// harvest, backfill, update and cancel of `plan`, and cancel of `slice` and `task`: commands that are made
// where they are not there yet.
void AddPlan(CLI::App& app, PlanServices& services, const std::shared_ptr<std::string>& database,
             Chosen& chosen);

}  // namespace patra::adapter::cli
