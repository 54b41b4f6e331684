// Table ing_alert_silence.
#pragma once

#include <vector>

#include "domain/alert/alert.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::alert_silence_table {

Result<void> Insert(Connection& connection, const domain::Silence& silence);
Result<std::vector<domain::Silence>> Read(Connection& connection, Instant at);

}  // namespace patra::infra::sqlite::alert_silence_table
