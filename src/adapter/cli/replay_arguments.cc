#include "adapter/cli/replay_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/command_family.h"
#include "adapter/cli/replay_command.h"
#include "adapter/cli/run_arguments.h"

namespace patra::adapter::cli {

void AddReplay(CLI::App& app, const Scene& scene) {
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
  auto engine = std::make_shared<EngineRequest>();
  AddEngineOptions(*sub, *engine);
  // CLI11 cannot say that an option is required by the value of another one.
  sub->parse_complete_callback([=] {
    if (command->mode == "commit" && command->request.reason.empty())
      throw CLI::RequiresError("--mode commit", "--reason");
  });
  scene.ChooseEngine(
      sub,
      [=] {
        auto request = *engine;
        request.looks = command->mode == "report";
        request.must_exist = true;
        return request;
      },
      [=, &services = scene.services](app::Operations& operations, const Console& console) {
        return RunReplay(*command, operations, services.actor(), console);
      });
  AddExamples(app,
              {{"replay", {"patra replay 12/34", "patra replay 12/34 --from-raw --mode isolate"}}});
}

}  // namespace patra::adapter::cli
