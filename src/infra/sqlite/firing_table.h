// Table scheduler_execution_log: every firing of a job, once.
#pragma once

#include <vector>

#include "app/port/job_repository.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::firing_table {

// False, where that firing happened already.
Result<bool> Insert(Connection& connection, const app::Firing& firing);
Result<bool> Finish(Connection& connection, Id firing, std::optional<Id> trigger,
                    const std::optional<std::string>& error, Instant now);
Result<std::vector<app::Firing>> Read(Connection& connection, const std::string& job,
                                      int firings_max);

}  // namespace patra::infra::sqlite::firing_table
