#include "adapter/cli/scene.h"

#include <CLI/CLI.hpp>

#include "adapter/cli/cells.h"

namespace patra::adapter::cli {

void Scene::Choose(CLI::App* sub, Chosen run) const {
  sub->callback([run = std::move(run), &chosen = chosen] { chosen = run; });
}

void Scene::ChooseLook(CLI::App* sub, AtDesk run) const {
  ChooseDesk(sub, [] { return StoreRequest{}; }, std::move(run));
}

void Scene::ChooseChange(CLI::App* sub, AtDesk run) const {
  ChooseDesk(sub, [] { return StoreRequest{.changes = true}; }, std::move(run));
}

void Scene::ChooseDesk(CLI::App* sub, std::function<StoreRequest()> request, AtDesk run) const {
  Choose(sub, [=, database = database, &services = services](const Console& console) {
    auto store = request();
    store.database = *database;
    const auto desk = services.OpenDesk(store);
    return desk ? run(**desk, console) : Told(console, desk.error());
  });
}

void Scene::ChooseEngine(CLI::App* sub, std::function<EngineRequest()> request,
                         WithEngine run) const {
  Choose(sub, [=, database = database, &services = services](const Console& console) {
    auto asked = request();
    asked.database = *database;
    const auto engine = services.OpenEngine(asked);
    return engine ? run(**engine, console) : Told(console, engine.error());
  });
}

}  // namespace patra::adapter::cli
