// What becomes of runs that nobody will end any more, each with the batch that was under way.
#pragma once

#include <string>

#include "infra/sql/session.h"

namespace patra::infra::sql {

// The task's executor stopped or lost its lease: its run has failed, its batch came to nothing.
Result<void> FailAbandonedRuns(Session& session, Id task, Instant now);

Result<void> CancelRuns(Session& session, Id task, const std::string& reason, Instant now);

}  // namespace patra::infra::sql
