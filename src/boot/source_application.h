#pragma once

#include "adapter/cli/source_services.h"
#include "app/source/sources.h"
#include "infra/definitions/yaml_files.h"
#include "infra/secrets/system_secrets.h"

namespace patra::boot {

// What the command line can ask about sources.
class SourceApplication final : public adapter::cli::SourceServices {
 public:
  Result<std::vector<app::SourceSummary>> ListSources(const std::string& folder) override;
  Result<app::SourceCheck> CheckSources(const std::string& folder,
                                        const std::optional<std::string>& source) override;
  Result<app::CompiledReport> CompileSource(const std::string& folder, const std::string& target,
                                            const std::vector<std::string>& overrides) override;
  Result<std::vector<app::ExchangeReport>> TestSource(const std::string& folder,
                                                      const std::string& source) override;
  Result<std::string> ReadDefinition(const std::string& folder, const std::string& source) override;
  std::string SourceSchema() override;
  Result<void> PauseSource(const adapter::cli::PauseRequest& request) override;
  Result<bool> ResumeSource(const adapter::cli::PauseRequest& request) override;
  Result<adapter::cli::RegistryReport> ApplyToRegistry(
      const adapter::cli::RegistryRequest& request) override;
  Result<adapter::cli::RegistryReport> CompareWithRegistry(
      const adapter::cli::RegistryRequest& request) override;
  Result<std::vector<std::pair<std::string, std::string>>> ExportRegistry(
      const adapter::cli::RegistryRequest& request) override;

  // The folder itself; where none is named, the shipped one, else ./sources.
  static std::string FolderOf(const std::string& folder);

 private:
  app::Sources In(const std::string& folder) { return {files_, FolderOf(folder), &secrets_}; }

  infra::definitions::YamlFiles files_;
  infra::secrets::SystemSecrets secrets_;
};

}  // namespace patra::boot
