#include "infra/sql/plan_repository.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "infra/sql/audit_table.h"
#include "infra/sql/end_runs.h"
#include "infra/sql/enumerated_id_table.h"
#include "infra/sql/item_views.h"
#include "infra/sql/plan_table.h"
#include "infra/sql/prove_window.h"
#include "infra/sql/refresh_cursor.h"
#include "infra/sql/remark_table.h"
#include "infra/sql/schedule_instance_table.h"
#include "infra/sql/slice_table.h"
#include "infra/sql/task_table.h"

namespace patra::infra::sql {
namespace {

// A plan of a million tasks is withdrawn in small transactions, so that executors get their turn.
constexpr int kTasksPerTransaction = 1000;

// The planner found these ids; no batch did.
constexpr Id kNoBatch = 0;

using Works = std::vector<const domain::SliceWithTask*>;

// Those whose slices and tasks are new.
Result<Works> AddWork(Session& session, const domain::Plan& plan, const Works& works, Instant now) {
  return task_table::InsertAll(session, plan,
                               PATRA_TRY(slice_table::InsertAll(session, plan, works, now)), now);
}

// Writers come one after the other, so that what is counted here holds until these tasks are in the queue.
Result<void> MakeRoom(Session& session, const domain::Plan& plan,
                      std::span<const app::IdSlice> slices, const app::RequestRoom& room,
                      Instant now) {
  std::int64_t wanted = 0;
  for (const auto& slice : slices) wanted += slice.work.task.requests_left;
  const auto open =
      PATRA_TRY(task_table::CountRequests(session, plan.rate_key, plan.priority, now));
  const bool is_alone = open.ahead == 0 && slices.size() == 1;
  if (open.ahead + wanted > room.requests && !is_alone) {
    return Fail(ErrorCode::kLimit,
                fmt::format("{} more requests are wanted where {} are allowed and {} planned",
                            wanted, room.requests, open.ahead));
  }
  const auto too_many = open.ahead + open.behind + wanted - room.requests;
  if (too_many <= 0 || open.behind == 0 || !room.more_from) return {};
  return task_table::RollOver(session, plan.rate_key, plan.priority, too_many, *room.more_from,
                              now);
}

// The slices and runs of tasks that were cancelled follow them.
Result<std::int64_t> CancelBehind(Session& session,
                                  const std::vector<task_table::TaskOfSlice>& tasks,
                                  const app::Decision& decision, Instant now) {
  const remark_table::Remark remark{
      .what = "CANCELLED", .why = decision.reason, .by = decision.actor.name};
  std::int64_t slices = 0;
  for (const auto& [task, slice] : tasks) {
    PATRA_TRY(CancelRuns(session, task, decision.reason, now));
    PATRA_TRY(remark_table::OnTask(session, task, remark, now));
    if (!PATRA_TRY(slice_table::Cancel(session, slice, decision.reason, now))) continue;
    PATRA_TRY(remark_table::OnSlice(session, slice, remark, now));
    ++slices;
  }
  return slices;
}

}  // namespace

Result<void> PlanRepository::RecordTrigger(const domain::Trigger& trigger) {
  return database_.Write([&](Session& session) {
    return schedule_instance_table::Insert(session, trigger, clock_.Now());
  });
}

Result<void> PlanRepository::RemarkOnTrigger(Id trigger, const Value& remark) {
  return database_.Write([&](Session& session) {
    return schedule_instance_table::AddRemark(session, trigger, remark, clock_.Now());
  });
}

Result<app::PlanAdded> PlanRepository::AddIfAbsent(const domain::Plan& plan) {
  const auto added = PATRA_TRY(database_.Write([&](Session& session) -> Result<app::PlanAdded> {
    const bool is_new = PATRA_TRY(plan_table::Insert(session, plan, clock_.Now()));
    if (is_new) return app::PlanAdded{plan.id, true, domain::PlanStatus::kDraft};
    const auto found = PATRA_TRY(plan_table::FindByKey(session, plan.key));
    PATRA_ASSERT(found.has_value());
    return app::PlanAdded{found->id, false, found->status};
  }));
  // Apart: on some databases a change of the schema ends the transaction that it is in.
  if (added.is_new) {
    PATRA_TRY(database_.Write(
        [&](Session& session) { return ItemViews::RefreshIn(session, plan.snapshot); }));
  }
  return added;
}

Result<int> PlanRepository::AddSlices(const domain::Plan& plan,
                                      std::span<const domain::SliceWithTask> slices,
                                      const app::SlicingProgress& progress) {
  std::optional<domain::CursorMove> moved;
  const auto scope = LockScope::Source(plan.lane.provenance);
  const auto added = PATRA_TRY(database_.Write(scope, [&](Session& session) -> Result<int> {
    const auto now = clock_.Now();
    Works works;
    for (const auto& work : slices) works.push_back(&work);
    const auto count = static_cast<int>(PATRA_TRY(AddWork(session, plan, works, now)).size());
    PATRA_TRY(plan_table::SetProgress(session, plan.id, progress, now));
    // Another planner may have left it PARTIAL meanwhile.
    moved = PATRA_TRY(CompleteIfDone(session, plan.id, now));
    return count;
  }));
  if (moved) PATRA_TRY(cursors_.Follow(*moved));
  return added;
}

Result<int> PlanRepository::AddIdSlices(const domain::Plan& plan,
                                        std::span<const app::IdSlice> slices,
                                        const app::SlicingProgress& progress,
                                        const std::optional<app::RequestRoom>& room) {
  return database_.Write([&](Session& session) -> Result<int> {
    const auto now = clock_.Now();
    if (room) PATRA_TRY(MakeRoom(session, plan, slices, *room, now));
    Works works;
    for (const auto& slice : slices) works.push_back(&slice.work);
    const auto added = PATRA_TRY(AddWork(session, plan, works, now));
    for (const auto& [work, ids] : slices) {
      if (std::ranges::find(added, &work) == added.end()) continue;
      const std::set<std::string_view> each(ids.begin(), ids.end());
      std::vector<enumerated_id_table::Found> open;
      for (const auto id : each) open.push_back({id});
      PATRA_TRY(enumerated_id_table::Add(session, work.slice.id, open, kNoBatch, now));
    }
    PATRA_TRY(plan_table::SetProgress(session, plan.id, progress, now));
    return static_cast<int>(added.size());
  });
}

Result<void> PlanRepository::Move(Id plan, domain::PlanStatus to) {
  const auto moved =
      PATRA_TRY(database_.Write([&](Session& session) -> Result<std::optional<domain::CursorMove>> {
        const auto now = clock_.Now();
        PATRA_TRY(plan_table::Move(session, plan, to, now));
        return CompleteIfDone(session, plan, now);
      }));
  if (moved) PATRA_TRY(cursors_.Follow(*moved));
  return {};
}

// Executors may have finished every slice while the planner was still cutting.
Result<std::optional<domain::CursorMove>> PlanRepository::CompleteIfDone(Session& session, Id plan,
                                                                         Instant now) {
  if (!PATRA_TRY(plan_table::CompleteIfDone(session, plan, now))) return std::nullopt;
  if (auto move = PATRA_TRY(ProvePages(session, plan, ids_, now))) return move;
  return RecordRefresh(session, {.plan = plan}, kUncheckedAtEnd, ids_.Next(), now);
}

Result<void> PlanRepository::Remark(Id plan, const Value& remarks) {
  return database_.Write([&](Session& session) {
    return plan_table::AddRemarks(session, plan, remarks, clock_.Now());
  });
}

Result<std::optional<app::StoredPlan>> PlanRepository::Find(Id plan) {
  return database_.Read([&](Session& session) { return plan_table::Read(session, plan); });
}

Result<std::optional<Id>> PlanRepository::FindUncut(const domain::Lane& lane,
                                                    const domain::CursorNamespace& cursor) {
  return database_.Read(
      [&](Session& session) { return plan_table::FindUncut(session, lane, cursor); });
}

Result<std::vector<app::OlderPlan>> PlanRepository::OfOtherSnapshots(
    const domain::Lane& lane, const std::string& fingerprint) {
  return database_.Read(
      [&](Session& session) { return plan_table::OfOtherSnapshots(session, lane, fingerprint); });
}

Result<std::vector<domain::Window>> PlanRepository::OpenStretches(const domain::Lane& lane,
                                                                  const std::string& query_hash,
                                                                  const domain::Window& window) {
  return database_.Read([&](Session& session) {
    return slice_table::OpenStretches(session, lane, query_hash, window);
  });
}

Result<std::vector<domain::UnfinishedSlice>> PlanRepository::Unfinished(
    const domain::Lane& lane, const std::string& query_hash,
    const std::optional<domain::Window>& window) {
  return database_.Read(
      [&](Session& session) { return slice_table::Unfinished(session, lane, query_hash, window); });
}

Result<std::vector<domain::UnfinishedSlice>> PlanRepository::UnfinishedOf(Id plan) {
  return database_.Read([&](Session& session) { return slice_table::UnfinishedOf(session, plan); });
}

Result<app::Cancelled> PlanRepository::CancelPlan(Id plan, const app::Decision& decision) {
  // The plan first: no planner adds to it from here on.
  PATRA_TRY(database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    const auto stored = PATRA_TRY(plan_table::Read(session, plan));
    if (!stored) return Fail(ErrorCode::kNotFound, fmt::format("there is no plan {}", plan));
    if (!domain::MayMove(stored->status, domain::PlanStatus::kCancelled)) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("plan {} is {}: there is nothing left to withdraw", plan,
                              Code(stored->status)));
    }
    PATRA_TRY(plan_table::Move(session, plan, domain::PlanStatus::kCancelled, now));
    return audit_table::Insert(session, "CANCEL", "PLAN", fmt::to_string(plan), decision,
                               ids_.Next(), now);
  }));
  app::Cancelled cancelled{.plans = 1};
  while (true) {
    const auto tasks = PATRA_TRY(
        database_.Write([&](Session& session) -> Result<std::vector<task_table::TaskOfSlice>> {
          const auto now = clock_.Now();
          auto some = PATRA_TRY(
              task_table::CancelOfPlan(session, plan, decision.reason, kTasksPerTransaction, now));
          cancelled.slices += PATRA_TRY(CancelBehind(session, some, decision, now));
          return some;
        }));
    cancelled.tasks += static_cast<std::int64_t>(tasks.size());
    if (tasks.size() < kTasksPerTransaction) return cancelled;
  }
}

