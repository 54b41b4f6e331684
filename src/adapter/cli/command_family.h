// Commands of several words, such as `patra plan list`: the first names a family, and several files add to it.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace patra::adapter::cli {

// The one that is there, or a new one.
CLI::App* FamilyOf(CLI::App& app, const std::string& name, const std::string& about);

}  // namespace patra::adapter::cli
