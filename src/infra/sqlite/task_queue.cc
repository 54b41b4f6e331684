#include "infra/sqlite/task_queue.h"

#include "domain/task/fair_choice.h"
#include "infra/sqlite/slice_table.h"
#include "infra/sqlite/task_table.h"

namespace patra::infra::sqlite {

Result<std::vector<app::LeasedTask>> TaskQueue::Claim(const app::ClaimRequest& request) {
  return store_.Write([&](Connection& connection) -> Result<std::vector<app::LeasedTask>> {
    const auto now = clock_.Now();
    PATRA_TRY(task_table::ReleaseDue(connection, now));
    const auto backlogs = PATRA_TRY(task_table::Backlogs(connection, request.tasks_max));
    const auto running = PATRA_TRY(task_table::CountRunning(connection));
    const auto chosen =
        domain::ChooseFairly(backlogs, running,
                             {.tasks_max = request.tasks_max,
                              .running_per_partition_max = request.running_per_partition_max,
                              .running_max = request.running_max});

    std::vector<app::LeasedTask> leased;
    for (const auto id : chosen) {
      if (!PATRA_TRY(task_table::Lease(connection, id, request.owner, now + request.lease, now)))
        continue;
      leased.push_back(PATRA_TRY(task_table::Read(connection, id)));
    }
    return leased;
  });
}

Result<std::vector<Id>> TaskQueue::Renew(const std::string& owner, Duration lease) {
  return store_.Write([&](Connection& connection) {
    const auto now = clock_.Now();
    return task_table::Renew(connection, owner, now + lease, now);
  });
}

Result<void> TaskQueue::Release(const app::LeasedTask& task, Instant scheduled_at,
                                const std::string& reason) {
  return store_.Write([&](Connection& connection) -> Result<void> {
    const auto now = clock_.Now();
    PATRA_TRY(task_table::GiveBack(connection, task, scheduled_at, reason, now));
    return slice_table::GiveBack(connection, task.lineage.slice, now);
  });
}

Result<int> TaskQueue::RescueExpired() {
  return store_.Write([&](Connection& connection) -> Result<int> {
    const auto now = clock_.Now();
    const auto slices = PATRA_TRY(task_table::RescueExpired(connection, now));
    for (const auto slice : slices) PATRA_TRY(slice_table::GiveBack(connection, slice, now));
    return static_cast<int>(slices.size());
  });
}

Result<std::int64_t> TaskQueue::CountOpen(const domain::Partition& partition) {
  return store_.Read([&](Connection& connection) {
    return task_table::CountOpen(connection, partition.provenance, Code(partition.operation),
                                 partition.endpoint);
  });
}

}  // namespace patra::infra::sqlite