Result<app::Cancelled> PlanRepository::CancelSlice(Id slice, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<app::Cancelled> {
    const auto task = PATRA_TRY(task_table::FindOfSlice(session, slice));
    if (!task) return Fail(ErrorCode::kNotFound, fmt::format("there is no slice {}", slice));
    PATRA_TRY(audit_table::Insert(session, "CANCEL", "SLICE", fmt::to_string(slice), decision,
                                  ids_.Next(), clock_.Now()));
    return CancelOne(session, *task, decision);
  });
}

Result<app::Cancelled> PlanRepository::CancelTask(Id task, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<app::Cancelled> {
    PATRA_TRY(audit_table::Insert(session, "CANCEL", "TASK", fmt::to_string(task), decision,
                                  ids_.Next(), clock_.Now()));
    return CancelOne(session, task, decision);
  });
}

Result<app::Cancelled> PlanRepository::CancelOne(Session& session, Id task,
                                                 const app::Decision& decision) {
  const auto now = clock_.Now();
  const auto plan = PATRA_TRY(task_table::PlanOf(session, task));
  if (!plan) return Fail(ErrorCode::kNotFound, fmt::format("there is no task {}", task));
  const auto tasks = PATRA_TRY(task_table::Cancel(session, task, decision.reason, now));
  if (tasks.empty())
    return Fail(ErrorCode::kConflict, fmt::format("task {} has ended already", task), {},
                "only what is queued or running can be cancelled");
  const auto slices = PATRA_TRY(CancelBehind(session, tasks, decision, now));
  PATRA_TRY(plan_table::CompleteIfDone(session, *plan, now));
  return app::Cancelled{.slices = slices, .tasks = 1};
}

}  // namespace patra::infra::sql
