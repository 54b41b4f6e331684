// Reads what belongs to a timeline.
#pragma once

#include <string_view>

#include "contract/ledger_queries.h"
#include "contract/timeline.h"

namespace patra::contract {

enum class LedgerKind { kPlan, kSlice, kTask, kRun, kBatch, kCursor };

std::string_view Name(LedgerKind kind);  // "plan"

// Of what hangs on that row, at most so many of each kind; of a cursor, what happened within that stretch.
Result<Timeline> GatherTimeline(LedgerQueries& ledger, LedgerKind kind, Id id, int rows_max,
                                const Stretch& within = kAlways);

}  // namespace patra::contract
