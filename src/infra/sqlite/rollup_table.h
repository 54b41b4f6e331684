// Table ing_batch_rollup: sums per minute, which dashboards read.
#pragma once

#include "app/port/run_ledger.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::rollup_table {

Result<void> Add(Connection& connection, const app::BatchCommit& batch,
                 const domain::RecordCounts& counts, Instant now);

}  // namespace patra::infra::sqlite::rollup_table
