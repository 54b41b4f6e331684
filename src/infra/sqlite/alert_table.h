// Table ing_alert.
#pragma once

#include <vector>

#include "app/port/alert_repository.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::alert_table {

Result<void> Raise(Connection& connection, const domain::Alert& alert, Id new_id, Instant now);
// Whether it fired.
Result<bool> Resolve(Connection& connection, const std::string& key, Instant now);
Result<std::vector<domain::Alert>> Read(Connection& connection, const app::AlertFilter& filter);

}  // namespace patra::infra::sqlite::alert_table
