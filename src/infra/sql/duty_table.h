// Table ing_duty.
#pragma once

#include <string>

#include "infra/sql/session.h"

namespace patra::infra::sql::duty_table {

// False where it is somebody else's at `now`.
Result<bool> Take(Session& session, const std::string& duty, const std::string& owner,
                  Instant until, Instant now);

}  // namespace patra::infra::sql::duty_table
