// Table ing_task_run.
#pragma once

#include <optional>
#include <string>

#include "app/port/task_queue.h"
#include "domain/task/states.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::run_table {

Result<void> Insert(Connection& connection, Id run, const app::LeasedTask& task, int attempt_no,
                    Instant now);

// A replay, which is over when it is written: SUCCEEDED, with a number below zero that no attempt takes.
Result<void> InsertReplay(Connection& connection, Id run, const app::LeasedTask& task,
                          const std::string& checkpoint, const std::string& stats, Instant now);

// Runs that a dead worker left behind are over as soon as a new one starts.
Result<void> FailAbandoned(Connection& connection, Id task, Instant now);

// CANCELLED together with its task.
Result<void> CancelOf(Connection& connection, Id task, const std::string& reason, Instant now);

Result<void> Finish(Connection& connection, Id run, domain::RunStatus status,
                    const std::string& stats, const std::optional<std::string>& error, Instant now);

// The next run does not resume where this one or an earlier one left off.
Result<void> StartOverNext(Connection& connection, Id run);
Result<void> StartOverAfterLatest(Connection& connection, Id task);

}  // namespace patra::infra::sqlite::run_table
