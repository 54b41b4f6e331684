// Table scheduler_job_config.
#pragma once

#include <vector>

#include "app/port/job_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::job_table {

// False, where the job exists, or was changed since its version was read.
Result<bool> Insert(Session& session, const domain::Job& job, Id new_id, Instant now);
Result<bool> Update(Session& session, const domain::Job& job, Instant now);
Result<bool> Remove(Session& session, const std::string& job, Instant now);
// False, where it has been changed, disabled or moved on.
Result<bool> MoveOn(Session& session, const domain::Job& job, std::optional<Instant> next,
                    Instant now);
// Of a firing by hand; false where there is no such job.
Result<bool> NoteRun(Session& session, const std::string& job, Instant now);

Result<std::optional<domain::Job>> Find(Session& session, const std::string& job);
Result<std::vector<domain::Job>> List(Session& session);
Result<std::vector<domain::Job>> Due(Session& session, int jobs_max, Instant now);

}  // namespace patra::infra::sql::job_table
