#include "infra/sqlite/job_table.h"

namespace patra::infra::sqlite::job_table {
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
    jobs.push_back({.id = rows.Text(0),
                    .provenance = rows.Text(1),
                    .endpoint = rows.OptionalText(2),
                    .operation = PATRA_TRY(domain::OperationFromCode(rows.View(3))),
                    .cron = rows.Text(4),
                    .timezone = rows.Text(5),
                    .params = rows.Text(6),
                    .enabled = rows.Integer(7) != 0,
                    .next_fire_at = rows.OptionalTime(8),
                    .last_run_at = rows.OptionalTime(9),
                    .version = rows.Integer(10)});
  }
  return jobs;
}

}  // namespace

Result<bool> Insert(Connection& connection, const app::Job& job, Id new_id, Instant now) {
  return PATRA_TRY(connection.Run(kInsert, new_id, job.id, job.provenance, job.endpoint,
                                  Code(job.operation), job.cron, job.timezone, job.params,
                                  job.enabled, job.next_fire_at, now)) == 1;
}

Result<bool> Update(Connection& connection, const app::Job& job, Instant now) {
  return PATRA_TRY(connection.Run(kUpdate, job.provenance, job.endpoint, Code(job.operation),
                                  job.cron, job.timezone, job.params, job.enabled, job.next_fire_at,
                                  now, job.id, job.version)) == 1;
}

Result<bool> Remove(Connection& connection, const std::string& job) {
  return PATRA_TRY(connection.Run(kRemove, job)) == 1;
}

Result<bool> MoveOn(Connection& connection, const app::Job& job, std::optional<Instant> next,
                    Instant now) {
  return PATRA_TRY(connection.Run(kMoveOn, next, now, job.id, job.version)) == 1;
}

Result<std::optional<app::Job>> Find(Connection& connection, const std::string& job) {
  auto found = PATRA_TRY(ReadJobs(PATRA_TRY(connection.Query(kFind, job))));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

Result<std::vector<app::Job>> List(Connection& connection) {
  return ReadJobs(PATRA_TRY(connection.Query(kList)));
}

Result<std::vector<app::Job>> Due(Connection& connection, int jobs_max, Instant now) {
  return ReadJobs(PATRA_TRY(connection.Query(kDue, now, jobs_max)));
}

}  // namespace patra::infra::sqlite::job_table
