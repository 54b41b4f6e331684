#include "infra/sql/job_repository.h"

#include <fmt/format.h>

#include "infra/sql/audit_table.h"
#include "infra/sql/job_table.h"

namespace patra::infra::sql {

Result<void> JobRepository::Put(std::span<const domain::Job> jobs, const app::Decision& decision) {
  return database_.Write(LockScope::Schedule(), [&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    for (const auto& job : jobs) {
      const bool is_new = job.version == 0;
      const bool put = is_new ? PATRA_TRY(job_table::Insert(session, job, ids_.Next(), now))
                              : PATRA_TRY(job_table::Update(session, job, now));
      if (!put) {
        return Fail(ErrorCode::kConflict,
                    is_new ? fmt::format("a job \"{}\" exists already", job.id)
                           : fmt::format("job \"{}\" was changed or removed meanwhile", job.id),
                    {}, "read the job again and repeat the change");
      }
      PATRA_TRY(audit_table::Insert(session, "PUT", "JOB", job.id, decision, ids_.Next(), now));
    }
    return {};
  });
}

Result<void> JobRepository::Remove(const std::string& job, const app::Decision& decision) {
  return database_.Write(LockScope::Schedule(), [&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    if (!PATRA_TRY(job_table::Remove(session, job, now)))
      return Fail(ErrorCode::kNotFound, fmt::format("there is no job \"{}\"", job));
    return audit_table::Insert(session, "REMOVE", "JOB", job, decision, ids_.Next(), now);
  });
}

Result<std::optional<domain::Job>> JobRepository::Find(const std::string& job) {
  return database_.Read([&](Session& session) { return job_table::Find(session, job); });
}

Result<std::vector<domain::Job>> JobRepository::List() {
  return database_.Read([&](Session& session) { return job_table::List(session); });
}

Result<std::vector<domain::Job>> JobRepository::Due(int jobs_max) {
  return database_.Read(
      [&](Session& session) { return job_table::Due(session, jobs_max, clock_.Now()); });
}

}  // namespace patra::infra::sql
