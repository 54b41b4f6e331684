#pragma once

#include "adapter/cli/heal_services.h"
#include "domain/spec/definition.h"
#include "infra/definitions/yaml_files.h"

namespace patra::boot {

struct CommandStore;

// What the command line can ask about trouble.
class HealApplication final : public adapter::cli::HealServices {
 public:
  Result<std::vector<domain::QuarantineEntry>> ListQuarantine(
      const std::string& database, const domain::QuarantineFilter& filter,
      int entries_max) override;
  Result<std::vector<domain::QuarantineKind>> CountQuarantine(
      const std::string& database, domain::QuarantineStatus status) override;
  Result<domain::QuarantinedBytes> ShowQuarantine(const std::string& database, Id id) override;
  Result<std::vector<adapter::cli::QuarantineReport>> DecideQuarantine(
      const adapter::cli::QuarantineRequest& request) override;
  Result<bool> ReleaseId(const adapter::cli::TargetRequest& request) override;
  Result<std::vector<domain::Hold>> ListFuses(const std::string& database) override;
  Result<void> ResetFuse(const adapter::cli::TargetRequest& request) override;
  Result<bool> AddSignal(const adapter::cli::SignalRequest& request) override;
  Result<std::vector<domain::Signal>> ListSignals(const std::string& database,
                                                  const std::string& status,
                                                  int signals_max) override;
  Result<std::vector<domain::HealEntry>> HealLog(const std::string& database,
                                                 const std::string& source,
                                                 const std::string& since,
                                                 int entries_max) override;
  Result<std::vector<domain::HealEntry>> HealRun(const std::string& database,
                                                 const std::string& configuration) override;
  Result<app::SettingsReport> HealPolicy(const std::string& configuration) override;
  Result<std::vector<domain::Adjustment>> ListAdjustments(const std::string& database) override;
  Result<bool> TakeBackAdjustment(const adapter::cli::TargetRequest& request) override;

 private:
  Result<std::vector<domain::DefinitionNode>> Definitions(CommandStore& open,
                                                          const std::string& sources_folder);

  infra::definitions::YamlFiles files_;
};

}  // namespace patra::boot
