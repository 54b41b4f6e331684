// Everything that one store and one provider need, wired together in the order of dependence.
#pragma once

#include <memory>
#include <string>

#include "app/alert/alerting_log.h"
#include "app/execute/execute_task.h"
#include "app/execute/preview_page.h"
#include "app/harvest/run_harvest.h"
#include "app/heal/heal_rounds.h"
#include "app/plan/plan_harvest.h"
#include "app/replay/replay_batch.h"
#include "base/clock.h"
#include "base/id.h"
#include "infra/curl/transport.h"
#include "infra/gate/credential_book.h"
#include "infra/gate/rate_gate.h"
#include "infra/log/json_log.h"
#include "infra/secrets/system_secrets.h"
#include "infra/sqlite/adjustment_repository.h"
#include "infra/sqlite/alert_repository.h"
#include "infra/sqlite/cursor_repository.h"
#include "infra/sqlite/duty_roster.h"
#include "infra/sqlite/executor_repository.h"
#include "infra/sqlite/gate_ledger.h"
#include "infra/sqlite/heal_journal.h"
#include "infra/sqlite/health_reader.h"
#include "infra/sqlite/hold_repository.h"
#include "infra/sqlite/id_ledger.h"
#include "infra/sqlite/plan_history.h"
#include "infra/sqlite/plan_repository.h"
#include "infra/sqlite/quarantine_repository.h"
#include "infra/sqlite/replay_store.h"
#include "infra/sqlite/run_ledger.h"
#include "infra/sqlite/signal_repository.h"
#include "infra/sqlite/store.h"
#include "infra/sqlite/task_queue.h"
#include "infra/sqlite/update_candidates.h"

namespace patra::boot {

// The rate gate's state lies beside the store.
std::string GateFileOf(const std::string& database_file);

struct EngineOptions {
  std::string database_file;
  bool allow_loopback = false;          // providers on this machine
  std::vector<std::string> networks{};  // further networks that are not public
  app::LogLevel log_level = app::LogLevel::kWarn;
  app::ExecutePolicy execute{};
  app::PlanLimits plan{};
  domain::HealPolicy heal{};
  bool heals = true;  // by itself, while it works
  std::string
      credential_folder{};  // where it notes which credentials it sends with; empty: nowhere
};

class Engine {
 public:
  static Result<std::unique_ptr<Engine>> Open(const EngineOptions& options, Clock& clock);

  app::RunHarvest& harvest() { return harvest_; }
  app::StopRequest& stop() { return stop_; }
  app::Work& work() { return work_; }
  app::HealOnce& heal() { return heal_once_; }
  app::PreviewPage& preview() { return preview_; }
  app::ReplayBatch& replay() { return replay_; }
  app::PlanPorts plan_ports();
  const app::PlanLimits& plan_limits() const { return plan_limits_; }
  app::HealPorts heal_ports();
  infra::sqlite::Store& store() { return *store_; }
  app::RateGate& gate() { return *gate_; }
  app::GateLedger& gate_ledger() { return *gate_ledger_; }

 private:
  Engine(std::unique_ptr<infra::sqlite::Store> store,
         std::unique_ptr<infra::sqlite::GateLedger> gate_ledger,
         std::unique_ptr<infra::gate::RateGate> gate,
         std::unique_ptr<infra::curl::Transport> transport, const EngineOptions& options,
         Clock& clock);

  std::unique_ptr<infra::sqlite::Store> store_;
  std::unique_ptr<infra::sqlite::GateLedger> gate_ledger_;
  std::unique_ptr<infra::gate::RateGate> gate_;
  std::unique_ptr<infra::curl::Transport> transport_;
  Clock& clock_;
  const app::PlanLimits plan_limits_;
  IdGenerator ids_;
  app::CompiledSources sources_;
  infra::sqlite::PlanRepository plans_;
  infra::sqlite::CursorRepository cursors_;
  infra::sqlite::TaskQueue queue_;
  infra::sqlite::RunLedger runs_;
  infra::sqlite::IdLedger id_ledger_;
  infra::sqlite::HoldRepository holds_;
  infra::sqlite::AdjustmentRepository adjustments_;
  infra::sqlite::PlanHistory history_;
  infra::sqlite::SignalRepository signals_;
  infra::sqlite::UpdateCandidates candidates_;
  infra::sqlite::QuarantineRepository quarantine_;
  app::PlanHarvest plan_harvest_;
  infra::secrets::SystemSecrets secrets_;
  app::Redactor redactor_;
  infra::log::JsonLog json_log_;
  infra::sqlite::AlertRepository alerts_;
  app::AlertingLog alerting_log_;
  app::RedactingLog log_;
  app::StopRequest stop_;
  std::unique_ptr<infra::gate::CredentialBook> book_;
  app::Sender sender_;
  app::ExecuteTask execute_task_;
  app::PreviewPage preview_;
  // A replay raises no alerts: it writes nothing that it was not asked to write (I13).
  app::RedactingLog quiet_log_;
  app::Sender quiet_sender_;
  infra::sqlite::ReplayStore replays_;
  app::ReplayBatch replay_;
  infra::sqlite::HealthReader health_;
  infra::sqlite::HealJournal journal_;
  infra::sqlite::DutyRoster duties_;
  infra::sqlite::ExecutorRepository executors_;
  app::PlanBackfill plan_backfill_;
  app::HealOnce heal_once_;
  app::HealRounds heal_rounds_;
  app::Work work_;
  app::RunHarvest harvest_;
};

}  // namespace patra::boot
