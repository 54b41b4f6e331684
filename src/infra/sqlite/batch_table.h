// Table ing_task_run_batch: one row per request position, the smallest entry of the account.
#pragma once

#include <optional>
#include <string>

#include "app/port/run_ledger.h"
#include "domain/item/record.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite::batch_table {

// The RUNNING row that stands before the request leaves.
Result<void> InsertRunning(Connection& connection, const app::LeasedTask& task,
                           const domain::Lineage& lineage, int batch_no,
                           const app::Position& before, Instant now);

// Moves the RUNNING row to SUCCEEDED with its outcome. False where it is not RUNNING any more.
Result<bool> Succeed(Connection& connection, const app::BatchCommit& batch,
                     const domain::RecordCounts& counts, Instant now);

struct Committed {
  Id id;
  domain::RecordCounts counts;
};

// The committed batch under each of the three keys. All agree, or the account is corrupt (I5).
Result<std::optional<Committed>> FindCommitted(Connection& connection,
                                               const app::BatchCommit& batch);

// The last committed batch of the task since it started over, if it ever did.
struct LastCommitted {
  std::optional<app::Position> after;  // none: it was the slice's last
};
Result<std::optional<LastCommitted>> FindLast(Connection& connection, Id task);

// Whether the task's newest run ended waiting for that.
Result<bool> LastWaitedFor(Connection& connection, Id task, std::string_view reason);

// Ends a RUNNING row that came to nothing.
Result<void> End(Connection& connection, Id batch, domain::BatchStatus status,
                 const std::string& error, std::string_view level, Instant now,
                 const std::string& wrong_parameter = {});

}  // namespace patra::infra::sqlite::batch_table
