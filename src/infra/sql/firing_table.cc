#include "infra/sql/firing_table.h"

namespace patra::infra::sql::firing_table {
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

Result<bool> Insert(Session& session, const app::Firing& firing) {
  return PATRA_TRY(session.Run(kInsert, {{"id", firing.id},
                                         {"job_id", firing.job},
                                         {"fired_at", firing.fired_at},
                                         {"claimed_by", firing.claimed_by},
                                         {"started_at", firing.started_at}})) == 1;
}

Result<bool> Finish(Session& session, Id firing, std::optional<Id> trigger,
                    const std::optional<std::string>& error, Instant now) {
  return PATRA_TRY(session.Run(kFinish, {{"status_code", error ? "FAILED" : "SUCCESS"},
                                         {"schedule_instance_id", trigger},
                                         {"error_message", error},
                                         {"now", now},
                                         {"id", firing}})) == 1;
}

Result<std::vector<app::Firing>> Read(Session& session, const std::string& job, int firings_max) {
  std::vector<app::Firing> firings;
  auto rows = PATRA_TRY(session.Query(kRead, {{"job_id", job}, {"firings_max", firings_max}}));
  while (PATRA_TRY(rows.Next())) {
    firings.push_back({.id = rows.Integer("id"),
                       .job = rows.Text("job_id"),
                       .fired_at = rows.Time("fired_at"),
                       .claimed_by = rows.Text("claimed_by"),
                       .trigger = rows.OptionalInteger("schedule_instance_id"),
                       .status = rows.Text("status_code"),
                       .error = rows.OptionalText("error_message"),
                       .started_at = rows.Time("started_at"),
                       .finished_at = rows.OptionalTime("finished_at")});
  }
  return firings;
}

}  // namespace patra::infra::sql::firing_table
