#include "infra/sql/task_queue.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "domain/task/fair_choice.h"
#include "infra/sql/audit_table.h"
#include "infra/sql/batch_table.h"
#include "infra/sql/end_runs.h"
#include "infra/sql/hold_repository.h"
#include "infra/sql/remark_table.h"
#include "infra/sql/rollup_table.h"
#include "infra/sql/run_table.h"
#include "infra/sql/slice_table.h"
#include "infra/sql/task_table.h"

namespace patra::infra::sql {
namespace {

// Latencies change, and a lane that rests has none.
constexpr Duration kLately = std::chrono::minutes(10);

// A lane's key is source/endpoint/operation.
bool IsHeld(const std::vector<domain::Hold>& holds, std::string_view lane_key) {
  const auto source_end = lane_key.find('/');
  const auto endpoint_end = lane_key.rfind('/');
  const auto source = lane_key.substr(0, source_end);
  const auto endpoint = lane_key.substr(source_end + 1, endpoint_end - source_end - 1);
  return std::ranges::any_of(
      holds, [&](const domain::Hold& hold) { return hold.Covers(source, endpoint); });
}

remark_table::Remark RemarkOf(std::string_view what, const app::Decision& decision) {
  return {.what = what, .why = decision.reason, .by = decision.actor.name};
}

Result<void> Reopen(Session& session, Id task, Id slice, const app::Decision& decision,
                    Instant now) {
  PATRA_TRY(slice_table::Reopen(session, slice, now));
  PATRA_TRY(remark_table::OnSlice(session, slice, RemarkOf("QUEUED_AGAIN", decision), now));
  // A walk that reached its end without success has nowhere to resume at.
  const auto last = PATRA_TRY(batch_table::FindLast(session, task));
  if (last && !last->after) PATRA_TRY(run_table::StartOverAfterLatest(session, task));
  return {};
}

}  // namespace

Result<std::vector<app::LeasedTask>> TaskQueue::Claim(const app::ClaimRequest& request) {
  auto leased = PATRA_TRY(
      database_.Write(LockScope::Queue(), [&](Session& session) -> Result<task_table::Leased> {
        const auto now = clock_.Now();
        PATRA_TRY(task_table::ReleaseDue(session, now));
        auto backlog = PATRA_TRY(BacklogOf(session, request));
        const auto holds =
            PATRA_TRY(HoldRepository::HoldsIn(session, domain::Role::kExecutor, now));
        std::erase_if(backlog.lanes, [&](const auto& lane) {
          const auto shut = request.shut.find(lane.key);
          return IsHeld(holds, lane.key) || (request.only && request.only->Key() != lane.key) ||
                 (shut != request.shut.end() && shut->second > now);
        });
        const auto chosen = domain::ChooseFairly(
            backlog.lanes, {.tasks_max = request.tasks_max,
                            .running_per_lane_max = request.running_per_lane_max,
                            .at_once = request.at_once,
                            .running_in_all = backlog.running});
        return task_table::Lease(session, chosen, request.owner, now + request.lease, now);
      }));
  claims_lost_ += leased.lost;
  return std::move(leased.tasks);
}

Result<task_table::Backlog> TaskQueue::BacklogOf(Session& session,
                                                 const app::ClaimRequest& request) {
  task_table::Lanes known;
  {
    const std::lock_guard lock(mutex_);
    known = lanes_;
  }
  auto backlog = PATRA_TRY(task_table::Backlogs(session, request.owner, request.tasks_max, known));
  const std::lock_guard lock(mutex_);
  lanes_ = std::move(known);
  return backlog;
}

Result<app::OpenTasks> TaskQueue::LookAt(const std::optional<domain::Lane>& only,
                                         const app::ShutLanes& shut) {
  return database_.Read([&](Session& session) -> Result<app::OpenTasks> {
    const auto now = clock_.Now();
    const auto holds = PATRA_TRY(HoldRepository::HoldsIn(session, domain::Role::kExecutor, now));
    app::OpenTasks open;
    for (const auto& lane : PATRA_TRY(task_table::OpenByLane(session))) {
      if (only && only->Key() != lane.key) continue;
      open.queued += lane.queued;
      open.running += lane.running;
      if (lane.queued == 0 || IsHeld(holds, lane.key)) continue;
      auto due = lane.next_due.value_or(now);
      if (const auto until = shut.find(lane.key); until != shut.end())
        due = std::max(due, until->second);
      open.next_due = std::min(open.next_due.value_or(due), due);
    }
    return open;
  });
}

Result<std::vector<Id>> TaskQueue::Renew(const std::string& owner, Duration lease) {
  return database_.Write(LockScope::RowsAlone(), [&](Session& session) {
    const auto now = clock_.Now();
    return task_table::Renew(session, owner, now + lease, now);
  });
}

Result<void> TaskQueue::Release(const app::LeasedTask& task, Instant scheduled_at,
                                const std::string& reason) {
  return database_.Write(
      LockScope::Source(task.lane.provenance), [&](Session& session) -> Result<void> {
        const auto now = clock_.Now();
        // Who waits for something gives back in good order; who has lost the lease got nowhere.
        const bool waits = reason != Name(domain::WaitReason::kNone);
        PATRA_TRY(
            task_table::GiveBack(session, task, scheduled_at, reason, std::nullopt, now, waits));
        PATRA_TRY(FailAbandonedRuns(session, task.lineage.task, now));
        return slice_table::GiveBack(session, task.lineage.slice, now);
      });
}

Result<int> TaskQueue::RescueExpired() {
  // Everybody looks all the time, and hardly ever is there anything to do.
  const bool is_any = PATRA_TRY(database_.Read(
      [&](Session& session) { return task_table::IsAnyExpired(session, clock_.Now()); }));
  if (!is_any) return 0;
  return database_.Write([&](Session& session) -> Result<int> {
    const auto now = clock_.Now();
    const auto rescued = PATRA_TRY(task_table::RescueExpired(session, now));
    for (const auto& [task, slice] : rescued) {
      PATRA_TRY(FailAbandonedRuns(session, task, now));
      PATRA_TRY(slice_table::GiveBack(session, slice, now));
      PATRA_TRY(remark_table::OnTask(session, task, {"LEASE_EXPIRED", ""}, now));
    }
    return static_cast<int>(rescued.size());
  });
}

Result<void> TaskQueue::TakeAway(Id task, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    const auto slice = PATRA_TRY(task_table::TakeAway(session, task, decision.reason, now));
    if (!slice) return Fail(ErrorCode::kConflict, fmt::format("task {} is not under way", task));
    PATRA_TRY(FailAbandonedRuns(session, task, now));
    PATRA_TRY(slice_table::GiveBack(session, *slice, now));
    PATRA_TRY(remark_table::OnTask(session, task, RemarkOf("TAKEN_AWAY", decision), now));
    return audit_table::Insert(session, "TAKE_AWAY", "TASK", fmt::to_string(task), decision,
                               ids_.Next(), now);
  });
}

