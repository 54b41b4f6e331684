#include "adapter/cli/command_family.h"

#include <CLI/CLI.hpp>

namespace patra::adapter::cli {

CLI::App* FamilyOf(CLI::App& app, const std::string& name, const std::string& about) {
  const auto there =
      app.get_subcommands([&](const CLI::App* sub) { return sub->get_name() == name; });
  if (!there.empty()) return there.front();
  return app.add_subcommand(name, about)->require_subcommand(1);
}

}  // namespace patra::adapter::cli
