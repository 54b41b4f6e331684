// What planning needs of the world. No network: the database is the only hand-over to executors.
#pragma once

#include "app/port/adjustment_repository.h"
#include "app/port/cursor_repository.h"
#include "app/port/hold_repository.h"
#include "app/port/plan_history.h"
#include "app/port/plan_repository.h"
#include "app/port/rate_gate.h"
#include "app/port/signal_repository.h"
#include "app/port/task_queue.h"
#include "app/port/update_candidates.h"
#include "base/clock.h"
#include "base/id.h"

namespace patra::app {

struct PlanPorts {
  PlanRepository& plans;
  CursorRepository& cursors;
  TaskQueue& queue;
  HoldRepository& holds;
  PlanHistory& history;
  SignalRepository& signals;
  UpdateCandidates& candidates;
  RateGate* gate;  // absent: the quota sets no bounds to a plan
  const Clock& clock;
  IdGenerator& ids;
  AdjustmentRepository* adjustments = nullptr;  // absent: definitions hold as they are
};

// How much is planned ahead.
struct PlanLimits {
  std::int64_t open_tasks_max = 1'000;           // per partition; beyond it a plan stays PARTIAL
  std::size_t slices_per_transaction = 400;      // executors get their turn in between
  std::size_t ids_per_slice_max = 10'000;        // of an UPDATE
  Duration gate_horizon = std::chrono::days(1);  // for which the gate's permits are planned
};

}  // namespace patra::app
