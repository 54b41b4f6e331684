// Plans nothing: answers with what the test prepared and remembers what it was asked.
#pragma once

#include "adapter/cli/plan_services.h"

namespace patra::adapter::cli {

class FakePlans final : public PlanServices {
 public:
  Result<app::PlanReport> Plan(const std::string& database,
                               const app::PlanRequest& request) override {
    asked = request;
    asked_database = database;
    return report;
  }
  Result<CancelReport> Cancel(const CancelRequest& request) override {
    cancelled = request;
    return CancelReport{.slices = 2, .tasks = 2};
  }

  app::PlanRequest asked;
  std::string asked_database;
  CancelRequest cancelled;
  Result<app::PlanReport> report = app::PlanReport{};
};

}  // namespace patra::adapter::cli
