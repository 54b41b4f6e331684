// `patra harvest|backfill|update`, `patra work` and `patra source preview`.
#pragma once

#include "adapter/cli/console.h"
#include "adapter/cli/plan_command.h"
#include "adapter/cli/run_services.h"
#include "base/clock.h"

namespace patra::adapter::cli {

struct RunCommand {
  RunRequest request{};
  PlanCommand plan{};  // what the plan's own options fill
};

struct WorkCommand {
  WorkRequest request{};
  bool as_json = false;
};

struct PreviewCommand {
  PreviewRequest request{};
  PlanCommand plan{};
};

int RunAtOnce(const RunCommand& command, RunServices& services, PlanServices& plans,
              const Clock& clock, const Console& console);
int RunWork(const WorkCommand& command, RunServices& services, const Clock& clock,
            const Console& console);
int RunPreview(const PreviewCommand& command, RunServices& services, const Console& console);

}  // namespace patra::adapter::cli
