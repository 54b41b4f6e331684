// Table scheduler_job_config.
#pragma once

#include <vector>

#include "app/port/job_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::job_table {

// False, where the job exists, or was changed since its version was read.
Result<bool> Insert(Session& session, const app::Job& job, Id new_id, Instant now);
Result<bool> Update(Session& session, const app::Job& job, Instant now);
Result<bool> Remove(Session& session, const std::string& job);
Result<bool> MoveOn(Session& session, const app::Job& job, std::optional<Instant> next,
                    Instant now);

Result<std::optional<app::Job>> Find(Session& session, const std::string& job);
Result<std::vector<app::Job>> List(Session& session);
Result<std::vector<app::Job>> Due(Session& session, int jobs_max, Instant now);

}  // namespace patra::infra::sql::job_table
