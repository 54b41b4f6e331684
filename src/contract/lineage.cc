#include "contract/lineage.h"

#include "contract/item_origin.h"

namespace patra::contract {
namespace {

// One more than is shown was asked for; whether it was there.
template <typename Row>
bool CutTo(std::vector<Row>& rows, int rows_max) {
  if (std::ssize(rows) <= rows_max) return false;
  rows.resize(static_cast<std::size_t>(rows_max));
  return true;
}

Result<RunLineage> LineageOf(LedgerQueries& ledger, const RunRow& run,
                             const LineageBounds& bounds) {
  RunLineage lineage{.run = run};
  lineage.batches = PATRA_TRY(ledger.Batches({.run = run.id, .rows_max = bounds.batches_max + 1}));
  lineage.has_more_batches = CutTo(lineage.batches, bounds.batches_max);
  return lineage;
}

Result<SliceLineage> LineageOf(LedgerQueries& ledger, const SliceRow& slice,
                               const LineageBounds& bounds) {
  SliceLineage lineage{.slice = slice};
  if (slice.task == 0) return lineage;
  lineage.task = PATRA_TRY(IfThere(ledger.Task(slice.task)));
  auto runs = PATRA_TRY(ledger.Runs({.task = slice.task, .rows_max = bounds.runs_max + 1}));
  lineage.has_more_runs = CutTo(runs, bounds.runs_max);
  for (const auto& run : runs) lineage.runs.push_back(PATRA_TRY(LineageOf(ledger, run, bounds)));
  return lineage;
}

}  // namespace

Result<PlanLineage> LineageOf(LedgerQueries& ledger, Id plan,
                              const std::optional<LedgerPlace>& after,
                              const LineageBounds& bounds) {
  PlanLineage lineage{.plan = PATRA_TRY(ledger.Plan(plan))};
  auto slices =
      PATRA_TRY(ledger.Slices({.plan = plan, .rows_max = bounds.slices_max + 1, .after = after}));
  lineage.has_more_slices = CutTo(slices, bounds.slices_max);
  for (const auto& slice : slices)
    lineage.slices.push_back(PATRA_TRY(LineageOf(ledger, slice, bounds)));
  return lineage;
}

Facts FactsOf(const SliceLineage& lineage) {
  Value::Array runs;
  for (const auto& [run, batches, has_more] : lineage.runs) {
    Value::Array shown;
    for (const auto& batch : batches) shown.push_back(ToObject(FactsOf(batch)));
    runs.push_back(Value::Object{
        {"run", ToObject(FactsOf(run))}, {"batches", std::move(shown)}, {"moreBatches", has_more}});
  }
  return {{"slice", ToObject(FactsOf(lineage.slice))},
          {"task", lineage.task ? ToObject(FactsOf(*lineage.task)) : Value()},
          {"runs", std::move(runs)},
          {"moreRuns", lineage.has_more_runs}};
}

}  // namespace patra::contract
