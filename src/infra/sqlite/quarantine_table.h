// Table ing_quarantine: the isolation pool.
#pragma once

#include "app/port/run_ledger.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::quarantine_table {

Result<void> Insert(Connection& connection, const app::BatchCommit& batch,
                    const domain::BadRecord& record, int record_no, Id new_id, Instant now);

}  // namespace patra::infra::sqlite::quarantine_table
