#include "adapter/cli/alert_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/alert_command.h"

namespace patra::adapter::cli {

void AddAlerts(CLI::App& app, AlertServices& services, const std::shared_ptr<std::string>& database,
               Chosen& chosen) {
  auto* alerts = app.add_subcommand("alerts", "Trouble that people should know of");
  alerts->require_subcommand(1);

  auto listing = std::make_shared<AlertListing>();
  auto* list = alerts->add_subcommand("list", "What fires at present, newest first");
  list->add_flag("--all", listing->all, "Also what is resolved");
  list->add_option("--max", listing->alerts_max, "At most so many")
      ->capture_default_str()
      ->check(CLI::Range(1, 10'000));
  list->add_flag("--json", listing->as_json, "For machines, one object a line");
  list->callback([=, &services, &chosen] {
    listing->database = *database;
    chosen = [=, &services](const Console& console) {
      return RunAlertList(*listing, services, console);
    };
  });

  auto silencing = std::make_shared<SilenceRequest>();
  auto* silence = alerts->add_subcommand("silence", "Mark alerts as known for a while");
  silence->add_option("KEY", silencing->pattern, "An alert's key, or how keys begin and a *")
      ->required();
  silence->add_option("--for", silencing->length, "How long, such as 2h or 7d")
      ->capture_default_str();
  silence->add_option("--reason", silencing->reason, "For those who wonder later")->required();
  silence->callback([=, &services, &chosen] {
    silencing->database = *database;
    chosen = [=, &services](const Console& console) {
      return RunAlertSilence(*silencing, services, console);
    };
  });

  auto resolution = std::make_shared<AlertResolution>();
  auto* resolve = alerts->add_subcommand("resolve", "The trouble is over");
  resolve->add_option("KEY", resolution->key, "As `patra alerts list` shows it")->required();
  resolve->callback([=, &services, &chosen] {
    resolution->database = *database;
    chosen = [=, &services](const Console& console) {
      return RunAlertResolve(*resolution, services, console);
    };
  });
}

}  // namespace patra::adapter::cli
