#pragma once

#include "infra/sqlite/adjustment_repository.h"
#include "infra/sqlite/alert_repository.h"
#include "infra/sqlite/api_token_repository.h"
#include "infra/sqlite/archive_index.h"
#include "infra/sqlite/cursor_repository.h"
#include "infra/sqlite/duty_roster.h"
#include "infra/sqlite/executor_repository.h"
#include "infra/sqlite/heal_journal.h"
#include "infra/sqlite/health_reader.h"
#include "infra/sqlite/hold_repository.h"
#include "infra/sqlite/id_ledger.h"
#include "infra/sqlite/item_views.h"
#include "infra/sqlite/job_repository.h"
#include "infra/sqlite/outbox_repository.h"
#include "infra/sqlite/plan_history.h"
#include "infra/sqlite/plan_repository.h"
#include "infra/sqlite/quarantine_repository.h"
#include "infra/sqlite/read_side.h"
#include "infra/sqlite/replay_store.h"
#include "infra/sqlite/run_ledger.h"
#include "infra/sqlite/signal_repository.h"
#include "infra/sqlite/store.h"
#include "infra/sqlite/task_queue.h"
#include "infra/sqlite/update_candidates.h"
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
    const auto count = store_->Read(
        [&](infra::sqlite::Connection& connection) { return connection.Integer(sql); });
    return count.value_or(-1);
  }

  void Execute(const std::string& sql) override {
    PATRA_ASSERT(
        store_
            ->Write([&](infra::sqlite::Connection& connection) { return connection.Execute(sql); })
            .has_value());
  }

 private:
  std::unique_ptr<infra::sqlite::Store> store_;
  infra::sqlite::PlanRepository plans_;
  infra::sqlite::TaskQueue queue_;
  infra::sqlite::RunLedger runs_;
  infra::sqlite::CursorRepository cursors_;
  infra::sqlite::HoldRepository holds_;
  infra::sqlite::IdLedger found_ids_;
  infra::sqlite::SignalRepository signals_;
  infra::sqlite::PlanHistory history_;
  infra::sqlite::UpdateCandidates candidates_;
  infra::sqlite::ItemViews item_views_;
  infra::sqlite::ReadSide read_;
  infra::sqlite::QuarantineRepository quarantine_;
  infra::sqlite::HealthReader health_;
  infra::sqlite::HealJournal journal_;
  infra::sqlite::AlertRepository alerts_;
  infra::sqlite::ExecutorRepository executors_;
  infra::sqlite::OutboxRepository outbox_;
  infra::sqlite::JobRepository jobs_;
  infra::sqlite::ApiTokenRepository tokens_;
  infra::sqlite::ArchiveIndex archive_;
  infra::sqlite::AdjustmentRepository adjustments_;
  infra::sqlite::DutyRoster duties_;
  infra::sqlite::ReplayStore replays_;
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
