#include "infra/sql/job_table.h"

namespace patra::infra::sql::job_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO scheduler_job_config
        (id, job_id, provenance_code, endpoint_name, operation_code, cron_expression, timezone, params, query,
         misfire_code, jitter_us, enabled, disabled_reason, origin_code, decided, next_fire_at, version, created_at,
         updated_at)
    VALUES (:id, :job_id, :provenance_code, :endpoint_name, :operation_code, :cron_expression, :timezone, :params,
            :query, :misfire_code, :jitter_us, :enabled, :disabled_reason, :origin_code, :decided, :next_fire_at, 1,
            :now, :now)
    ON CONFLICT (job_id) DO NOTHING)sql";

constexpr std::string_view kUpdate = R"sql(
    UPDATE scheduler_job_config
    SET provenance_code = :provenance_code, endpoint_name = :endpoint_name, operation_code = :operation_code,
        cron_expression = :cron_expression, timezone = :timezone, params = :params, query = :query,
        misfire_code = :misfire_code, jitter_us = :jitter_us, enabled = :enabled, disabled_reason = :disabled_reason,
        origin_code = :origin_code, decided = :decided, next_fire_at = :next_fire_at, removed_at = NULL,
        updated_at = :now, version = version + 1
    WHERE job_id = :job_id AND version = :version)sql";

constexpr std::string_view kMarkRemoved = R"sql(
    UPDATE scheduler_job_config
    SET removed_at = :now, enabled = 0, next_fire_at = NULL, updated_at = :now, version = version + 1
    WHERE job_id = :job_id AND origin_code = 'DEFAULT' AND removed_at IS NULL)sql";

constexpr std::string_view kRemove =
    "DELETE FROM scheduler_job_config WHERE job_id = :job_id AND origin_code <> 'DEFAULT'";

// The version stays: whoever changes a job need not know that it fired meanwhile.
constexpr std::string_view kMoveOn = R"sql(
    UPDATE scheduler_job_config
    SET next_fire_at = :next, last_run_at = :now, updated_at = :now
    WHERE job_id = :job_id AND version = :version AND enabled = 1 AND next_fire_at = :occurrence)sql";

constexpr std::string_view kNoteRun =
    "UPDATE scheduler_job_config SET last_run_at = :now WHERE job_id = :job_id AND removed_at IS "
    "NULL";

constexpr std::string_view kFind = R"sql(
    SELECT job_id, provenance_code, endpoint_name, operation_code, cron_expression, timezone, params, query,
           misfire_code, jitter_us, enabled, disabled_reason, origin_code, decided, next_fire_at, last_run_at,
           removed_at, version
    FROM scheduler_job_config WHERE job_id = :job_id LIMIT 1)sql";

constexpr std::string_view kList = R"sql(
    SELECT job_id, provenance_code, endpoint_name, operation_code, cron_expression, timezone, params, query,
           misfire_code, jitter_us, enabled, disabled_reason, origin_code, decided, next_fire_at, last_run_at,
           removed_at, version
    FROM scheduler_job_config WHERE removed_at IS NULL ORDER BY job_id LIMIT 20000)sql";

constexpr std::string_view kDue = R"sql(
    SELECT job_id, provenance_code, endpoint_name, operation_code, cron_expression, timezone, params, query,
           misfire_code, jitter_us, enabled, disabled_reason, origin_code, decided, next_fire_at, last_run_at,
           removed_at, version
    FROM scheduler_job_config WHERE enabled = 1 AND next_fire_at <= :now
    ORDER BY next_fire_at, id LIMIT :jobs_max)sql";

// A code that an older program does not know is what most are.
template <typename E>
E CodeIn(const Rows& rows, std::string_view column, E usual) {
  return domain::FindCode<E>(rows.View(column)).value_or(usual);
}

