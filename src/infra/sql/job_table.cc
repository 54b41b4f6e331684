#include "infra/sql/job_table.h"

namespace patra::infra::sql::job_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO scheduler_job_config
        (id, job_id, provenance_code, endpoint_name, operation_code, cron_expression, timezone, params, enabled,
         next_fire_at, version, created_at, updated_at)
    VALUES (:id, :job_id, :provenance_code, :endpoint_name, :operation_code, :cron_expression, :timezone, :params,
            :enabled, :next_fire_at, 1, :now, :now)
    ON CONFLICT (job_id) DO NOTHING)sql";

constexpr std::string_view kUpdate = R"sql(
    UPDATE scheduler_job_config
    SET provenance_code = :provenance_code, endpoint_name = :endpoint_name, operation_code = :operation_code,
        cron_expression = :cron_expression, timezone = :timezone, params = :params, enabled = :enabled,
        next_fire_at = :next_fire_at, updated_at = :now, version = version + 1
    WHERE job_id = :job_id AND version = :version)sql";

constexpr std::string_view kRemove = "DELETE FROM scheduler_job_config WHERE job_id = :job_id";

constexpr std::string_view kMoveOn = R"sql(
    UPDATE scheduler_job_config
    SET next_fire_at = :next, last_run_at = :now, updated_at = :now, version = version + 1
    WHERE job_id = :job_id AND version = :version AND enabled = 1)sql";

constexpr std::string_view kFind = R"sql(
    SELECT job_id, provenance_code, endpoint_name, operation_code, cron_expression, timezone, params, enabled,
           next_fire_at, last_run_at, version
    FROM scheduler_job_config WHERE job_id = :job_id LIMIT 1)sql";

constexpr std::string_view kList = R"sql(
    SELECT job_id, provenance_code, endpoint_name, operation_code, cron_expression, timezone, params, enabled,
           next_fire_at, last_run_at, version
    FROM scheduler_job_config ORDER BY job_id LIMIT 10000)sql";

constexpr std::string_view kDue = R"sql(
    SELECT job_id, provenance_code, endpoint_name, operation_code, cron_expression, timezone, params, enabled,
           next_fire_at, last_run_at, version
    FROM scheduler_job_config WHERE enabled = 1 AND next_fire_at <= :now ORDER BY next_fire_at LIMIT :jobs_max)sql";

Result<std::vector<app::Job>> ReadJobs(Rows rows) {
  std::vector<app::Job> jobs;
  while (PATRA_TRY(rows.Next())) {
    jobs.push_back({.id = rows.Text("job_id"),
                    .provenance = rows.Text("provenance_code"),
                    .endpoint = rows.OptionalText("endpoint_name"),
                    .operation = PATRA_TRY(domain::OperationFromCode(rows.View("operation_code"))),
                    .cron = rows.Text("cron_expression"),
                    .timezone = rows.Text("timezone"),
                    .params = rows.Text("params"),
                    .enabled = rows.Integer("enabled") != 0,
                    .next_fire_at = rows.OptionalTime("next_fire_at"),
                    .last_run_at = rows.OptionalTime("last_run_at"),
                    .version = rows.Integer("version")});
  }
  return jobs;
}

}  // namespace

Result<bool> Insert(Session& session, const app::Job& job, Id new_id, Instant now) {
  return PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                         {"job_id", job.id},
                                         {"provenance_code", job.provenance},
                                         {"endpoint_name", job.endpoint},
                                         {"operation_code", Code(job.operation)},
                                         {"cron_expression", job.cron},
                                         {"timezone", job.timezone},
                                         {"params", job.params},
                                         {"enabled", job.enabled},
                                         {"next_fire_at", job.next_fire_at},
                                         {"now", now}})) == 1;
}

Result<bool> Update(Session& session, const app::Job& job, Instant now) {
  return PATRA_TRY(session.Run(kUpdate, {{"provenance_code", job.provenance},
                                         {"endpoint_name", job.endpoint},
                                         {"operation_code", Code(job.operation)},
                                         {"cron_expression", job.cron},
                                         {"timezone", job.timezone},
                                         {"params", job.params},
                                         {"enabled", job.enabled},
                                         {"next_fire_at", job.next_fire_at},
                                         {"now", now},
                                         {"job_id", job.id},
                                         {"version", job.version}})) == 1;
}

Result<bool> Remove(Session& session, const std::string& job) {
  return PATRA_TRY(session.Run(kRemove, {{"job_id", job}})) == 1;
}

Result<bool> MoveOn(Session& session, const app::Job& job, std::optional<Instant> next,
                    Instant now) {
  return PATRA_TRY(session.Run(
             kMoveOn,
             {{"next", next}, {"now", now}, {"job_id", job.id}, {"version", job.version}})) == 1;
}

Result<std::optional<app::Job>> Find(Session& session, const std::string& job) {
  auto found = PATRA_TRY(ReadJobs(PATRA_TRY(session.Query(kFind, {{"job_id", job}}))));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

Result<std::vector<app::Job>> List(Session& session) {
  return ReadJobs(PATRA_TRY(session.Query(kList)));
}

Result<std::vector<app::Job>> Due(Session& session, int jobs_max, Instant now) {
  return ReadJobs(PATRA_TRY(session.Query(kDue, {{"now", now}, {"jobs_max", jobs_max}})));
}

}  // namespace patra::infra::sql::job_table
