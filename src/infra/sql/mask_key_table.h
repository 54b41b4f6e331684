// Table ing_mask_key.
#pragma once

#include <string>

#include "infra/sql/session.h"

namespace patra::infra::sql::mask_key_table {

// Empty where the store has none yet.
Result<std::string> Find(Session& session);

// The store's; `offered` where it has none yet.
Result<std::string> FindOrMake(Session& session, const std::string& offered, Instant now);

}  // namespace patra::infra::sql::mask_key_table
