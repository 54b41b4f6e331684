// Table ing_pause.
#pragma once

#include <vector>

#include "app/port/hold_repository.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::pause_table {

Result<void> Put(Connection& connection, const domain::Hold& pause, const app::Decision& decision,
                 Instant now);

// False where there was none.
Result<bool> Remove(Connection& connection, const std::string& provenance,
                    const std::string& endpoint);
Result<std::vector<domain::Hold>> Read(Connection& connection, domain::Role role, Instant now);

}  // namespace patra::infra::sqlite::pause_table
