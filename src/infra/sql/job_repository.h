// Table scheduler_job_config.
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

  using app::JobRepository::Put;
  Result<void> Put(std::span<const domain::Job> jobs, const app::Decision& decision) override;
  Result<void> Remove(const std::string& job, const app::Decision& decision) override;
  Result<std::optional<domain::Job>> Find(const std::string& job) override;
  Result<std::vector<domain::Job>> List() override;
  Result<std::vector<domain::Job>> Due(int jobs_max) override;

 private:
  Database& database_;
  const Clock& clock_;
  IdGenerator& ids_;
};

}  // namespace patra::infra::sql
