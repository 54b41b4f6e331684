// `patra source preview`: what a definition brings, before anything is harvested with it.
#pragma once

#include "adapter/cli/console.h"
#include "adapter/cli/plan_command.h"
#include "adapter/cli/services.h"

namespace patra::adapter::cli {

struct PreviewCommand {
  EngineRequest engine{};
  PlanCommand plan{};
  app::PreviewWish wish{.records_max = 3};
  bool as_json = false;
};

int RunPreview(const PreviewCommand& command, app::Operations& engine, const Console& console);

}  // namespace patra::adapter::cli
