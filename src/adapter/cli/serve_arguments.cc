#include "adapter/cli/serve_arguments.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/cells.h"
#include "adapter/cli/command_family.h"
#include "adapter/cli/doctor_command.h"
#include "adapter/cli/run_arguments.h"
#include "adapter/cli/serve_command.h"

namespace patra::adapter::cli {
namespace {

void AddDoctor(CLI::App& app, const Scene& scene) {
  auto as_json = std::make_shared<bool>(false);
  auto* doctor = app.add_subcommand(
      "doctor",
      "Look over what a service here would go by: store, disk, clock, sources, gate, "
      "certificate");
  doctor->add_flag("--json", *as_json, "For machines, one object a line");
  scene.ChooseGlobals(
      doctor, [=, &services = scene.services](const Globals& settled, const Console& console) {
        return PrintCheckup(services.LookOver({.store = {.database = settled.database,
                                                         .sources_folder = settled.sources_folder,
                                                         .gate = settled.gate},
                                               .configuration = settled.configuration}),
                            *as_json, console);
      });
}

}  // namespace

void AddServe(CLI::App& app, const Scene& scene) {
  auto request = std::make_shared<ServeRequest>();
  auto* serve = app.add_subcommand(
      "serve", "The service: schedules, plans, works and answers until it is told to end");
  serve
      ->add_option("--roles", request->roles,
                   "What this process does, divided by commas: scheduler, planner, executor, api; "
                   "default: all")
      ->type_name("ROLES");
  serve
      ->add_option(
          "--listen", request->listen,
          "Where the API listens; default: 127.0.0.1:8470. Whoever listens elsewhere lets in "
          "those who have a token, see `patra token`")
      ->type_name("ADDRESS:PORT");
  serve
      ->add_option("--db-read", request->read_from,
                   "A replica of the store that the API reads for whoever looks")
      ->type_name("URL");
  serve->add_option("--concurrency", request->concurrency, "How many tasks run at the same time")
      ->check(CLI::Range(1, 64));
  AddEngineOptions(*serve, request->engine);
  scene.ChooseGlobals(
      serve, [=, &services = scene.services](const Globals& settled, const Console& console) {
        auto filled = *request;
        filled.engine = Filled(request->engine, settled, console);
        return RunServe(filled, services, console);
      });
  AddDoctor(app, scene);
  AddExamples(app, {{"serve",
                     {"patra serve", "patra serve --roles api --listen 127.0.0.1:8471",
                      "patra serve --roles executor --concurrency 8",
                      "patra serve --roles api --db mysql://patra@db/patra --db-read "
                      "mysql://reader@replica/patra"}},
                    {"doctor", {"patra doctor", "patra doctor --db mysql://patra@db/patra"}}});
}

}  // namespace patra::adapter::cli
