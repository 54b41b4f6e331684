// Table scheduler_execution_log, and what its executions' plans have come to.
#pragma once

#include "app/port/execution_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class ExecutionRepository final : public app::ExecutionRepository {
 public:
  ExecutionRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<std::vector<domain::Execution>> Claim(std::span<const app::DueJob> due,
                                               const std::string& owner) override;
  Result<domain::Execution> AddManual(const std::string& job,
                                      const app::Decision& decision) override;
  Result<std::optional<domain::Execution>> Take(const std::string& owner, Duration lease) override;
  Result<void> GiveBack(const domain::Execution& taken, Instant until,
                        const std::string& note) override;
  Result<std::optional<app::PlannedBefore>> FindPlanned(
      const domain::Execution& execution) override;
  Result<bool> Start(const domain::Execution& taken, const app::ExecutionPlanned& planned) override;
  Result<bool> End(const domain::Execution& execution, domain::ExecutionStatus status,
                   const std::string& reason) override;
  Result<std::optional<domain::Execution>> TakeRest(Instant untouched_since) override;
  Result<std::vector<domain::Execution>> Running(Id after, int executions_max) override;
  Result<std::optional<app::PlanLook>> LookAt(Id plan, bool who) override;
  Result<std::vector<domain::Execution>> Log(const app::ExecutionFilter& filter) override;
  Result<int> Forget(Instant before, int executions_max) override;

 private:
  Result<std::optional<domain::Execution>> ClaimOne(Session& session, const app::DueJob& due,
                                                    const std::string& owner, Instant now);

  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
