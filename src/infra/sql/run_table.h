// Table ing_task_run.
#pragma once

#include <optional>
#include <string>

#include "app/port/task_queue.h"
#include "domain/gate/gate_cell.h"
#include "domain/task/states.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::run_table {

Result<void> Insert(Session& session, Id run, const app::LeasedTask& task, int attempt_no,
                    Instant now);

// A replay, which is over when it is written: SUCCEEDED, with a number below zero that no attempt takes.
Result<void> InsertReplay(Session& session, Id run, const app::LeasedTask& task,
                          const std::string& checkpoint, const std::string& stats, Instant now);

// Of the task's runs that are not over. See end_runs.h for their batches.
Result<void> EndUnderWay(Session& session, Id task, domain::RunStatus status,
                         const std::string& reason, Instant now);

Result<void> Finish(Session& session, Id run, domain::RunStatus status, const std::string& stats,
                    const std::optional<std::string>& error, Instant now);

// The next run does not resume where this one or an earlier one left off.
Result<void> StartOverNext(Session& session, Id run);
Result<void> StartOverAfterLatest(Session& session, Id task);

// What keeps the run from going on.
Result<void> WaitFor(Session& session, Id run, domain::WaitReason reason);
Result<bool> LatestWaitedFor(Session& session, Id task, domain::WaitReason reason);

}  // namespace patra::infra::sql::run_table
