// Table ing_duty.
#pragma once

#include <string>

#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::duty_table {

// False where it is somebody else's at `now`.
Result<bool> Take(Connection& connection, const std::string& duty, const std::string& owner,
                  Instant until, Instant now);

}  // namespace patra::infra::sqlite::duty_table
