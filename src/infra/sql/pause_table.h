// Table ing_pause.
#pragma once

#include <vector>

#include "app/port/decision.h"
#include "domain/word/hold.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::pause_table {

Result<void> Put(Session& session, const domain::Hold& pause, const app::Decision& decision,
                 Instant now);

// False where there was none.
Result<bool> Remove(Session& session, const std::string& provenance, const std::string& endpoint);
// The same, of what self-healing has paused alone.
Result<bool> RemoveHealing(Session& session, const std::string& provenance,
                           const std::string& endpoint);
Result<std::vector<domain::Hold>> Read(Session& session, domain::Role role, Instant now);

}  // namespace patra::infra::sql::pause_table