Result<std::vector<domain::Job>> ReadJobs(Rows rows) {
  std::vector<domain::Job> jobs;
  while (PATRA_TRY(rows.Next())) {
    const auto operation = PATRA_TRY(domain::OperationFromCode(rows.View("operation_code")));
    jobs.push_back({.id = rows.Text("job_id"),
                    .provenance = rows.Text("provenance_code"),
                    .endpoint = rows.OptionalText("endpoint_name"),
                    .operation = operation,
                    .cron = rows.Text("cron_expression"),
                    .timezone = rows.Text("timezone"),
                    .params = rows.Text("params"),
                    .query = rows.OptionalText("query"),
                    .misfire = CodeIn(rows, "misfire_code", domain::Misfire::kOnce),
                    .jitter = Duration(rows.Integer("jitter_us")),
                    .enabled = rows.Integer("enabled") != 0,
                    .disabled_reason = rows.OptionalText("disabled_reason").value_or(""),
                    .origin = CodeIn(rows, "origin_code", domain::JobOrigin::kPerson),
                    .decided = rows.Integer("decided") != 0,
                    .next_fire_at = rows.OptionalTime("next_fire_at"),
                    .last_run_at = rows.OptionalTime("last_run_at"),
                    .removed_at = rows.OptionalTime("removed_at"),
                    .version = rows.Integer("version")});
  }
  return jobs;
}

std::optional<std::string> TextOrNone(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

// What is written of a job, whether it is new or not.
std::vector<Parameter> ValuesOf(const domain::Job& job,
                                const std::optional<std::string>& disabled_reason, Instant now) {
  return {{"job_id", job.id},
          {"provenance_code", job.provenance},
          {"endpoint_name", job.endpoint},
          {"operation_code", Code(job.operation)},
          {"cron_expression", job.cron},
          {"timezone", job.timezone},
          {"params", job.params},
          {"query", job.query},
          {"misfire_code", CodeOf(job.misfire)},
          {"jitter_us", std::int64_t{job.jitter.count()}},
          {"enabled", job.enabled},
          {"disabled_reason", disabled_reason},
          {"origin_code", CodeOf(job.origin)},
          {"decided", job.decided},
          {"next_fire_at", job.next_fire_at},
          {"now", now}};
}

}  // namespace

Result<bool> Insert(Session& session, const domain::Job& job, Id new_id, Instant now) {
  const auto why = TextOrNone(job.disabled_reason);
  auto values = ValuesOf(job, why, now);
  values.push_back({"id", new_id});
  return PATRA_TRY(session.Run(kInsert, std::span<const Parameter>(values))) == 1;
}

Result<bool> Update(Session& session, const domain::Job& job, Instant now) {
  const auto why = TextOrNone(job.disabled_reason);
  auto values = ValuesOf(job, why, now);
  values.push_back({"version", job.version});
  return PATRA_TRY(session.Run(kUpdate, std::span<const Parameter>(values))) == 1;
}

Result<bool> Remove(Session& session, const std::string& job, Instant now) {
  const auto marked = PATRA_TRY(session.Run(kMarkRemoved, {{"now", now}, {"job_id", job}}));
  if (marked == 1) return true;
  return PATRA_TRY(session.Run(kRemove, {{"job_id", job}})) == 1;
}

Result<bool> MoveOn(Session& session, const domain::Job& job, std::optional<Instant> next,
                    Instant now) {
  return PATRA_TRY(session.Run(kMoveOn, {{"next", next},
                                         {"now", now},
                                         {"job_id", job.id},
                                         {"version", job.version},
                                         {"occurrence", job.next_fire_at}})) == 1;
}

Result<bool> NoteRun(Session& session, const std::string& job, Instant now) {
  return PATRA_TRY(session.Run(kNoteRun, {{"now", now}, {"job_id", job}})) == 1;
}

Result<std::optional<domain::Job>> Find(Session& session, const std::string& job) {
  auto found = PATRA_TRY(ReadJobs(PATRA_TRY(session.Query(kFind, {{"job_id", job}}))));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

Result<std::vector<domain::Job>> List(Session& session) {
  return ReadJobs(PATRA_TRY(session.Query(kList)));
}

Result<std::vector<domain::Job>> Due(Session& session, int jobs_max, Instant now) {
  return ReadJobs(PATRA_TRY(session.Query(kDue, {{"now", now}, {"jobs_max", jobs_max}})));
}

}  // namespace patra::infra::sql::job_table
