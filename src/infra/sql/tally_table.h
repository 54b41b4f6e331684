// Table ing_retention_tally: what left the store, in all.
#pragma once

#include <vector>

#include "app/port/old_rows.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::tally_table {

Result<void> Add(Session& session, const app::Tally& gone, Instant now);
Result<std::vector<app::Tally>> List(Session& session);

}  // namespace patra::infra::sql::tally_table
