// Table scheduler_execution_log: every firing of a job, once.
#pragma once

#include <vector>

#include "app/port/execution_repository.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::execution_table {

// False, where that occurrence was claimed already.
Result<bool> Insert(Session& session, const domain::Execution& execution);
// Whether one of the job is not over.
Result<std::optional<domain::Execution>> FindOpen(Session& session, const std::string& job);

Result<std::optional<domain::Execution>> FindWaiting(Session& session, Instant now);
// False, where it is no more as it was read.
Result<bool> Take(Session& session, const domain::Execution& waiting, const std::string& owner,
                  Instant until, Instant now);
Result<bool> GiveBack(Session& session, const domain::Execution& taken, Instant until,
                      const std::string& note);
Result<bool> Start(Session& session, const domain::Execution& taken,
                   const app::ExecutionPlanned& planned, std::optional<Id> trigger,
                   const domain::ExecutionCounts& before, Instant now);
Result<bool> End(Session& session, const domain::Execution& execution,
                 domain::ExecutionStatus status, const std::string& reason,
                 const domain::ExecutionCounts& counts, std::optional<Id> trigger, Instant now);

Result<std::optional<domain::Execution>> FindRest(Session& session, Instant untouched_since);
Result<bool> Touch(Session& session, const domain::Execution& running, Instant now);

// What the plans that it did not make had brought when it began.
Result<domain::ExecutionCounts> CountedBefore(Session& session, Id execution);

Result<std::vector<domain::Execution>> Running(Session& session, Id after, int executions_max);
Result<std::vector<domain::Execution>> Read(Session& session, const app::ExecutionFilter& filter);
Result<int> Forget(Session& session, Instant before, int executions_max);

}  // namespace patra::infra::sql::execution_table
