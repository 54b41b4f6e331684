// A plan with everything that came of it, down to the batches, in bounds.
#pragma once

#include <optional>
#include <vector>

#include "contract/ledger_queries.h"

namespace patra::contract {

struct LineageBounds {
  int slices_max = 20;   // of a page; the newest first
  int runs_max = 10;     // of each task, the newest
  int batches_max = 10;  // of each run, the newest
};

struct RunLineage {
  RunRow run;
  std::vector<BatchRow> batches{};
  bool has_more_batches = false;
};

struct SliceLineage {
  SliceRow slice;
  std::optional<TaskRow> task{};
  std::vector<RunLineage> runs{};
  bool has_more_runs = false;
};

struct PlanLineage {
  PlanRow plan;
  std::vector<SliceLineage> slices{};
  bool has_more_slices = false;  // after the last one
};

Result<PlanLineage> LineageOf(LedgerQueries& ledger, Id plan,
                              const std::optional<LedgerPlace>& after, const LineageBounds& bounds);

Facts FactsOf(const SliceLineage& lineage);

}  // namespace patra::contract
