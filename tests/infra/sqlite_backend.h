#pragma once

#include "infra/sql/adjustment_repository.h"
#include "infra/sql/alert_repository.h"
#include "infra/sql/api_token_repository.h"
#include "infra/sql/archive_index.h"
#include "infra/sql/cursor_repository.h"
#include "infra/sql/duty_roster.h"
#include "infra/sql/executor_repository.h"
#include "infra/sql/heal_journal.h"
#include "infra/sql/health_reader.h"
#include "infra/sql/hold_repository.h"
#include "infra/sql/id_ledger.h"
#include "infra/sql/item_views.h"
#include "infra/sql/job_repository.h"
#include "infra/sql/outbox_repository.h"
#include "infra/sql/plan_history.h"
#include "infra/sql/plan_repository.h"
#include "infra/sql/quarantine_repository.h"
#include "infra/sql/read_side.h"
#include "infra/sql/replay_store.h"
#include "infra/sql/run_ledger.h"
#include "infra/sql/signal_repository.h"
#include "infra/sql/task_queue.h"
#include "infra/sql/update_candidates.h"
#include "infra/sqlite/store.h"
#include "tests/infra/ledger_fixture.h"
#include "tests/temporary_folder.h"

namespace patra::testing {

class SqlitePorts final : public LedgerPorts {
 public:
  SqlitePorts(std::unique_ptr<infra::sqlite::Store> store, Clock& clock, IdGenerator& ids)
      : store_(std::move(store)),
        plans_(*store_, clock, ids),
        queue_(*store_, clock, ids),
        runs_(*store_, clock, ids),
        cursors_(*store_, clock, ids),
        holds_(*store_, clock, ids),
        found_ids_(*store_),
        signals_(*store_, clock, ids),
        history_(*store_, clock),
        candidates_(*store_),
        item_views_(*store_),
        read_(*store_),
        quarantine_(*store_, clock, ids),
        health_(*store_, clock),
        journal_(*store_, ids),
        alerts_(*store_, clock, ids),
        executors_(*store_, clock),
        outbox_(*store_, clock, ids),
        jobs_(*store_, clock, ids),
        tokens_(*store_, clock, ids),
        archive_(*store_, clock, ids),
        adjustments_(*store_, clock, ids),
        duties_(*store_, clock),
        replays_(*store_, clock, ids) {}

  infra::sqlite::Store& store() { return *store_; }
  app::PlanRepository& plans() override { return plans_; }
  app::TaskQueue& queue() override { return queue_; }
  app::RunLedger& runs() override { return runs_; }
  app::CursorRepository& cursors() override { return cursors_; }
  app::HoldRepository& holds() override { return holds_; }
  app::IdLedger& found_ids() override { return found_ids_; }
  app::SignalRepository& signals() override { return signals_; }
  app::PlanHistory& history() override { return history_; }
  app::UpdateCandidates& candidates() override { return candidates_; }
  app::ItemViews& item_views() override { return item_views_; }
  contract::ReadSide& read() override { return read_; }
  app::QuarantineRepository& quarantine() override { return quarantine_; }
  app::HealthReader& health() override { return health_; }
  app::HealJournal& journal() override { return journal_; }
  app::AlertRepository& alerts() override { return alerts_; }
  app::ExecutorRepository& executors() override { return executors_; }
  app::OutboxRepository& outbox() override { return outbox_; }
  app::JobRepository& jobs() override { return jobs_; }
  app::ApiTokenRepository& tokens() override { return tokens_; }
  app::ArchiveIndex& archive() override { return archive_; }
  app::AdjustmentRepository& adjustments() override { return adjustments_; }
  app::DutyRoster& duties() override { return duties_; }
  app::ReplayStore& replays() override { return replays_; }
  std::int64_t Count(const std::string& sql) override {
    const auto count =
        store_->Read([&](infra::sql::Session& connection) { return connection.Integer(sql); });
    return count.value_or(-1);
  }

  void Execute(const std::string& sql) override {
    PATRA_ASSERT(
        store_->Write([&](infra::sql::Session& connection) { return connection.Execute(sql); })
            .has_value());
  }

 private:
  std::unique_ptr<infra::sqlite::Store> store_;
  infra::sql::PlanRepository plans_;
  infra::sql::TaskQueue queue_;
  infra::sql::RunLedger runs_;
  infra::sql::CursorRepository cursors_;
  infra::sql::HoldRepository holds_;
  infra::sql::IdLedger found_ids_;
  infra::sql::SignalRepository signals_;
  infra::sql::PlanHistory history_;
  infra::sql::UpdateCandidates candidates_;
  infra::sql::ItemViews item_views_;
  infra::sql::ReadSide read_;
  infra::sql::QuarantineRepository quarantine_;
  infra::sql::HealthReader health_;
  infra::sql::HealJournal journal_;
  infra::sql::AlertRepository alerts_;
  infra::sql::ExecutorRepository executors_;
  infra::sql::OutboxRepository outbox_;
  infra::sql::JobRepository jobs_;
  infra::sql::ApiTokenRepository tokens_;
  infra::sql::ArchiveIndex archive_;
  infra::sql::AdjustmentRepository adjustments_;
  infra::sql::DutyRoster duties_;
  infra::sql::ReplayStore replays_;
};

class SqliteBackend final : public LedgerBackend {
 public:
  std::unique_ptr<LedgerPorts> Connect(Clock& clock, IdGenerator& ids) override {
    auto store = infra::sqlite::Store::Open(
        {.path = folder_.Path("patra.db"), .synchronous_full = false}, clock);
    PATRA_ASSERT(store.has_value());
    return std::make_unique<SqlitePorts>(*std::move(store), clock, ids);
  }

 private:
  TemporaryFolder folder_;
};

inline const LedgerBackendFactory kSqlite{
    "Sqlite", [] { return std::unique_ptr<LedgerBackend>(new SqliteBackend); }};

}  // namespace patra::testing

#define RUN_ON_EVERY_LEDGER(suite)                                                        \
  INSTANTIATE_TEST_SUITE_P(Contract, suite, ::testing::Values(::patra::testing::kSqlite), \
                           [](const auto& backend) { return std::string(backend.param.name); })
