// What the command line asks of the planner; boot provides it.
#pragma once

#include <cstdint>
#include <string>

#include "app/plan/plan_request.h"
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

  virtual Result<app::PlanReport> Plan(const std::string& database,
                                       const app::PlanRequest& request) = 0;
  virtual Result<CancelReport> Cancel(const CancelRequest& request) = 0;
};

}  // namespace patra::adapter::cli
