// Plans nothing: answers with what the test prepared and remembers what it was asked.
#pragma once

#include "adapter/cli/plan_services.h"

namespace patra::adapter::cli {

class FakePlans final : public PlanServices {
 public:
  Result<app::PlanReport> Plan(const std::string& database, const std::string& configuration,
                               const app::PlanRequest& request) override {
    asked = request;
    asked_configuration = configuration;
    asked_database = database;
    return report;
  }
  Result<app::SettingsReport> PlanPolicy(const std::string& configuration) override {
    return app::SettingsReport{
        .configuration = configuration,
        .settings = {{.name = "open_tasks_max", .value = "50", .usual = "1000", .doc = "d"}}};
  }
  Result<CancelReport> Cancel(const CancelRequest& request) override {
    cancelled = request;
    return CancelReport{.slices = 2, .tasks = 2};
  }

  app::PlanRequest asked;
  std::string asked_database;
  std::string asked_configuration;
  CancelRequest cancelled;
  Result<app::PlanReport> report = app::PlanReport{};
};

}  // namespace patra::adapter::cli
