// What dashboards ask about work as it goes on: how the queue moves, and what goes wrong most. Answers come from
// partial indexes, the rollup and the ends of indexes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "contract/facts.h"
#include "contract/ledger_rows.h"
#include "contract/past.h"

namespace patra::contract {

// Of one source, endpoint and operation.
struct QueueRow {
  Scope scope;
  std::int64_t ready = 0;  // counted up to kCountedAtMost, as are those below
  std::int64_t parked = 0;
  std::int64_t dispatched = 0;
  std::int64_t executing = 0;
  // Within the window that was asked about.
  std::int64_t claims = 0;  // runs that were opened
  std::int64_t runs_succeeded = 0;
  std::int64_t runs_failed = 0;
  std::int64_t runs_partial = 0;
  std::int64_t batches_succeeded = 0;
  std::int64_t batches_failed = 0;
  std::int64_t batches_skipped = 0;
  std::int64_t records = 0;
  std::int64_t requests = 0;
  std::int64_t retries = 0;
  std::int64_t throttled = 0;   // requests that were answered with 429
  std::int64_t latency_ms = 0;  // of all batches that were stored

  bool is_empty() const;
};
Facts FactsOf(const QueueRow& row, Duration window);

struct QueueSnapshot {
  Stretch window;
  std::vector<QueueRow> rows;  // by source, endpoint and operation; those where nothing is and was
  bool parked_is_cut = false;  // more tasks are parked than were counted
};

// Empty texts stand for any.
struct DashboardFilter {
  std::string source;
  std::string endpoint;
  std::string operation;
};

struct ErrorQuestion {
  DashboardFilter filter;
  std::string level;  // "L2"; empty: any
  Stretch within;
  int kinds_max = 20;
};

// Batches that failed alike: their messages differ in numbers only.
struct ErrorRow {
  Scope scope;
  std::string level;
  std::string error;  // of the newest
  std::int64_t batches = 0;
  Id newest = 0;
  Instant first_at;
  Instant last_at;
};
Facts FactsOf(const ErrorRow& row);

struct ErrorTop {
  std::vector<ErrorRow> rows;  // the most frequent first
  bool is_cut = false;         // of some endpoint only the newest failures were looked at
};

class DashboardQueries {
 public:
  virtual ~DashboardQueries() = default;

  virtual Result<QueueSnapshot> Queue(const DashboardFilter& filter, const Stretch& window) = 0;
  virtual Result<ErrorTop> TopErrors(const ErrorQuestion& question) = 0;

  // What was sent under one key of the gate, or under all there are.
  virtual Result<contract::GateHistory> GateHistory(const std::string& key,
                                                    const PastSteps& steps) = 0;
  virtual Result<contract::WorkHistory> WorkHistory(const DashboardFilter& filter,
                                                    const PastSteps& steps) = 0;
};

}  // namespace patra::contract
