#include "infra/sql/job_repository.h"

#include <fmt/format.h>

#include "infra/sql/audit_table.h"
#include "infra/sql/firing_table.h"
#include "infra/sql/job_table.h"

namespace patra::infra::sql {

Result<void> JobRepository::Put(const app::Job& job, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    const auto now = clock_.Now();
    const bool put = job.version == 0 ? PATRA_TRY(job_table::Insert(session, job, ids_.Next(), now))
                                      : PATRA_TRY(job_table::Update(session, job, now));
    if (!put) {
      return Fail(ErrorCode::kConflict,
                  job.version == 0
                      ? fmt::format("a job \"{}\" exists already", job.id)
                      : fmt::format("job \"{}\" was changed or removed meanwhile", job.id),
                  {}, "read the job again and repeat the change");
    }
    return audit_table::Insert(session, "PUT", "JOB", job.id, decision, ids_.Next(), now);
  });
}

Result<void> JobRepository::Remove(const std::string& job, const app::Decision& decision) {
  return database_.Write([&](Session& session) -> Result<void> {
    if (!PATRA_TRY(job_table::Remove(session, job)))
      return Fail(ErrorCode::kNotFound, fmt::format("there is no job \"{}\"", job));
    return audit_table::Insert(session, "REMOVE", "JOB", job, decision, ids_.Next(), clock_.Now());
  });
}

Result<std::optional<app::Job>> JobRepository::Find(const std::string& job) {
  return database_.Read([&](Session& session) { return job_table::Find(session, job); });
}

Result<std::vector<app::Job>> JobRepository::List() {
  return database_.Read([&](Session& session) { return job_table::List(session); });
}

Result<std::vector<app::Job>> JobRepository::Due(int jobs_max) {
  return database_.Read(
      [&](Session& session) { return job_table::Due(session, jobs_max, clock_.Now()); });
}

Result<std::optional<app::Firing>> JobRepository::Claim(const app::Job& job,
                                                        std::optional<Instant> next,
                                                        const std::string& owner) {
  PATRA_ASSERT(job.next_fire_at.has_value());
  return database_.Write([&](Session& session) -> Result<std::optional<app::Firing>> {
    const auto now = clock_.Now();
    if (!PATRA_TRY(job_table::MoveOn(session, job, next, now))) return std::nullopt;
    app::Firing firing{.id = ids_.Next(),
                       .job = job.id,
                       .fired_at = *job.next_fire_at,
                       .claimed_by = owner,
                       .started_at = now};
    // A job that was put back to a moment it has fired at does not fire at it again.
    if (!PATRA_TRY(firing_table::Insert(session, firing))) return std::nullopt;
    return firing;
  });
}

Result<void> JobRepository::Finish(const app::Firing& firing, std::optional<Id> trigger,
                                   const std::optional<std::string>& error) {
  return database_.Write([&](Session& session) -> Result<void> {
    if (PATRA_TRY(firing_table::Finish(session, firing.id, trigger, error, clock_.Now())))
      return {};
    return Fail(ErrorCode::kConflict,
                fmt::format("firing {} of job \"{}\" has ended already", firing.id, firing.job));
  });
}

Result<std::vector<app::Firing>> JobRepository::Log(const std::string& job, int firings_max) {
  return database_.Read(
      [&](Session& session) { return firing_table::Read(session, job, firings_max); });
}

}  // namespace patra::infra::sql
