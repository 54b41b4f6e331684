// `patra harvest|backfill|update` and `patra work`.
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
  std::string base_url{};  // of a source that is to be extended
};

struct WorkCommand {
  EngineRequest engine{};
  app::WorkRequest work{};
  bool as_json = false;
};

// Puts the source at the command's base_url in place of the one that it extends, and says so where it is new.
Result<void> FindByAddress(RunCommand& command, app::SourceLibrary& library,
                           const Console& console);

// `services` know which signal asked to stop.
int RunAtOnce(const RunCommand& command, app::Operations& engine, const Services& services,
              const Clock& clock, const Console& console);
int RunWork(const WorkCommand& command, app::Operations& engine, const Services& services,
            const Clock& clock, const Console& console);

}  // namespace patra::adapter::cli
