#pragma once

#include "adapter/cli/services.h"
#include "boot/alert_application.h"
#include "boot/heal_application.h"
#include "boot/ledger_application.h"
#include "boot/plan_application.h"
#include "boot/replay_application.h"
#include "boot/run_application.h"
#include "boot/source_application.h"

namespace patra::boot {

// What the command line can ask for.
class Application final : public adapter::cli::Services {
 public:
  Result<adapter::cli::DemoReport> Demo(const adapter::cli::DemoRequest& request,
                                        const OnDemoProgress& on_progress) override;
  Result<adapter::cli::DatabaseReport> MigrateDatabase(const std::string& database) override;
  Result<adapter::cli::DatabaseReport> CheckDatabase(const std::string& database) override;
  Result<void> BackUpDatabase(const std::string& database, const std::string& target) override;
  Result<void> RestoreDatabase(const std::string& backup, const std::string& database) override;
  adapter::cli::HealServices& healing() override { return healing_; }
  adapter::cli::ReplayServices& replays() override { return replays_; }
  adapter::cli::AlertServices& alerts() override { return alerts_; }
  adapter::cli::RunServices& runs() override { return runs_; }
  adapter::cli::SourceServices& sources() override { return sources_; }
  adapter::cli::PlanServices& plans() override { return plans_; }
  adapter::cli::LedgerServices& ledger() override { return ledger_; }
  Result<std::vector<adapter::cli::GateKeyReport>> ListGate(const std::string& database) override;
  Result<void> ResetGate(const std::string& database, const std::string& key) override;

 private:
  SourceApplication sources_;
  RunApplication runs_;
  PlanApplication plans_;
  LedgerApplication ledger_;
  HealApplication healing_;
  AlertApplication alerts_;
  ReplayApplication replays_;
};

}  // namespace patra::boot
