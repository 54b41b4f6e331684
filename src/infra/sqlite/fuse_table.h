// Table ing_fuse.
#pragma once

#include <vector>

#include "app/port/hold_repository.h"
#include "base/id.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::fuse_table {

// A fuse that has blown already is left as it is.
Result<void> Blow(Connection& connection, const domain::Hold& fuse, const std::string& evidence,
                  Id new_id, Instant now);

// False where none was blown.
Result<bool> Reset(Connection& connection, const std::string& provenance,
                   const std::string& endpoint, const app::Decision& decision, Instant now);
Result<std::vector<domain::Hold>> Read(Connection& connection);

}  // namespace patra::infra::sqlite::fuse_table
