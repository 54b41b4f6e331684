// The questions of the operators' runbook, asked of a store: is it made as it should be, what hangs, what fails, what could be
// asked for again, how far behind is everything.
#pragma once

#include <vector>

#include "app/port/store_care.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

Result<std::vector<app::StoreAnswer>> AskRunbook(Session& session, Instant now);

}  // namespace patra::infra::sql
