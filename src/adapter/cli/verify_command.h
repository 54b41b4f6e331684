// `patra verify`: the completeness certificate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "adapter/cli/console.h"
#include "adapter/cli/ledger_services.h"
#include "adapter/cli/plan_services.h"
#include "base/clock.h"

namespace patra::adapter::cli {

struct VerifyRequest {
  std::string database;
  std::string target;  // SOURCE or SOURCE/ENDPOINT
  std::optional<std::string> from;
  std::optional<std::string> to;
  bool as_json = false;
  bool repair = false;  // plan what is missing
  // For --repair.
  std::string sources_folder{};
  std::string configuration{};
  std::vector<std::string> overrides{};
};

// kComplete where everything is proven, kQuarantined where it is but for records in quarantine, kFailed with
// gaps.
int RunVerify(const VerifyRequest& request, LedgerServices& services, PlanServices& plans,
              const Clock& clock, const Console& console);

}  // namespace patra::adapter::cli
