// `patra plan harvest|backfill|update|policy` and `patra plan|slice|task cancel`.
#pragma once

#include <optional>
#include <string>

#include "adapter/cli/console.h"
#include "adapter/cli/plan_services.h"

namespace patra::adapter::cli {

struct PlanCommand {
  std::string database{};
  std::string configuration{};
  app::PlanRequest request{};
  std::optional<std::string> ids_file{};  // one id a line; - is standard input
  bool as_json = false;
};

// The request with the ids of its file.
Result<app::PlanRequest> PreparePlan(const PlanCommand& command, const Console& console);

int RunPlan(const PlanCommand& command, PlanServices& services, const Console& console);
int RunPlanPolicy(const PlanCommand& command, PlanServices& services, const Console& console);
int RunCancel(const CancelRequest& request, PlanServices& services, const Console& console);

}  // namespace patra::adapter::cli
