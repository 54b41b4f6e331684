// The configuration file of a machine, beside flags and the environment: what seldom changes.
#pragma once

#include <string>
#include <vector>

#include "boot/engine.h"
#include "domain/settings/settings.h"

namespace patra::boot {

struct Configuration {
  std::string file{};             // empty: there is none
  std::vector<Error> problems{};  // all of them
  domain::Settings settings{};
  domain::DefinitionNode tree{};  // as it is written

  // Every setting of a section, with the line that set it; the empty one stands for what is outside of sections.
  std::vector<domain::Setting> Show(const std::string& section) const;
};

// `file`, or patra.yaml in the current folder where none is named and that exists. An error where a file is named and
// cannot be read.
Result<Configuration> ReadConfiguration(const std::string& file);

// Lets an engine go by it. Fails with the first problem.
Result<void> Configure(const Configuration& read, EngineOptions& options);

// What a process goes by from its beginning to its end, and what is written there now is something else: names of settings.
std::vector<std::string> WantsARestart(const Configuration& begun_with, const Configuration& now);

}  // namespace patra::boot
