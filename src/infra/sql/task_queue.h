#pragma once

#include <atomic>
#include <mutex>

#include "app/port/task_queue.h"
#include "base/clock.h"
#include "base/id.h"
#include "infra/sql/database.h"
#include "infra/sql/task_table.h"

namespace patra::infra::sql {

// Thread-safe. Every process on this machine shares the clock, so its time decides about leases.
class TaskQueue final : public app::TaskQueue {
 public:
  TaskQueue(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<std::vector<app::LeasedTask>> Claim(const app::ClaimRequest& request) override;
  std::int64_t TakeLostClaims() override { return claims_lost_.exchange(0); }
  Result<std::vector<Id>> Renew(const std::string& owner, Duration lease) override;
  Result<void> Release(const app::LeasedTask& task, Instant scheduled_at,
                       const std::string& reason) override;
  Result<int> RescueExpired() override;
  Result<void> Requeue(Id task, const app::Decision& decision) override;
  Result<bool> TryAgain(const domain::UnfinishedSlice& slice,
                        const app::Decision& decision) override;
  Result<std::int64_t> FreeParked(const std::string& provenance, const std::string& gate_key,
                                  const app::Decision& decision) override;
  Result<void> TakeAway(Id task, const app::Decision& decision) override;
  Result<std::optional<domain::TaskWait>> FirstParked(
      const std::optional<domain::Lane>& only) override;
  Result<app::OpenTasks> LookAt(const std::optional<domain::Lane>& only,
                                const app::ShutLanes& shut) override;
  Result<std::int64_t> CountOpen(const domain::Lane& lane) override;
  Result<app::LaneLatencies> Latencies() override;
  Result<app::OpenRequests> CountRequests(const std::string& rate_key, int priority) override;

 private:
  Result<task_table::Backlog> BacklogOf(Session& session, const app::ClaimRequest& request);

  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;

  std::atomic<std::int64_t> claims_lost_{0};
  std::mutex mutex_;         // guards lanes_
  task_table::Lanes lanes_;  // that were met
};

}  // namespace patra::infra::sql
