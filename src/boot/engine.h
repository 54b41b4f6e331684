// Everything that one store and one provider need, wired together in the order of dependence.
#pragma once

#include <memory>
#include <string>

#include "adapter/cli/services.h"
#include "app/alert/alerting_log.h"
#include "app/desk/engine_operations.h"
#include "app/execute/execute_task.h"
#include "app/execute/look_at_address.h"
#include "app/execute/preview_page.h"
#include "app/heal/heal_rounds.h"
#include "app/metrics/metering_log.h"
#include "app/plan/plan_harvest.h"
#include "app/replay/replay_batch.h"
#include "base/clock.h"
#include "boot/open_store.h"
#include "boot/span_export.h"
#include "domain/gate/gate_settings.h"
#include "infra/curl/transport.h"
#include "infra/definitions/yaml_files.h"
#include "infra/gate/credential_book.h"
#include "infra/secrets/system_secrets.h"

namespace patra::boot {

struct EngineOptions {
  std::string database;                 // a path, or "sqlite:PATH"
  bool allow_loopback = false;          // providers on this machine
  std::vector<std::string> networks{};  // further networks that are not public
  adapter::cli::LogRequest log{};
  app::ExecutePolicy execute{};
  app::PlanLimits plan{};
  domain::HealPolicy heal{};
  domain::GateSettings gate{};
  domain::AtOnceSettings at_once{};
  int workers = 4;    // tasks at the same time, of this process
  bool heals = true;  // by itself, while it works
  // For as long as it lives: it plans by what is applied to the registry, and works less while the store is slow.
  bool serves = false;
  StoreUse use = StoreUse::kChange;
  app::DefinitionFiles* files = nullptr;  // where definitions are; null: in YAML files
  Duration slow_statement{};      // statements of the store that take that long are logged; 0: none
  std::string trace_endpoint{};   // a collector that takes spans; empty: none
  app::Meters* meters = nullptr;  // where what happens is counted; null: nowhere
  std::string
      credential_folder{};  // where it notes which credentials it sends with; empty: nowhere
};

class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Open(const EngineOptions& options, Clock& clock);

  app::StopRequest& stop() { return *stop_; }
  app::Log& log() { return log_; }
  app::Work& work() { return work_; }
  app::HealOnce& heal() { return heal_once_; }
  app::PreviewPage& preview() { return preview_; }
  app::ReplayBatch& replay() { return replay_; }
  app::PlanPorts plan_ports();
  app::HealPorts heal_ports();
  app::Store& store() { return *store_; }
  // What it plans by: the store's, or that of another machine.
  app::Registry& registry() { return registry_ ? *registry_ : store_->registry(); }
  app::Registry* registry_elsewhere() { return registry_.get(); }
  app::RateGate& gate() { return *gate_; }
  app::Planner& planner() { return planner_; }
  app::Secrets& secrets() { return secrets_; }
  app::Transport& transport() { return *transport_; }
  app::RateBook& rates() { return rates_; }
  const std::string& rate() const { return gate_settings_.rate; }
  // By the definitions of that folder, and those in force.
  app::SecretMaskPorts mask_ports(std::string sources_folder);
  // Of requests that name no folder, that one is meant.
  app::EngineOperations operations(std::string sources_folder, app::SecretMask& mask);

 private:
  Engine(std::unique_ptr<app::StopRequest> stop, std::unique_ptr<app::Store> store,
         std::unique_ptr<app::RateGate> gate, std::unique_ptr<infra::curl::Transport> transport,
         std::shared_ptr<app::Registry> registry, std::unique_ptr<SpanExport> spans,
         const StoreAddress& address, const EngineOptions& options, Clock& clock);

  const std::unique_ptr<app::StopRequest> stop_;  // where it is, for those made before the engine
  std::unique_ptr<app::Store> store_;
  std::shared_ptr<app::Registry> registry_;  // of another machine; null: the store's
  std::unique_ptr<app::RateGate> gate_;
  std::unique_ptr<infra::curl::Transport> transport_;
  Clock& clock_;
  const bool serves_;
  const app::PlanLimits plan_limits_;
  const domain::GateSettings gate_settings_;
  infra::definitions::YamlFiles files_;
  app::CompiledSources sources_;
  infra::secrets::SystemSecrets secrets_;
  app::Redactor redactor_;
  std::unique_ptr<app::Log> line_log_;
  app::NoMeters no_meters_;
  app::MeteringLog metering_log_;
  const std::unique_ptr<SpanExport> spans_;  // null: nobody takes any
  const std::unique_ptr<app::Log> tracing_log_;
  app::AlertingLog alerting_log_;
  app::RedactingLog log_;
  std::unique_ptr<infra::gate::CredentialBook> book_;
  app::RateBook rates_;
  app::Sender sender_;
  app::ExecuteTask execute_task_;
  app::PreviewPage preview_;
  app::LookAtAddress look_;
  // A replay raises no alerts: it writes nothing that it was not asked to write (I13).
  app::RedactingLog quiet_log_;
  app::Sender quiet_sender_;
  app::ReplayBatch replay_;
  app::PlanBackfill plan_backfill_;
  app::Planner planner_;
  app::HealOnce heal_once_;
  app::HealRounds heal_rounds_;
  app::GateWatch gate_watch_;
  app::StoreWatch store_watch_;
  app::Work work_;
};

}  // namespace patra::boot
