// Table scheduler_execution_log: every firing of a job, once.
#pragma once

#include <vector>

#include "app/port/job_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::firing_table {

// False, where that firing happened already.
Result<bool> Insert(Session& session, const app::Firing& firing);
Result<bool> Finish(Session& session, Id firing, std::optional<Id> trigger,
                    const std::optional<std::string>& error, Instant now);
Result<std::vector<app::Firing>> Read(Session& session, const std::string& job, int firings_max);

}  // namespace patra::infra::sql::firing_table
