// Table ing_outbox_message: what leaves for other systems.
#pragma once

#include "app/port/run_ledger.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::outbox_table {

// A message whose channel and dedup key are there already is left out.
Result<void> Insert(Connection& connection, const app::OutboxMessage& message, Id batch, Id new_id,
                    Instant now);

}  // namespace patra::infra::sqlite::outbox_table
