// The store in a database that speaks SQL.
#pragma once

#include <memory>

#include "app/port/store.h"
#include "infra/sql/adjustment_repository.h"
#include "infra/sql/alert_repository.h"
#include "infra/sql/answer_repository.h"
#include "infra/sql/api_token_repository.h"
#include "infra/sql/archive_index.h"
#include "infra/sql/cursor_repository.h"
#include "infra/sql/duty_roster.h"
#include "infra/sql/execution_repository.h"
#include "infra/sql/executor_repository.h"
#include "infra/sql/gate_ledger.h"
#include "infra/sql/heal_journal.h"
#include "infra/sql/health_reader.h"
#include "infra/sql/hold_repository.h"
#include "infra/sql/id_ledger.h"
#include "infra/sql/item_views.h"
#include "infra/sql/job_repository.h"
#include "infra/sql/node_lease.h"
#include "infra/sql/outbox_repository.h"
#include "infra/sql/plan_history.h"
#include "infra/sql/plan_repository.h"
#include "infra/sql/quarantine_repository.h"
#include "infra/sql/query_book.h"
#include "infra/sql/rate_history.h"
#include "infra/sql/read_side.h"
#include "infra/sql/registry.h"
#include "infra/sql/replay_store.h"
#include "infra/sql/run_ledger.h"
#include "infra/sql/signal_repository.h"
#include "infra/sql/task_queue.h"
#include "infra/sql/update_candidates.h"

namespace patra::infra::sql {

class SqlStore final : public app::Store {
 public:
  // For those who change something. Takes the number with which this process makes ids.
  // The registry is that of the release, where one is named.
  static Result<std::unique_ptr<SqlStore>> Open(std::unique_ptr<Database> database, Clock& clock,
                                                std::string release = {});

  // For those who only look: nothing is written. One that is not yet whole is not shown.
  static Result<std::unique_ptr<SqlStore>> OpenForLooking(std::unique_ptr<Database> database,
                                                          Clock& clock, std::string release = {});

  Database& database() { return *database_; }

  IdGenerator& ids() override { return ids_; }
  Clock& clock() override { return clock_; }
  const std::string& mask_key() override { return mask_key_; }
  app::Registry& registry() override { return registry_; }
  app::PlanRepository& plans() override { return plans_; }
  app::PlanHistory& history() override { return history_; }
  app::QueryBook& queries() override { return queries_; }
  app::TaskQueue& queue() override { return queue_; }
  app::RunLedger& runs() override { return runs_; }
  app::IdLedger& found_ids() override { return found_ids_; }
  app::CursorRepository& cursors() override { return cursors_; }
  app::SignalRepository& signals() override { return signals_; }
  app::UpdateCandidates& candidates() override { return candidates_; }
  app::QuarantineRepository& quarantine() override { return quarantine_; }
  app::HoldRepository& holds() override { return holds_; }
  app::AdjustmentRepository& adjustments() override { return adjustments_; }
  app::HealthReader& health() override { return health_; }
  app::HealJournal& journal() override { return journal_; }
  app::DutyRoster& duties() override { return duties_; }
  app::AlertRepository& alerts() override { return alerts_; }
  app::ExecutorRepository& executors() override { return executors_; }
  app::GateLedger& gate_ledger() override { return gate_ledger_; }
  app::ReplayStore& replays() override { return replays_; }
  app::ItemViews& item_views() override { return item_views_; }
  app::OutboxRepository& outbox() override { return outbox_; }
  app::JobRepository& jobs() override { return jobs_; }
  app::ExecutionRepository& executions() override { return executions_; }
  app::ApiTokenRepository& tokens() override { return tokens_; }
  app::AnswerRepository& answers() override { return answers_; }
  app::ArchiveIndex& archive() override { return archive_; }
  app::RateHistory& rates() override { return rates_; }
  contract::ReadSide& read() override { return read_; }

 private:
  SqlStore(std::unique_ptr<Database> database, std::unique_ptr<NodeLease> node, Clock& clock,
           std::string release, std::string mask_key);

  std::unique_ptr<Database> database_;
  std::unique_ptr<NodeLease> node_;
  Clock& clock_;
  const std::string mask_key_;
  IdGenerator ids_;
  Registry registry_;
  PlanRepository plans_;
  PlanHistory history_;
  QueryBook queries_;
  TaskQueue queue_;
  RunLedger runs_;
  IdLedger found_ids_;
  CursorRepository cursors_;
  SignalRepository signals_;
  UpdateCandidates candidates_;
  QuarantineRepository quarantine_;
  HoldRepository holds_;
  AdjustmentRepository adjustments_;
  HealthReader health_;
  HealJournal journal_;
  DutyRoster duties_;
  AlertRepository alerts_;
  ExecutorRepository executors_;
  GateLedger gate_ledger_;
  ReplayStore replays_;
  ItemViews item_views_;
  OutboxRepository outbox_;
  JobRepository jobs_;
  ExecutionRepository executions_;
  ApiTokenRepository tokens_;
  AnswerRepository answers_;
  ArchiveIndex archive_;
  RateHistory rates_;
  ReadSide read_;
};

}  // namespace patra::infra::sql
