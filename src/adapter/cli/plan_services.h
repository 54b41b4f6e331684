// What the command line asks of the planner; boot provides it.
#pragma once

#include <cstdint>
#include <string>

#include "app/plan/plan_request.h"
#include "app/settings/settings_report.h"
#include "base/id.h"
#include "base/result.h"

namespace patra::adapter::cli {

struct CancelRequest {
  enum class Kind { kPlan, kSlice, kTask };

  std::string database;
  Kind kind = Kind::kPlan;
  Id id = 0;
  std::string reason;
};

struct CancelReport {
  std::int64_t slices = 0;
  std::int64_t tasks = 0;
};

class PlanServices {
 public:
  virtual ~PlanServices() = default;

  // `configuration` is a file; empty: the usual one, where it exists.
  virtual Result<app::PlanReport> Plan(const std::string& database,
                                       const std::string& configuration,
                                       const app::PlanRequest& request) = 0;
  virtual Result<app::SettingsReport> PlanPolicy(const std::string& configuration) = 0;
  virtual Result<CancelReport> Cancel(const CancelRequest& request) = 0;
};

}  // namespace patra::adapter::cli
