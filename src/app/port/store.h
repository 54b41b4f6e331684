// The one door to a store: whatever database it is in, it gives these.
#pragma once

#include "app/port/adjustment_repository.h"
#include "app/port/alert_repository.h"
#include "app/port/answer_repository.h"
#include "app/port/api_token_repository.h"
#include "app/port/archive_index.h"
#include "app/port/cursor_repository.h"
#include "app/port/duty_roster.h"
#include "app/port/execution_repository.h"
#include "app/port/executor_repository.h"
#include "app/port/gate_ledger.h"
#include "app/port/heal_journal.h"
#include "app/port/health_reader.h"
#include "app/port/hold_repository.h"
#include "app/port/id_ledger.h"
#include "app/port/item_views.h"
#include "app/port/job_repository.h"
#include "app/port/outbox_repository.h"
#include "app/port/plan_history.h"
#include "app/port/plan_repository.h"
#include "app/port/quarantine_repository.h"
#include "app/port/query_book.h"
#include "app/port/rate_history.h"
#include "app/port/registry.h"
#include "app/port/replay_store.h"
#include "app/port/run_ledger.h"
#include "app/port/signal_repository.h"
#include "app/port/task_queue.h"
#include "app/port/update_candidates.h"
#include "base/clock.h"
#include "base/id.h"
#include "contract/read_side.h"

namespace patra::app {

// One process' view of a store: two of them on the same store are two processes. Thread-safe, as everything it gives is.
class Store {
 public:
  virtual ~Store() = default;

  // No other process on the store makes the same ones.
  virtual IdGenerator& ids() = 0;
  // By which all who use the store go, whatever the clocks of their machines say.
  virtual Clock& clock() = 0;
  // By which masks of people's data are marked; the same for all who use the store.
  virtual const std::string& mask_key() = 0;

  virtual Registry& registry() = 0;
  virtual PlanRepository& plans() = 0;
  virtual PlanHistory& history() = 0;
  virtual QueryBook& queries() = 0;
  virtual TaskQueue& queue() = 0;
  virtual RunLedger& runs() = 0;
  virtual IdLedger& found_ids() = 0;
  virtual CursorRepository& cursors() = 0;
  virtual SignalRepository& signals() = 0;
  virtual UpdateCandidates& candidates() = 0;
  virtual QuarantineRepository& quarantine() = 0;
  virtual HoldRepository& holds() = 0;
  virtual AdjustmentRepository& adjustments() = 0;
  virtual HealthReader& health() = 0;
  virtual HealJournal& journal() = 0;
  virtual DutyRoster& duties() = 0;
  virtual AlertRepository& alerts() = 0;
  virtual ExecutorRepository& executors() = 0;
  virtual GateLedger& gate_ledger() = 0;
  virtual ReplayStore& replays() = 0;
  virtual ItemViews& item_views() = 0;
  virtual OutboxRepository& outbox() = 0;
  virtual JobRepository& jobs() = 0;
  virtual ExecutionRepository& executions() = 0;
  virtual ApiTokenRepository& tokens() = 0;
  virtual AnswerRepository& answers() = 0;
  virtual ArchiveIndex& archive() = 0;
  virtual RateHistory& rates() = 0;
  virtual contract::ReadSide& read() = 0;
};

}  // namespace patra::app
