// Table scheduler_job_config.
#pragma once

#include <vector>

#include "app/port/job_repository.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::job_table {

// False, where the job exists, or was changed since its version was read.
Result<bool> Insert(Connection& connection, const app::Job& job, Id new_id, Instant now);
Result<bool> Update(Connection& connection, const app::Job& job, Instant now);
Result<bool> Remove(Connection& connection, const std::string& job);
Result<bool> MoveOn(Connection& connection, const app::Job& job, std::optional<Instant> next,
                    Instant now);

Result<std::optional<app::Job>> Find(Connection& connection, const std::string& job);
Result<std::vector<app::Job>> List(Connection& connection);
Result<std::vector<app::Job>> Due(Connection& connection, int jobs_max, Instant now);

}  // namespace patra::infra::sqlite::job_table
