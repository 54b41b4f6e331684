#include "adapter/cli/remap_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/command_family.h"
#include "adapter/cli/remap_command.h"

namespace patra::adapter::cli {

void AddRemap(CLI::App& app, const Scene& scene) {
  auto command = std::make_shared<RemapCommand>();
  auto& request = command->request;
  auto* sub = app.add_subcommand(
      "remap", "Apply a changed definition to the pages that were kept, without any request");
  sub->add_option("SOURCE/ENDPOINT", request.target,
                  "Whose records; SOURCE where it has one endpoint")
      ->required();
  sub->add_option("--since", request.since,
                  "Only pages that were fetched since, such as 2026-01-31 or -7d");
  sub->add_flag("--dry-run", request.dry_run,
                "Show field by field what would change; write nothing");
  sub->add_option("--reason", request.reason, "Why, for the audit; needed unless --dry-run");
  sub->add_flag("--json", command->as_json, "For machines, one object");
  // CLI11 cannot say that an option is required by the lack of another one.
  sub->parse_complete_callback([=] {
    if (!command->request.dry_run && command->request.reason.empty())
      throw CLI::RequiresError("remap without --dry-run", "--reason");
  });
  const auto run = [=, &clock = scene.clock, &services = scene.services](app::Desk& desk,
                                                                         const Console& console) {
    return RunRemap(*command, desk.remapping(), services.actor(), clock, console);
  };
  scene.ChooseChange(sub, run);
  AddExamples(app, {{"remap",
                     {"patra remap crossref/works --dry-run",
                      "patra remap crossref/works --since -30d --reason 'titles were cut'"}}});
}

}  // namespace patra::adapter::cli
