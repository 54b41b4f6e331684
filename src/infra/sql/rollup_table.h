// Table ing_batch_rollup: sums per minute, and of what is old per hour and day, which dashboards read.
#pragma once

#include "app/port/run_ledger.h"
#include "infra/sql/session.h"

namespace patra::infra::sql::rollup_table {

// Stretches that have begun before that moment may go on after it, where they are hours or days: what reads sums asks for them
// from here on, and leaves out what has ended.
inline Instant ReadFrom(Instant since) { return since - std::chrono::days(1); }

struct Sizes {
  std::int64_t bytes = 0;
  std::int64_t records = 0;
  std::int64_t batches = 0;
};
Result<Sizes> SizesSince(Session& session, const domain::Lane& lane, Instant since);

// By lane, of batches that were stored.
Result<app::LaneLatencies> LatenciesSince(Session& session, Instant since);

// `waited` for its turn in the store.
Result<void> Add(Session& session, const app::BatchCommit& batch,
                 const domain::RecordCounts& counts, Duration waited, Instant now);

// What was sent and no batch has brought: by one that came to nothing, or beside those that succeeded.
struct Unbrought {
  domain::BatchStatus status = domain::BatchStatus::kFailed;
  std::int64_t batches = 0;  // that ended with it
  domain::RequestsSent sent{};
};
Result<void> AddUnbrought(Session& session, const domain::Lane& lane, const Unbrought& unbrought,
                          Instant now);

}  // namespace patra::infra::sql::rollup_table
