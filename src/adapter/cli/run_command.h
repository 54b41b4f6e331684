// `patra harvest|backfill|update`, `patra work` and `patra source preview`.
#pragma once

#include "adapter/cli/console.h"
#include "adapter/cli/plan_command.h"
#include "adapter/cli/services.h"
#include "base/clock.h"

namespace patra::adapter::cli {

struct RunCommand {
  EngineRequest engine{};
  PlanCommand plan{};
  app::WorkRequest work{.drain = true};
};

struct WorkCommand {
  EngineRequest engine{};
  app::WorkRequest work{};
  bool as_json = false;
};

struct PreviewCommand {
  EngineRequest engine{};
  PlanCommand plan{};
  std::int64_t records_max = 3;
};

// `services` know which signal asked to stop.
int RunAtOnce(const RunCommand& command, app::Operations& engine, const Services& services,
              const Clock& clock, const Console& console);
int RunWork(const WorkCommand& command, app::Operations& engine, const Services& services,
            const Clock& clock, const Console& console);
int RunPreview(const PreviewCommand& command, app::Operations& engine, const Console& console);

}  // namespace patra::adapter::cli