Result<void> TaskQueue::Requeue(Id task, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    if (!PATRA_TRY(task_table::Unpark(session, task, now))) {
      const auto slice = PATRA_TRY(task_table::Requeue(session, task, now));
      if (!slice) {
        return Fail(ErrorCode::kConflict,
                    fmt::format("task {} is neither FAILED nor PARTIAL nor parked", task), {},
                    "only what has ended without success or waits can be queued again");
      }
      PATRA_TRY(Reopen(session, task, *slice, decision, now));
    }
    PATRA_TRY(remark_table::OnTask(session, task, RemarkOf("QUEUED_AGAIN", decision), now));
    return audit_table::Insert(session, "REQUEUE", "TASK", fmt::to_string(task), decision,
                               ids_.Next(), now);
  });
}

Result<std::int64_t> TaskQueue::FreeParked(const std::string& provenance,
                                           const std::string& gate_key,
                                           const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<std::int64_t> {
    const auto now = clock_.Now();
    const auto freed = PATRA_TRY(task_table::FreeParked(session, provenance, now));
    PATRA_TRY(audit_table::Insert(session, "RESET_GATE", "GATE_KEY", gate_key, decision,
                                  ids_.Next(), now,
                                  CanonicalJson(Value::Object{{"freedTasks", freed}})));
    return freed;
  });
}

Result<bool> TaskQueue::TryAgain(const domain::UnfinishedSlice& slice,
                                 const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<bool> {
    const auto now = clock_.Now();
    const auto queued = PATRA_TRY(task_table::TryAgain(session, slice.task, slice.tries, now));
    if (!queued) return false;
    PATRA_TRY(Reopen(session, slice.task, *queued, decision, now));
    PATRA_TRY(remark_table::OnTask(session, slice.task, RemarkOf("TRIED_AGAIN", decision), now));
    PATRA_TRY(audit_table::Insert(session, "TRY_AGAIN", "TASK", fmt::to_string(slice.task),
                                  decision, ids_.Next(), now));
    return true;
  });
}

Result<std::optional<domain::TaskWait>> TaskQueue::FirstParked(
    const std::optional<domain::Lane>& only) {
  return database_.Read([&](Session& session) {
    return task_table::FirstParked(session, only ? std::optional(only->Key()) : std::nullopt,
                                   clock_.Now());
  });
}

Result<app::LaneLatencies> TaskQueue::Latencies() {
  return database_.Read([&](Session& session) {
    return rollup_table::LatenciesSince(session, clock_.Now() - kLately);
  });
}

Result<app::OpenRequests> TaskQueue::CountRequests(const std::string& rate_key, int priority) {
  return database_.Read([&](Session& session) {
    return task_table::CountRequests(session, rate_key, priority, clock_.Now());
  });
}

Result<std::int64_t> TaskQueue::CountOpen(const domain::Lane& lane) {
  return database_.Read([&](Session& session) {
    return task_table::CountOpen(session, lane.provenance, Code(lane.operation), lane.endpoint);
  });
}

}  // namespace patra::infra::sql
