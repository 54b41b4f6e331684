// Table ing_batch_rollup: sums per minute, which dashboards read.
#pragma once

#include "app/port/run_ledger.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::rollup_table {

struct Sizes {
  std::int64_t bytes = 0;
  std::int64_t records = 0;
  std::int64_t batches = 0;
};
Result<Sizes> SizesSince(Connection& connection, const domain::Partition& partition, Instant since);

Result<void> Add(Connection& connection, const app::BatchCommit& batch,
                 const domain::RecordCounts& counts, Instant now);

}  // namespace patra::infra::sqlite::rollup_table
