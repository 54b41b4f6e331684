// What planning needs of the world. No network: the database is the only hand-over to executors.
#pragma once

#include "app/port/adjustment_repository.h"
#include "app/port/alert_repository.h"
#include "app/port/cursor_repository.h"
#include "app/port/hold_repository.h"
#include "app/port/log.h"
#include "app/port/plan_history.h"
#include "app/port/plan_repository.h"
#include "app/port/quarantine_repository.h"
#include "app/port/query_book.h"
#include "app/port/rate_gate.h"
#include "app/port/secrets.h"
#include "app/port/signal_repository.h"
#include "app/port/task_queue.h"
#include "app/port/transport.h"
#include "app/port/update_candidates.h"
#include "base/clock.h"
#include "base/id.h"
#include "domain/plan/plan_limits.h"

namespace patra::app {

struct PlanPorts {
  PlanRepository& plans;
  CursorRepository& cursors;
  TaskQueue& queue;
  HoldRepository& holds;
  PlanHistory& history;
  QueryBook& queries;
  SignalRepository& signals;
  UpdateCandidates& candidates;
  RateGate* gate;  // absent: the quota sets no bounds to a plan
  const Clock& clock;
  IdGenerator& ids;
  AdjustmentRepository* adjustments = nullptr;  // absent: definitions hold as they are
  AlertRepository* alerts = nullptr;            // absent: what is wrong is only told
  QuarantineRepository* quarantine = nullptr;   // absent: nobody asks what is in it
  Secrets* secrets = nullptr;                   // absent: requests are counted as anonymous
  const Transport* transport = nullptr;         // absent: nobody looks where requests would go
  Log* log = nullptr;                           // absent: nobody hears what was there already
};

using domain::PlanLimits;

}  // namespace patra::app
