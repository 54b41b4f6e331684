// `patra plan harvest|backfill|update` and `patra plan|slice|task cancel`.
#pragma once

#include <optional>
#include <string>

#include "adapter/cli/cells.h"
#include "adapter/cli/console.h"
#include "app/api/corrections.h"
#include "app/api/operations.h"

namespace patra::adapter::cli {

struct PlanCommand {
  app::PlanRequest request{};
  std::optional<std::string> ids_file{};  // one id a line; - is standard input
  bool as_json = false;
};

// The request with the ids of its file.
Result<app::PlanRequest> PreparePlan(const PlanCommand& command, const Console& console);

// What became of plans by an earlier definition.
void PrintOlder(const app::Planned& planned, const NamedLines& lines);

int RunPlan(const PlanCommand& command, app::Operations& engine, const Console& console);
int RunCancel(const app::CancelRequest& request, app::Corrections& corrections,
              const domain::Actor& actor, const Console& console);

}  // namespace patra::adapter::cli
