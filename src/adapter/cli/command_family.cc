#include "adapter/cli/command_family.h"

#include <sstream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace patra::adapter::cli {

CLI::App* FamilyOf(CLI::App& app, const std::string& name, const std::string& about) {
  const auto there =
      app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
  if (!there.empty()) return there.front();
  return app.add_subcommand(name, about)->require_subcommand(1);
}

void AddExamples(CLI::App& app, std::initializer_list<CommandExamples> examples) {
  for (const auto& [command, lines] : examples) {
    auto* sub = &app;
    std::istringstream words{std::string(command)};
    for (std::string word; words >> word;) sub = sub->get_subcommand(word);
    // What CLI11 would print below its own help, which nobody sees.
    sub->footer(fmt::format("{}", fmt::join(lines, "\n")));
  }
}

std::vector<std::string> ExamplesOf(const CLI::App& app) {
  std::vector<std::string> lines;
  std::istringstream text(app.get_footer());
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

}  // namespace patra::adapter::cli
