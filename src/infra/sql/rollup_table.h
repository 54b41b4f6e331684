// Table ing_batch_rollup: sums per minute, which dashboards read.
#pragma once

#include "app/port/run_ledger.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::rollup_table {

struct Sizes {
  std::int64_t bytes = 0;
  std::int64_t records = 0;
  std::int64_t batches = 0;
};
Result<Sizes> SizesSince(Session& session, const domain::Lane& lane, Instant since);

// `waited` for its turn in the store.
Result<void> Add(Session& session, const app::BatchCommit& batch,
                 const domain::RecordCounts& counts, Duration waited, Instant now);

// What a batch cost that came to nothing. It counts as no batch.
Result<void> AddWasted(Session& session, const domain::Lane& lane, int requests, int throttled,
                       Instant now);

}  // namespace patra::infra::sql::rollup_table
