#pragma once

#include "adapter/cli/plan_services.h"
#include "infra/definitions/yaml_files.h"

namespace patra::boot {

// What the command line can ask of the planner.
class PlanApplication final : public adapter::cli::PlanServices {
 public:
  Result<app::PlanReport> Plan(const std::string& database, const std::string& configuration,
                               const app::PlanRequest& request) override;
  Result<app::SettingsReport> PlanPolicy(const std::string& configuration) override;
  Result<adapter::cli::CancelReport> Cancel(const adapter::cli::CancelRequest& request) override;

 private:
  infra::definitions::YamlFiles files_;
};

}  // namespace patra::boot
