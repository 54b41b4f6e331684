#include "contract/gather_timeline.h"

#include <fmt/format.h>

namespace patra::contract {
namespace {

// What hangs on a row, added to a timeline.
class Gathering {
 public:
  Gathering(LedgerQueries& ledger, int rows_max, const Stretch& within)
      : ledger_(ledger), rows_max_(rows_max), within_(within) {}

  Result<Timeline> Of(LedgerKind kind, Id id) {
    switch (kind) {
      case LedgerKind::kPlan:
        PATRA_TRY(AddPlan(id));
        break;
      case LedgerKind::kSlice:
        PATRA_TRY(AddSlice(id));
        break;
      case LedgerKind::kTask:
        PATRA_TRY(AddTask(id));
        break;
      case LedgerKind::kRun:
        PATRA_TRY(AddRun(id));
        break;
      case LedgerKind::kBatch:
        timeline_.Add(PATRA_TRY(ledger_.Batch(id)));
        break;
      case LedgerKind::kCursor:
        PATRA_TRY(AddCursor(id));
        break;
    }
    return std::move(timeline_);
  }

 private:
  // A plan's batches are too many to be read: its slices and runs tell the story.
  Result<void> AddPlan(Id id) {
    const auto plan = PATRA_TRY(ledger_.Plan(id));
    timeline_.Add(plan);
    if (const auto trigger = ledger_.Trigger(plan.trigger)) timeline_.Add(*trigger);
    const LedgerFilter of_plan{.plan = id, .rows_max = rows_max_};
    PATRA_TRY(AddAll(ledger_.Slices(of_plan)));
    PATRA_TRY(AddAll(ledger_.Runs(of_plan)));
    PATRA_TRY(AddAll(ledger_.EventsOf(of_plan)));
    return AddDecisions("PLAN", id);
  }

  Result<void> AddSlice(Id id) {
    const auto slice = PATRA_TRY(ledger_.Slice(id));
    timeline_.Add(slice);
    if (slice.task == 0) return {};
    return AddTask(slice.task);
  }

  Result<void> AddTask(Id id) {
    const auto task = PATRA_TRY(ledger_.Task(id));
    timeline_.Add(task);
    const LedgerFilter of_task{.task = id, .rows_max = rows_max_};
    PATRA_TRY(AddAll(ledger_.Runs(of_task)));
    PATRA_TRY(AddAll(ledger_.Batches(of_task)));
    PATRA_TRY(
        AddAll(ledger_.EventsOf({.plan = task.plan, .slice = task.slice, .rows_max = rows_max_})));
    return AddDecisions("TASK", id);
  }

  Result<void> AddRun(Id id) {
    const auto run = PATRA_TRY(ledger_.Run(id));
    timeline_.Add(run);
    PATRA_TRY(AddAll(ledger_.Batches({.run = id, .rows_max = rows_max_})));
    return AddAll(ledger_.EventsOf({.plan = run.plan, .run = id, .rows_max = rows_max_}));
  }

  Result<void> AddCursor(Id id) {
    const auto cursor = PATRA_TRY(ledger_.Cursor(id));
    PATRA_TRY(AddAll(ledger_.EventsOf(cursor, within_, rows_max_)));
    for (const auto& decision : PATRA_TRY(ledger_.Decisions("CURSOR", cursor.Name(), rows_max_))) {
      if (decision.at >= within_.from && decision.at < within_.to) timeline_.Add(decision, id);
    }
    return {};
  }

  template <typename Row>
  Result<void> AddAll(const Result<std::vector<Row>>& rows) {
    if (!rows) return std::unexpected(rows.error());
    for (const auto& row : *rows) timeline_.Add(row);
    return {};
  }

  Result<void> AddDecisions(const std::string& type, Id id) {
    for (const auto& decision : PATRA_TRY(ledger_.Decisions(type, fmt::to_string(id), rows_max_)))
      timeline_.Add(decision, id);
    return {};
  }

  LedgerQueries& ledger_;
  int rows_max_;
  Stretch within_;
  Timeline timeline_;
};

}  // namespace

std::string_view Name(LedgerKind kind) {
  switch (kind) {
    case LedgerKind::kPlan:
      return "plan";
    case LedgerKind::kSlice:
      return "slice";
    case LedgerKind::kTask:
      return "task";
    case LedgerKind::kRun:
      return "run";
    case LedgerKind::kBatch:
      return "batch";
    case LedgerKind::kCursor:
      break;
  }
  return "cursor";
}

Result<Timeline> GatherTimeline(LedgerQueries& ledger, LedgerKind kind, Id id, int rows_max,
                                const Stretch& within) {
  return Gathering(ledger, rows_max, within).Of(kind, id);
}

}  // namespace patra::contract
