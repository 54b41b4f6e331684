// What is wrong with a line that is no command, and what may be meant.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace CLI {
class App;
}

namespace patra::adapter::cli {

// The first word that is no command and no option, with the nearest one that is; where all of them are, `otherwise`,
// which is what the parser says.
Error UsageError(const CLI::App& app, std::span<const std::string> words, std::string otherwise);

// An error where the words name no command.
Result<const CLI::App*> FindCommand(const CLI::App& app, std::span<const std::string> words);

}  // namespace patra::adapter::cli
