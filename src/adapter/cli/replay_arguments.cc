#include "adapter/cli/replay_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/replay_command.h"
#include "adapter/cli/run_arguments.h"

namespace patra::adapter::cli {

void AddReplay(CLI::App& app, ReplayServices& services,
               const std::shared_ptr<std::string>& database, Chosen& chosen) {
  auto command = std::make_shared<ReplayCommand>();
  auto* sub = app.add_subcommand(
      "replay", "Ask for a batch once more and compare; writes nothing unless told to");
  sub->add_option("RUN/BATCH", command->target, "Ids, as `patra batch list` shows them")
      ->required();
  sub->add_option("--mode", command->mode,
                  "report; isolate: what differs goes to quarantine; commit: it is stored")
      ->capture_default_str()
      ->check(CLI::IsMember({"report", "isolate", "commit"}));
  sub->add_flag("--from-raw", command->request.from_raw,
                "Read the page of the raw vault instead of asking the provider");
  sub->add_option("--reason", command->request.reason,
                  "Why, for the audit; --mode commit needs one");
  sub->add_flag("--json", command->as_json, "For machines, one object");
  AddEngineOptions(*sub, command->request.engine);
  sub->callback([=, &services, &chosen] {
    // CLI11 cannot say that an option is required by the value of another one.
    if (command->mode == "commit" && command->request.reason.empty())
      throw CLI::RequiresError("--mode commit", "--reason");
    command->request.engine.database = *database;
    chosen = [=, &services](const Console& console) {
      return RunReplay(*command, services, console);
    };
  });
}

}  // namespace patra::adapter::cli
