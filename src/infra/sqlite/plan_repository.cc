#include "infra/sqlite/plan_repository.h"

#include <fmt/format.h>

#include "infra/sqlite/audit_table.h"
#include "infra/sqlite/enumerated_id_table.h"
#include "infra/sqlite/item_views.h"
#include "infra/sqlite/plan_table.h"
#include "infra/sqlite/prove_window.h"
#include "infra/sqlite/refresh_cursor.h"
#include "infra/sqlite/run_table.h"
#include "infra/sqlite/schedule_instance_table.h"
#include "infra/sqlite/slice_table.h"
#include "infra/sqlite/task_table.h"

namespace patra::infra::sqlite {
namespace {

// A plan of a million tasks is withdrawn in small transactions, so that executors get their turn.
constexpr int kTasksPerTransaction = 1000;

// The planner found these ids; no batch did.
constexpr Id kNoBatch = 0;

// Whether the task is new.
Result<bool> AddWork(Connection& connection, const domain::Plan& plan,
                     const domain::SliceWithTask& work, Instant now) {
  if (!PATRA_TRY(slice_table::Insert(connection, plan, work.slice, now))) return false;
  return task_table::Insert(connection, plan, work, now);
}

// Writers come one after the other, so that what is counted here holds until these tasks are in the queue.
Result<void> MakeRoom(Connection& connection, const domain::Plan& plan,
                      std::span<const app::IdSlice> slices, const app::RequestRoom& room,
                      Instant now) {
  std::int64_t wanted = 0;
  for (const auto& slice : slices) wanted += slice.work.task.requests_left;
  const auto open =
      PATRA_TRY(task_table::CountRequests(connection, plan.rate_key, plan.priority, now));
  const bool is_alone = open.ahead == 0 && slices.size() == 1;
  if (open.ahead + wanted > room.requests && !is_alone) {
    return Fail(ErrorCode::kLimit,
                fmt::format("{} more requests are wanted where {} are allowed and {} planned",
                            wanted, room.requests, open.ahead));
  }
  const auto too_many = open.ahead + open.behind + wanted - room.requests;
  if (too_many <= 0 || open.behind == 0 || !room.more_from) return {};
  return task_table::RollOver(connection, plan.rate_key, plan.priority, too_many, *room.more_from,
                              now);
}

// The slices and runs of tasks that were cancelled follow them.
Result<std::int64_t> CancelBehind(Connection& connection,
                                  const std::vector<task_table::CancelledTask>& tasks,
                                  const std::string& reason, Instant now) {
  std::int64_t slices = 0;
  for (const auto& [task, slice] : tasks) {
    PATRA_TRY(run_table::CancelOf(connection, task, reason, now));
    if (PATRA_TRY(slice_table::Cancel(connection, slice, reason, now))) ++slices;
  }
  return slices;
}

}  // namespace

Result<void> PlanRepository::RecordTrigger(const domain::Trigger& trigger) {
  return store_.Write([&](Connection& connection) {
    return schedule_instance_table::Insert(connection, trigger, clock_.Now());
  });
}

Result<void> PlanRepository::RemarkOnTrigger(Id trigger, const Value& remark) {
  return store_.Write([&](Connection& connection) {
    return schedule_instance_table::AddRemark(connection, trigger, remark, clock_.Now());
  });
}

Result<app::PlanAdded> PlanRepository::AddIfAbsent(const domain::Plan& plan) {
  return store_.Write([&](Connection& connection) -> Result<app::PlanAdded> {
    const bool is_new = PATRA_TRY(plan_table::Insert(connection, plan, clock_.Now()));
    if (is_new) {
      PATRA_TRY(ItemViews::RefreshIn(connection, plan.snapshot));
      return app::PlanAdded{plan.id, true, domain::PlanStatus::kDraft};
    }
    const auto found = PATRA_TRY(plan_table::FindByKey(connection, plan.key));
    PATRA_ASSERT(found.has_value());
    return app::PlanAdded{found->id, false, found->status};
  });
}

Result<int> PlanRepository::AddSlices(const domain::Plan& plan,
                                      std::span<const domain::SliceWithTask> slices,
                                      const app::SlicingProgress& progress) {
  std::optional<domain::CursorMove> moved;
  const auto added = PATRA_TRY(store_.Write([&](Connection& connection) -> Result<int> {
    const auto now = clock_.Now();
    int count = 0;
    for (const auto& work : slices) {
      if (PATRA_TRY(AddWork(connection, plan, work, now))) ++count;
    }
    PATRA_TRY(plan_table::SetProgress(connection, plan.id, progress, now));
    // Another planner may have left it PARTIAL meanwhile.
    moved = PATRA_TRY(CompleteIfDone(connection, plan.id, now));
    return count;
  }));
  if (moved) PATRA_TRY(cursors_.Follow(*moved));
  return added;
}

Result<int> PlanRepository::AddIdSlices(const domain::Plan& plan,
                                        std::span<const app::IdSlice> slices,
                                        const app::SlicingProgress& progress,
                                        const std::optional<app::RequestRoom>& room) {
  return store_.Write([&](Connection& connection) -> Result<int> {
    const auto now = clock_.Now();
    if (room) PATRA_TRY(MakeRoom(connection, plan, slices, *room, now));
    int added = 0;
    for (const auto& [work, ids] : slices) {
      if (!PATRA_TRY(AddWork(connection, plan, work, now))) continue;
      ++added;
      for (const auto& id : ids)
        PATRA_TRY(enumerated_id_table::Add(connection, work.slice.id, id, kNoBatch, now));
    }
    PATRA_TRY(plan_table::SetProgress(connection, plan.id, progress, now));
    return added;
  });
}

Result<void> PlanRepository::Move(Id plan, domain::PlanStatus to) {
  const auto moved = PATRA_TRY(
      store_.Write([&](Connection& connection) -> Result<std::optional<domain::CursorMove>> {
        const auto now = clock_.Now();
        PATRA_TRY(plan_table::Move(connection, plan, to, now));
        return CompleteIfDone(connection, plan, now);
      }));
  if (moved) PATRA_TRY(cursors_.Follow(*moved));
  return {};
}

// Executors may have finished every slice while the planner was still cutting.
Result<std::optional<domain::CursorMove>> PlanRepository::CompleteIfDone(Connection& connection,
                                                                         Id plan, Instant now) {
  if (!PATRA_TRY(plan_table::CompleteIfDone(connection, plan, now))) return std::nullopt;
  if (auto move = PATRA_TRY(ProvePages(connection, plan, ids_, now))) return move;
  return RecordRefresh(connection, {.plan = plan}, kUncheckedAtEnd, ids_.Next(), now);
}

Result<void> PlanRepository::Remark(Id plan, const Value& remarks) {
  return store_.Write([&](Connection& connection) {
    return plan_table::AddRemarks(connection, plan, remarks, clock_.Now());
  });
}

Result<std::optional<app::StoredPlan>> PlanRepository::Find(Id plan) {
  return store_.Read([&](Connection& connection) { return plan_table::Read(connection, plan); });
}

Result<std::optional<Id>> PlanRepository::FindUncut(const domain::Partition& partition,
                                                    const domain::CursorNamespace& cursor) {
  return store_.Read(
      [&](Connection& connection) { return plan_table::FindUncut(connection, partition, cursor); });
}

Result<std::vector<domain::Window>> PlanRepository::OpenStretches(
    const domain::Partition& partition, const std::string& query_hash,
    const domain::Window& window) {
  return store_.Read([&](Connection& connection) {
    return slice_table::OpenStretches(connection, partition, query_hash, window);
  });
}

Result<std::vector<domain::UnfinishedSlice>> PlanRepository::Unfinished(
    const domain::Partition& partition, const std::string& query_hash,
    const std::optional<domain::Window>& window) {
  return store_.Read([&](Connection& connection) {
    return slice_table::Unfinished(connection, partition, query_hash, window);
  });
}

Result<std::vector<domain::UnfinishedSlice>> PlanRepository::UnfinishedOf(Id plan) {
  return store_.Read(
      [&](Connection& connection) { return slice_table::UnfinishedOf(connection, plan); });
}

Result<app::Cancelled> PlanRepository::CancelPlan(Id plan, const app::Decision& decision) {
  // The plan first: no planner adds to it from here on.
  PATRA_TRY(store_.Write([&](Connection& connection) -> Result<void> {
    const auto now = clock_.Now();
    const auto stored = PATRA_TRY(plan_table::Read(connection, plan));
    if (!stored) return Fail(ErrorCode::kNotFound, fmt::format("there is no plan {}", plan));
    if (!domain::MayMove(stored->status, domain::PlanStatus::kCancelled)) {
      return Fail(ErrorCode::kConflict,
                  fmt::format("plan {} is {}: there is nothing left to withdraw", plan,
                              Code(stored->status)));
    }
    PATRA_TRY(plan_table::Move(connection, plan, domain::PlanStatus::kCancelled, now));
    return audit_table::Insert(connection, "CANCEL", "PLAN", fmt::to_string(plan), decision,
                               ids_.Next(), now);
  }));
  app::Cancelled cancelled{.plans = 1};
  while (true) {
    const auto tasks = PATRA_TRY(
        store_.Write([&](Connection& connection) -> Result<std::vector<task_table::CancelledTask>> {
          const auto now = clock_.Now();
          auto some = PATRA_TRY(task_table::CancelOfPlan(connection, plan, decision.reason,
                                                         kTasksPerTransaction, now));
          cancelled.slices += PATRA_TRY(CancelBehind(connection, some, decision.reason, now));
          return some;
        }));
    cancelled.tasks += static_cast<std::int64_t>(tasks.size());
    if (tasks.size() < kTasksPerTransaction) return cancelled;
  }
}

Result<app::Cancelled> PlanRepository::CancelSlice(Id slice, const app::Decision& decision) {
  return store_.Write([&](Connection& connection) -> Result<app::Cancelled> {
    const auto task = PATRA_TRY(task_table::FindOfSlice(connection, slice));
    if (!task) return Fail(ErrorCode::kNotFound, fmt::format("there is no slice {}", slice));
    PATRA_TRY(audit_table::Insert(connection, "CANCEL", "SLICE", fmt::to_string(slice), decision,
                                  ids_.Next(), clock_.Now()));
    return CancelOne(connection, *task, decision);
  });
}

Result<app::Cancelled> PlanRepository::CancelTask(Id task, const app::Decision& decision) {
  return store_.Write([&](Connection& connection) -> Result<app::Cancelled> {
    PATRA_TRY(audit_table::Insert(connection, "CANCEL", "TASK", fmt::to_string(task), decision,
                                  ids_.Next(), clock_.Now()));
    return CancelOne(connection, task, decision);
  });
}

Result<app::Cancelled> PlanRepository::CancelOne(Connection& connection, Id task,
                                                 const app::Decision& decision) {
  const auto now = clock_.Now();
  const auto plan = PATRA_TRY(task_table::PlanOf(connection, task));
  if (!plan) return Fail(ErrorCode::kNotFound, fmt::format("there is no task {}", task));
  const auto tasks = PATRA_TRY(task_table::Cancel(connection, task, decision.reason, now));
  if (tasks.empty())
    return Fail(ErrorCode::kConflict, fmt::format("task {} has ended already", task), {},
                "only what is queued or running can be cancelled");
  const auto slices = PATRA_TRY(CancelBehind(connection, tasks, decision.reason, now));
  PATRA_TRY(plan_table::CompleteIfDone(connection, *plan, now));
  return app::Cancelled{.slices = slices, .tasks = 1};
}

}  // namespace patra::infra::sqlite
