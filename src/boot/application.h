#pragma once

#include "adapter/cli/services.h"
#include "infra/definitions/yaml_files.h"
#include "infra/secrets/system_secrets.h"

namespace patra::boot {

// What the command line is given.
class Application final : public adapter::cli::Services {
 public:
  domain::Actor actor() const override;
  Result<std::shared_ptr<app::Desk>> OpenDesk(const adapter::cli::StoreRequest& request) override;
  Result<std::shared_ptr<app::Operations>> OpenEngine(
      const adapter::cli::EngineRequest& request) override;
  std::unique_ptr<app::SourceLibrary> OpenLibrary(const std::string& folder) override;
  Result<app::SettingsReport> Settings(const std::string& section,
                                       const std::string& configuration) override;
  Result<adapter::cli::DatabaseReport> MigrateDatabase(const std::string& database) override;
  Result<adapter::cli::DatabaseReport> CheckDatabase(const std::string& database) override;
  Result<void> BackUpDatabase(const std::string& database, const std::string& target) override;
  Result<void> RestoreDatabase(const std::string& backup, const std::string& database) override;
  Result<contract::StorePromotion> PromoteDatabase(const adapter::cli::PromotionRequest& request,
                                                   const OnPromotion& on_progress) override;
  Result<std::string> GiveUpPromotion(const std::string& database) override;
  Result<adapter::cli::DemoReport> Demo(const adapter::cli::DemoRequest& request,
                                        const OnDemoProgress& on_progress) override;
  Result<adapter::cli::ServeReport> Serve(const adapter::cli::ServeRequest& request,
                                          const OnServing& on_serving) override;
  app::CheckupLines LookOver(const adapter::cli::CheckupRequest& request) override;
  std::optional<int> StoppedBySignal() const override;

 private:
  infra::definitions::YamlFiles files_;
  infra::secrets::SystemSecrets secrets_;
};

}  // namespace patra::boot
