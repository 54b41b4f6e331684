// Table ing_alert_silence.
#pragma once

#include <vector>

#include "domain/word/alert.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::alert_silence_table {

Result<void> Insert(Session& session, const domain::Silence& silence);
Result<std::vector<domain::Silence>> Read(Session& session, Instant at);

}  // namespace patra::infra::sql::alert_silence_table
