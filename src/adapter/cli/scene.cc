#include "adapter/cli/scene.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/cells.h"
#include "adapter/cli/live_line.h"

namespace patra::adapter::cli {

EngineRequest Filled(EngineRequest request, const Globals& globals, const Console& console) {
  request.database = globals.database;
  request.sources_folder = globals.sources_folder;
  request.configuration = globals.configuration;
  request.gate = globals.gate;
  request.release = globals.release;
  request.registry = globals.registry;
  request.allow_loopback = request.allow_loopback || globals.allow_loopback;
  request.networks.insert(request.networks.end(), globals.networks.begin(), globals.networks.end());
  request.log = LogFor(globals, console);
  return request;
}

void Scene::Choose(CLI::App* sub, Chosen run) const {
  sub->callback([run = std::move(run), &chosen = chosen] { chosen = run; });
}

void Scene::ChooseLook(CLI::App* sub, AtDesk run) const {
  ChooseDesk(sub, [] { return StoreRequest{}; }, std::move(run));
}

void Scene::ChooseChange(CLI::App* sub, AtDesk run) const {
  ChooseDesk(sub, [] { return StoreRequest{.changes = true}; }, std::move(run));
}

void Scene::ChooseGlobals(CLI::App* sub, WithGlobals run) const {
  Choose(sub, [=, globals = globals, &services = services](const Console& console) {
    const auto settled = globals->Settle(services);
    return settled ? run(*settled, console) : PrintError(console, settled.error());
  });
}

void Scene::ChooseDesk(CLI::App* sub, std::function<StoreRequest()> request, AtDesk run) const {
  ChooseGlobals(sub, [=, &services = services](const Globals& settled, const Console& console) {
    auto store = request();
    store.database = settled.database;
    store.configuration = settled.configuration;
    store.sources_folder = settled.sources_folder;
    store.gate = settled.gate;
    store.release = settled.release;
    store.registry = settled.registry;
    store.registry_token = settled.registry_token;
    const auto desk = services.OpenDesk(store);
    return desk ? run(**desk, console) : PrintError(console, desk.error());
  });
}

void Scene::ChooseEngine(CLI::App* sub, std::function<EngineRequest()> request,
                         WithEngine run) const {
  ChooseGlobals(sub, [=, &services = services](const Globals& settled, const Console& plain) {
    LiveLine line(plain);
    auto console = plain;
    console.line = &line;
    const auto engine = services.OpenEngine(Filled(request(), settled, console));
    return engine ? run(**engine, console) : PrintError(console, engine.error());
  });
}

}  // namespace patra::adapter::cli
