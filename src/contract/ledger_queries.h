// Questions about the ledger. Every answer is bounded, newest first, and comes from an index: it is as fast
// over ten million batches as over ten.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "contract/ledger_rows.h"

namespace patra::contract {

// After which row a list goes on: what was added meanwhile stands before it, so that no page repeats or misses a row.
struct LedgerPlace {
  Id id = 0;
  Instant at{};             // plans and failed batches, which go by when they were made
  Id run = 0;               // batches
  std::int64_t number = 0;  // batches
};

// Empty texts and ids of 0 stand for any. A plan, slice, task or run narrows more than a source does; where
// one is given, the innermost decides and source, endpoint and operation are those of its rows.
struct LedgerFilter {
  std::string source;
  std::string endpoint;
  std::string operation;
  std::string status;
  std::string error_code;  // of tasks: what went wrong last
  std::string credential;  // of tasks: what their last request went out with
  Id plan = 0;
  Id slice = 0;
  Id task = 0;
  Id run = 0;
  int rows_max = 50;
  std::optional<LedgerPlace> after{};
};

inline constexpr Stretch kAlways{kInstantMin, kInstantMax};

class LedgerQueries {
 public:
  virtual ~LedgerQueries() = default;

  virtual Result<std::vector<PlanRow>> Plans(const LedgerFilter& filter) = 0;
  virtual Result<std::vector<SliceRow>> Slices(const LedgerFilter& filter) = 0;
  virtual Result<std::vector<TaskRow>> Tasks(const LedgerFilter& filter) = 0;
  virtual Result<std::vector<RunRow>> Runs(const LedgerFilter& filter) = 0;

  // Newest run first, and within a run the newest batch first. With a status, only the newest thousand
  // batches of the newest thousand runs are looked at, but for FAILED, which has an index of its own.
  virtual Result<std::vector<BatchRow>> Batches(const LedgerFilter& filter) = 0;

  // In the order of source, endpoint and operation.
  virtual Result<std::vector<CursorRow>> Cursors(const LedgerFilter& filter) = 0;

  // kNotFound where there is none of that id.
  virtual Result<TriggerRow> Trigger(Id id) = 0;
  virtual Result<PlanRow> Plan(Id id) = 0;
  virtual Result<SliceRow> Slice(Id id) = 0;
  virtual Result<TaskRow> Task(Id id) = 0;
  virtual Result<RunRow> Run(Id id) = 0;
  virtual Result<BatchRow> Batch(Id id) = 0;
  virtual Result<CursorRow> Cursor(Id id) = 0;

  // Where the values of a plan's snapshot came from when it was made; empty where the plan is older than that was kept.
  virtual Result<std::vector<OriginRow>> OriginsOf(Id plan) = 0;

  // How many slices a plan has in each state that occurs.
  virtual Result<std::vector<std::pair<std::string, std::int64_t>>> SliceCounts(Id plan) = 0;

  // How the newest ten thousand batches of a run ended and what they were answered with, the most frequent first.
  virtual Result<std::vector<AnswerCount>> AnswersOf(Id run) = 0;

  // The newest steps of one cursor, and those that the filter's plan caused (of one slice or run of it,
  // where the filter says so).
  virtual Result<std::vector<CursorEventRow>> EventsOf(const CursorRow& cursor,
                                                       const Stretch& within, int rows_max) = 0;
  virtual Result<std::vector<CursorEventRow>> EventsOf(const LedgerFilter& filter) = 0;

  // What people decided about an object, such as ("TASK", "42"), newest first.
  virtual Result<std::vector<DecisionRow>> Decisions(const std::string& object_type,
                                                     const std::string& object_id,
                                                     int rows_max) = 0;
  // All decisions, newest first, from the one after `before` on; 0: from the newest.
  virtual Result<std::vector<AuditRow>> Audit(Id before, int rows_max) = 0;
};

}  // namespace patra::contract
