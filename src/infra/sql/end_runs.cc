#include "infra/sql/end_runs.h"

#include "infra/sql/batch_table.h"
#include "infra/sql/run_table.h"

namespace patra::infra::sql {
namespace {

constexpr const char* kAbandoned = "abandoned: its executor stopped or lost the lease";

// What it asked for may have been answered: nothing of that was taken in, and the next run asks again.
Result<void> GiveBackBatches(Session& session, Id task, const std::string& reason, Instant now) {
  for (const auto batch : PATRA_TRY(batch_table::UnderWay(session, task)))
    PATRA_TRY(batch_table::End(session, batch,
                               {.status = domain::BatchStatus::kGivenBack, .error = reason}, now));
  return {};
}

}  // namespace

Result<void> FailAbandonedRuns(Session& session, Id task, Instant now) {
  PATRA_TRY(GiveBackBatches(session, task, kAbandoned, now));
  return run_table::EndUnderWay(session, task, domain::RunStatus::kFailed, kAbandoned, now);
}

Result<void> CancelRuns(Session& session, Id task, const std::string& reason, Instant now) {
  PATRA_TRY(GiveBackBatches(session, task, reason, now));
  return run_table::EndUnderWay(session, task, domain::RunStatus::kCancelled, reason, now);
}

}  // namespace patra::infra::sql
