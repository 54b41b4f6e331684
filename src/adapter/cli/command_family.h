// Commands of several words, such as `patra plan list`: the first names a family, and several files add to it.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace patra::adapter::cli {

// The one that is there, or a new one.
CLI::App* FamilyOf(CLI::App& app, const std::string& name, const std::string& about);

// What somebody would type, for the help and the manual of commands below `app`. A test types each.
struct CommandExamples {
  std::string_view command;  // from `app` on: "list", or "plan list"
  std::vector<std::string_view> lines;
};
void AddExamples(CLI::App& app, std::initializer_list<CommandExamples> examples);
std::vector<std::string> ExamplesOf(const CLI::App& app);

}  // namespace patra::adapter::cli
