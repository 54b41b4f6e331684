// The command-line arguments of quarantine, fuse, signal and heal, and those that other commands have in common with them.
#pragma once

#include <string>

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddHealing(CLI::App& app, const Scene& scene);

// Of commands that plan, work or heal.
void AddConfiguration(CLI::App& sub, std::string& configuration);

// `sub` shows a section of the configuration.
void AddPolicy(CLI::App* sub, const std::string& section, const Scene& scene);

// Where definitions are. A folder that is named has to be there: going by what the store remembers instead would be a
// guess.
void AddSources(CLI::App& sub, std::string& folder,
                const std::string& about = "The folder of the definitions");

}  // namespace patra::adapter::cli
