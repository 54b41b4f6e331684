// Tables scheduler_job_config and scheduler_execution_log.
#pragma once

#include "app/port/job_repository.h"
#include "base/clock.h"
#include "infra/sql/database.h"

namespace patra::infra::sql {

// Thread-safe.
class JobRepository final : public app::JobRepository {
 public:
  JobRepository(Database& database, const Clock& clock, IdGenerator& ids)
      : database_(database), clock_(clock), ids_(ids) {}

  Result<void> Put(const app::Job& job, const app::Decision& decision) override;
  Result<void> Remove(const std::string& job, const app::Decision& decision) override;
  Result<std::optional<app::Job>> Find(const std::string& job) override;
  Result<std::vector<app::Job>> List() override;
  Result<std::vector<app::Job>> Due(int jobs_max) override;
  Result<std::optional<app::Firing>> Claim(const app::Job& job, std::optional<Instant> next,
                                           const std::string& owner) override;
  Result<void> Finish(const app::Firing& firing, std::optional<Id> trigger,
                      const std::optional<std::string>& error) override;
  Result<std::vector<app::Firing>> Log(const std::string& job, int firings_max) override;

 private:
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
