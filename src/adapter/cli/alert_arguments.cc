#include "adapter/cli/alert_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/alert_command.h"
#include "adapter/cli/command_family.h"

namespace patra::adapter::cli {

void AddAlerts(CLI::App& app, const Scene& scene) {
  auto* alerts = app.add_subcommand("alerts", "Trouble that people should know of");
  alerts->require_subcommand(1);

  auto listing = std::make_shared<AlertListing>();
  auto* list = alerts->add_subcommand("list", "What fires at present, newest first");
  list->add_flag("--all", listing->all, "Also what is resolved");
  list->add_option("--limit,--max", listing->alerts_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  list->add_flag("--json", listing->as_json, "For machines, one object a line");
  scene.ChooseLook(list, [=](app::Desk& desk, const Console& console) {
    return RunAlertList(*listing, desk.alerts(), console);
  });

  auto silencing = std::make_shared<app::SilenceRequest>();
  auto* silence = alerts->add_subcommand("silence", "Mark alerts as known for a while");
  silence->add_option("KEY", silencing->pattern, "An alert's key, or how keys begin and a *")
      ->required();
  silence->add_option("--for", silencing->length, "How long, such as 2h or 7d")
      ->capture_default_str();
  silence->add_option("--reason", silencing->reason, "For those who wonder later")->required();
  scene.ChooseChange(silence,
                     [=, &services = scene.services](app::Desk& desk, const Console& console) {
                       return RunAlertSilence(*silencing, desk.alerts(), services.actor(), console);
                     });

  auto key = std::make_shared<std::string>();
  auto* resolve = alerts->add_subcommand("resolve", "The trouble is over");
  resolve->add_option("KEY", *key, "As `patra alerts list` shows it")->required();
  scene.ChooseChange(resolve, [=](app::Desk& desk, const Console& console) {
    return RunAlertResolve(*key, desk.alerts(), console);
  });
  AddExamples(*alerts,
              {{"list", {"patra alerts list", "patra alerts list --all --json"}},
               {"silence", {"patra alerts silence 'credential/*' --for 2d --reason 'known'"}},
               {"resolve", {"patra alerts resolve credential/crossref"}}});
}

}  // namespace patra::adapter::cli
