#include "infra/sql/end_batch.h"

#include <fmt/format.h>

#include "infra/sql/plan_table.h"
#include "infra/sql/rollup_table.h"
#include "infra/sql/run_table.h"
#include "infra/sql/task_table.h"

namespace patra::infra::sql {

Result<void> EndBatch(Session& session, const app::LeasedTask& task, Id batch,
                      const batch_table::Ended& ended, Instant now) {
  const bool was_running = PATRA_TRY(batch_table::End(session, batch, ended, now));
  PATRA_TRY(NoteSlowDown(session, task, ended.evidence.sent, now));
  return rollup_table::AddUnbrought(
      session, task.lane,
      {.status = ended.status, .batches = was_running ? 1 : 0, .sent = ended.evidence.sent}, now);
}

Result<void> EndAbandoned(Session& session, const app::LeasedTask& task, Instant now) {
  const domain::Evidence nothing_known;
  for (const auto batch : PATRA_TRY(batch_table::FindOpen(session, task.lineage.task))) {
    PATRA_TRY(EndBatch(session, task, batch,
                       {.status = domain::BatchStatus::kGivenBack,
                        .error = std::string(run_table::kAbandoned),
                        .evidence = nothing_known},
                       now));
  }
  return run_table::EndOpen(session, task.lineage.task, domain::RunStatus::kFailed,
                            run_table::kAbandoned, std::nullopt, now);
}

Result<void> EndAbandoned(Session& session, Id task, Instant now) {
  return EndAbandoned(session, PATRA_TRY(task_table::Read(session, task)), now);
}

Result<void> EndCancelled(Session& session, Id task, const std::string& reason, Instant now) {
  const domain::Evidence nothing_known;
  for (const auto batch : PATRA_TRY(batch_table::FindOpen(session, task))) {
    PATRA_TRY(batch_table::End(
        session, batch,
        {.status = domain::BatchStatus::kGivenBack, .error = reason, .evidence = nothing_known},
        now));
  }
  return run_table::EndOpen(session, task, domain::RunStatus::kCancelled, reason, std::nullopt,
                            now);
}

Result<void> EndGivenUp(Session& session, const app::RunGivenUp& given_up, Instant now) {
  const auto& task = given_up.task;
  if (!given_up.stats) return EndAbandoned(session, task, now);
  auto open = PATRA_TRY(batch_table::FindOpen(session, task.lineage.task));
  open.resize(1);  // a run has one at a time; 0 where none is open
  PATRA_TRY(EndBatch(session, task, open.front(),
                     {.error = given_up.reason, .evidence = given_up.evidence}, now));
  return run_table::EndOpen(session, task.lineage.task, domain::RunStatus::kFailed, given_up.reason,
                            given_up.stats, now);
}

Result<void> NoteSlowDown(Session& session, const app::LeasedTask& task,
                          const domain::RequestsSent& sent, Instant now) {
  const auto& met = sent.met;
  if (met.slowed == 0 && met.opened == 0) return {};
  return plan_table::AddSlowDown(session, task.lineage.plan,
                                 Value::Object{{"at", FormatRfc3339(now)},
                                               {"by", "gate"},
                                               {"task", fmt::to_string(task.lineage.task)},
                                               {"slower", std::int64_t{met.slowed}},
                                               {"circuitOpened", std::int64_t{met.opened}},
                                               {"throttled", std::int64_t{sent.throttled}}},
                                 now);
}

}  // namespace patra::infra::sql
