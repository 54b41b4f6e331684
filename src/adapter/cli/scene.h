// What the arguments of every command need, and how a command is chosen: it runs after the whole line is understood.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/global_options.h"
#include "adapter/cli/services.h"
#include "base/clock.h"

namespace CLI {
class App;
}

namespace patra::adapter::cli {

using Chosen = std::function<int(const Console&)>;

struct Scene {
  using AtDesk = std::function<int(app::Desk&, const Console&)>;
  using WithEngine = std::function<int(app::Operations&, const Console&)>;
  using WithGlobals = std::function<int(const Globals&, const Console&)>;

  Services& services;
  const Clock& clock;
  std::shared_ptr<const GlobalOptions> globals;
  Chosen& chosen;

  void Choose(CLI::App* sub, Chosen run) const;

  // Each opens first, and tells why where it cannot.
  void ChooseLook(CLI::App* sub, AtDesk run) const;
  void ChooseChange(CLI::App* sub, AtDesk run) const;
  // What every command goes by is filled in.
  void ChooseGlobals(CLI::App* sub, WithGlobals run) const;
  void ChooseDesk(CLI::App* sub, std::function<StoreRequest()> request, AtDesk run) const;
  void ChooseEngine(CLI::App* sub, std::function<EngineRequest()> request, WithEngine run) const;
};

// The request with what every command goes by.
EngineRequest Filled(EngineRequest request, const Globals& globals, const Console& console);

}  // namespace patra::adapter::cli
