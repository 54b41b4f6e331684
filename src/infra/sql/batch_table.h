// Table ing_task_run_batch: one row per request position, the smallest entry of the account.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/port/run_ledger.h"
#include "domain/item/elsewhere.h"
#include "domain/item/record.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::batch_table {

// The RUNNING row that stands before the request leaves.
Result<void> InsertRunning(Session& session, const app::LeasedTask& task,
                           const domain::Lineage& lineage, int batch_no,
                           const app::Position& before, Instant now);

// SKIPPED where nothing was at the batch's position, else SUCCEEDED.
domain::BatchStatus StatusOf(const app::BatchCommit& batch, const domain::RecordCounts& counts);

// Moves the RUNNING row there, with its outcome. False where it is not RUNNING any more.
Result<bool> Succeed(Session& session, const app::BatchCommit& batch,
                     const domain::RecordCounts& counts, Instant now);

struct Committed {
  Id id;
  domain::RecordCounts counts;
  std::optional<app::Position> after;
  int batch_no = 1;
};

// The committed batch under each of the three keys. All agree, or the account is corrupt (I5).
Result<std::optional<Committed>> FindCommitted(Session& session, const app::BatchCommit& batch);

// The row of that number, whatever became of it.
Result<std::optional<Id>> FindNumber(Session& session, Id run, int batch_no);

// The last committed batch of the task since it started over, if it ever did.
struct LastCommitted {
  std::optional<app::Position> after;  // none: it was the slice's last
};
Result<std::optional<LastCommitted>> FindLast(Session& session, Id task);

// A row with what a replay needs; the position that it began at is found again among those that may be it, by its key.
struct Recorded {
  Id id = 0;
  Id task = 0;
  int batch_no = 1;
  domain::BatchStatus status = domain::BatchStatus::kSucceeded;
  std::optional<app::Position> before;
  std::optional<app::Position> after;
  domain::RecordCounts counts;
  std::int64_t records_before = 0;
  int http_status = 200;
  std::optional<std::string> error;
  std::string request_digest;
  std::string response_digest;
  std::optional<Instant> committed_at;
};
Result<std::optional<Recorded>> FindRecorded(Session& session, Id run, Id batch);

// Whose batches these are; not all of them need be there any more.
Result<domain::BatchOrigins> OriginsOf(Session& session, const std::set<Id>& batches);

// The RUNNING rows of the task's runs that are not over: one at most, unless a program before this one left more.
Result<std::vector<Id>> UnderWay(Session& session, Id task);

// Ends a RUNNING row that came to nothing. False where it is not RUNNING any more.
struct Ended {
  domain::BatchStatus status = domain::BatchStatus::kFailed;
  std::string error;
  domain::ErrorLevel level = domain::ErrorLevel::kNone;
  std::string wrong_parameter{};
  std::optional<std::int64_t> page_size{};
  app::RequestsSent sent{};
};
Result<bool> End(Session& session, Id batch, const Ended& ended, Instant now);

}  // namespace patra::infra::sql::batch_table
