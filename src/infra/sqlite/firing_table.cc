#include "infra/sqlite/firing_table.h"

namespace patra::infra::sqlite::firing_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO scheduler_execution_log (id, job_id, fired_at, claimed_by, started_at)
    VALUES (:id, :job_id, :fired_at, :claimed_by, :started_at)
    ON CONFLICT (job_id, fired_at) DO NOTHING)sql";

constexpr std::string_view kFinish = R"sql(
    UPDATE scheduler_execution_log
    SET status_code = :status_code, schedule_instance_id = :schedule_instance_id, error_message = :error_message,
        finished_at = :now
    WHERE id = :id AND status_code = 'RUNNING')sql";

constexpr std::string_view kRead = R"sql(
    SELECT id, job_id, fired_at, claimed_by, schedule_instance_id, status_code, error_message, started_at, finished_at
    FROM scheduler_execution_log WHERE job_id = :job_id ORDER BY fired_at DESC LIMIT :firings_max)sql";

}  // namespace

Result<bool> Insert(Connection& connection, const app::Firing& firing) {
  return PATRA_TRY(connection.Run(kInsert, firing.id, firing.job, firing.fired_at,
                                  firing.claimed_by, firing.started_at)) == 1;
}

Result<bool> Finish(Connection& connection, Id firing, std::optional<Id> trigger,
                    const std::optional<std::string>& error, Instant now) {
  return PATRA_TRY(connection.Run(kFinish, error ? "FAILED" : "SUCCESS", trigger, error, now,
                                  firing)) == 1;
}

Result<std::vector<app::Firing>> Read(Connection& connection, const std::string& job,
                                      int firings_max) {
  std::vector<app::Firing> firings;
  auto rows = PATRA_TRY(connection.Query(kRead, job, firings_max));
  while (PATRA_TRY(rows.Next())) {
    firings.push_back({.id = rows.Integer(0),
                       .job = rows.Text(1),
                       .fired_at = rows.Time(2),
                       .claimed_by = rows.Text(3),
                       .trigger = rows.OptionalInteger(4),
                       .status = rows.Text(5),
                       .error = rows.OptionalText(6),
                       .started_at = rows.Time(7),
                       .finished_at = rows.OptionalTime(8)});
  }
  return firings;
}

}  // namespace patra::infra::sqlite::firing_table
