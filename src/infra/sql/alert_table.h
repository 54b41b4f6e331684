// Table ing_alert.
#pragma once

#include <vector>

#include "app/port/alert_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::alert_table {

Result<void> Raise(Session& session, const domain::Alert& alert, Id new_id, Instant now);
// Whether it fired.
Result<bool> Resolve(Session& session, const std::string& key, Instant now);
Result<std::vector<domain::Alert>> Read(Session& session, const app::AlertFilter& filter);

}  // namespace patra::infra::sql::alert_table
