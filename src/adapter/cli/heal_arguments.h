// The command-line arguments of quarantine, fuse, signal and heal, and those that other commands have in common with them.
#pragma once

#include <string>

#include "adapter/cli/scene.h"

namespace patra::adapter::cli {

void AddHealing(CLI::App& app, const Scene& scene);

// `sub` shows a section of the configuration.
void AddPolicy(CLI::App* sub, const std::string& section, const Scene& scene);

}  // namespace patra::adapter::cli
