// The command-line arguments of quarantine, fuse, signal and heal.
#pragma once

#include <memory>
#include <string>

#include "adapter/cli/heal_services.h"
#include "adapter/cli/plan_arguments.h"

namespace patra::adapter::cli {

void AddHealing(CLI::App& app, HealServices& services, const std::shared_ptr<std::string>& database,
                Chosen& chosen);

// Of commands that plan, work or heal.
void AddConfiguration(CLI::App& sub, std::string& configuration);

// Where definitions are. A folder that is named has to be there: going by what the store remembers instead would be a
// guess.
void AddSources(CLI::App& sub, std::string& folder,
                const std::string& about = "The folder of the definitions");

}  // namespace patra::adapter::cli
