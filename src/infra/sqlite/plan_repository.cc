#include "infra/sqlite/plan_repository.h"

#include "infra/sqlite/item_views.h"
#include "infra/sqlite/plan_table.h"
#include "infra/sqlite/schedule_instance_table.h"
#include "infra/sqlite/slice_table.h"
#include "infra/sqlite/task_table.h"

namespace patra::infra::sqlite {

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
                                      Instant sliced_to) {
  return store_.Write([&](Connection& connection) -> Result<int> {
    const auto now = clock_.Now();
    int added = 0;
    for (const auto& work : slices) {
      if (!PATRA_TRY(slice_table::Insert(connection, plan, work.slice, now))) continue;
      if (PATRA_TRY(task_table::Insert(connection, plan, work, now))) ++added;
    }
    PATRA_TRY(plan_table::SetSlicedTo(connection, plan.id, sliced_to, now));
    return added;
  });
}

Result<void> PlanRepository::Move(Id plan, domain::PlanStatus to) {
  return store_.Write(
      [&](Connection& connection) { return plan_table::Move(connection, plan, to, clock_.Now()); });
}

}  // namespace patra::infra::sqlite
