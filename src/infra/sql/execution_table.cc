#include "infra/sql/execution_table.h"

#include <fmt/format.h>

#include "base/canonical_json.h"

namespace patra::infra::sql::execution_table {
namespace {

using domain::Execution;
using domain::ExecutionCounts;
using domain::ExecutionStatus;

constexpr std::string_view kInsert = R"sql(
    INSERT INTO scheduler_execution_log
        (id, job_id, type_code, fired_at, start_at, claimed_by, status_code, note, started_at, finished_at)
    VALUES (:id, :job_id, :type_code, :fired_at, :start_at, :claimed_by, :status_code, :note, :started_at, :finished_at)
    ON CONFLICT (job_id, fired_at) DO NOTHING)sql";

constexpr std::string_view kFindOpen = R"sql(
    SELECT id, job_id, type_code, fired_at, start_at, claimed_by, status_code, takes, schedule_instance_id, plan_id,
           retried_plans, takes_rest, note, error_message, received, inserted, updated, unchanged, quarantined, requests,
           started_at, planned_at, finished_at
    FROM scheduler_execution_log INDEXED BY idx_execution_open
    WHERE job_id = :job_id AND status_code IN ('PENDING', 'RUNNING') LIMIT 1)sql";

constexpr std::string_view kFindWaiting = R"sql(
    SELECT id, job_id, type_code, fired_at, start_at, claimed_by, status_code, takes, schedule_instance_id, plan_id,
           retried_plans, takes_rest, note, error_message, received, inserted, updated, unchanged, quarantined, requests,
           started_at, planned_at, finished_at
    FROM scheduler_execution_log INDEXED BY idx_execution_pending
    WHERE status_code = 'PENDING' AND start_at <= :now AND (taken_until IS NULL OR taken_until <= :now)
    ORDER BY start_at, id LIMIT 1)sql";

constexpr std::string_view kTake = R"sql(
    UPDATE scheduler_execution_log SET taken_by = :owner, taken_until = :until, takes = takes + 1
    WHERE id = :id AND status_code = 'PENDING' AND takes = :takes
      AND (taken_by IS NULL OR taken_until <= :now))sql";

constexpr std::string_view kGiveBack = R"sql(
    UPDATE scheduler_execution_log SET taken_by = NULL, taken_until = :until, note = :note
    WHERE id = :id AND status_code = 'PENDING' AND takes = :takes)sql";

constexpr std::string_view kStart = R"sql(
    UPDATE scheduler_execution_log
    SET status_code = 'RUNNING', taken_by = NULL, taken_until = NULL, schedule_instance_id = :trigger_id,
        plan_id = :plan_id, retried_plans = :retried_plans, counted_before = :counted_before, takes_rest = :takes_rest,
        note = :note, planned_at = :now
    WHERE id = :id AND status_code = 'PENDING' AND takes = :takes)sql";

constexpr std::string_view kEnd = R"sql(
    UPDATE scheduler_execution_log
    SET status_code = :status_code, taken_by = NULL, taken_until = NULL,
        schedule_instance_id = coalesce(schedule_instance_id, :trigger_id), note = :note, error_message = :error_message,
        received = :received, inserted = :inserted, updated = :updated, unchanged = :unchanged,
        quarantined = :quarantined, requests = :requests, finished_at = :now
    WHERE id = :id AND status_code = :from AND takes = :takes)sql";

constexpr std::string_view kFindRest = R"sql(
    SELECT log.id, log.job_id, log.type_code, log.fired_at, log.start_at, log.claimed_by, log.status_code, log.takes,
           log.schedule_instance_id, log.plan_id, log.retried_plans, log.takes_rest, log.note, log.error_message,
           log.received, log.inserted, log.updated, log.unchanged, log.quarantined, log.requests, log.started_at,
           log.planned_at, log.finished_at
    FROM scheduler_execution_log AS log INDEXED BY idx_execution_running
    JOIN ing_plan AS plan ON plan.id = log.plan_id
    WHERE log.status_code = 'RUNNING' AND log.takes_rest = 1 AND log.planned_at <= :untouched_since
      AND plan.status_code IN ('DRAFT', 'SLICING', 'PARTIAL')
      AND (plan.sliced_to IS NULL OR plan.sliced_to < plan.window_to)
    ORDER BY log.id LIMIT 1)sql";

constexpr std::string_view kTouch = R"sql(
    UPDATE scheduler_execution_log SET planned_at = :now
    WHERE id = :id AND status_code = 'RUNNING' AND planned_at = :planned_at)sql";

constexpr std::string_view kCountedBefore =
    "SELECT counted_before FROM scheduler_execution_log WHERE id = :id LIMIT 1";

constexpr std::string_view kRunning = R"sql(
    SELECT id, job_id, type_code, fired_at, start_at, claimed_by, status_code, takes, schedule_instance_id, plan_id,
           retried_plans, takes_rest, note, error_message, received, inserted, updated, unchanged, quarantined, requests,
           started_at, planned_at, finished_at
    FROM scheduler_execution_log INDEXED BY idx_execution_running
    WHERE status_code = 'RUNNING' AND id > :after ORDER BY id LIMIT :executions_max)sql";

constexpr std::string_view kOfJob = R"sql(
    SELECT id, job_id, type_code, fired_at, start_at, claimed_by, status_code, takes, schedule_instance_id, plan_id,
           retried_plans, takes_rest, note, error_message, received, inserted, updated, unchanged, quarantined, requests,
           started_at, planned_at, finished_at
    FROM scheduler_execution_log
    WHERE job_id = :job_id AND (:status = '' OR status_code = :status)
    ORDER BY fired_at DESC LIMIT :executions_max)sql";

constexpr std::string_view kOfStatus = R"sql(
    SELECT id, job_id, type_code, fired_at, start_at, claimed_by, status_code, takes, schedule_instance_id, plan_id,
           retried_plans, takes_rest, note, error_message, received, inserted, updated, unchanged, quarantined, requests,
           started_at, planned_at, finished_at
    FROM scheduler_execution_log INDEXED BY idx_execution_status
    WHERE status_code = :status
    ORDER BY started_at DESC, id DESC LIMIT :executions_max)sql";

constexpr std::string_view kNewest = R"sql(
    SELECT id, job_id, type_code, fired_at, start_at, claimed_by, status_code, takes, schedule_instance_id, plan_id,
           retried_plans, takes_rest, note, error_message, received, inserted, updated, unchanged, quarantined, requests,
           started_at, planned_at, finished_at
    FROM scheduler_execution_log INDEXED BY idx_scheduler_log_time
    ORDER BY started_at DESC, id DESC LIMIT :executions_max)sql";

constexpr std::string_view kFindOld = R"sql(
    SELECT id FROM scheduler_execution_log INDEXED BY idx_scheduler_log_time
    WHERE started_at < :before AND status_code NOT IN ('PENDING', 'RUNNING')
    ORDER BY started_at LIMIT :executions_max)sql";

std::string_view ForgetIn() {
  static const auto kSql = WithList("DELETE FROM scheduler_execution_log WHERE id IN");
  return kSql;
}

std::vector<Id> IdsIn(std::string_view json) {
  std::vector<Id> ids;
  const auto list = ParseJson(json);
  if (!list || list->AsArray() == nullptr) return ids;
  for (const auto& item : *list->AsArray()) {
    if (const auto* id = item.AsInteger()) ids.push_back(*id);
  }
  return ids;
}

Result<std::vector<Execution>> ReadExecutions(Rows rows) {
  std::vector<Execution> executions;
  while (PATRA_TRY(rows.Next())) {
    const auto status = domain::FindCode<ExecutionStatus>(rows.View("status_code"));
    if (!status) {
      return Fail(ErrorCode::kCorruption,
                  fmt::format("execution {} of a job is in the state '{}', which nobody knows",
                              rows.Integer("id"), rows.View("status_code")));
    }
    const auto type = domain::FindCode<domain::FiringType>(rows.View("type_code"));
    const auto error = rows.OptionalText("error_message");
    executions.push_back({.id = rows.Integer("id"),
                          .job = rows.Text("job_id"),
                          .type = type.value_or(domain::FiringType::kSchedule),
                          .fired_at = rows.Time("fired_at"),
                          .start_at = rows.Time("start_at"),
                          .claimed_by = rows.Text("claimed_by"),
                          .status = *status,
                          .takes = rows.Integer("takes"),
                          .trigger = rows.OptionalInteger("schedule_instance_id"),
                          .plan = rows.OptionalInteger("plan_id"),
                          .retried_plans = IdsIn(rows.View("retried_plans")),
                          .takes_rest = rows.Integer("takes_rest") != 0,
                          .reason = error ? *error : rows.OptionalText("note").value_or(""),
                          .counts = {.received = rows.Integer("received"),
                                     .inserted = rows.Integer("inserted"),
                                     .updated = rows.Integer("updated"),
                                     .unchanged = rows.Integer("unchanged"),
                                     .quarantined = rows.Integer("quarantined"),
                                     .requests = rows.Integer("requests")},
                          .started_at = rows.Time("started_at"),
                          .planned_at = rows.OptionalTime("planned_at"),
                          .finished_at = rows.OptionalTime("finished_at")});
  }
  return executions;
}

Result<std::optional<Execution>> FirstOf(Result<Rows> rows) {
  auto found = PATRA_TRY(ReadExecutions(PATRA_TRY(std::move(rows))));
  if (found.empty()) return std::nullopt;
  return std::move(found.front());
}

std::optional<std::string> NoteOf(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

// One name for each count, in what is stored as JSON.
template <typename Counts, typename Each>
void ForEachCount(Counts& counts, const Each& each) {
  each("received", counts.received);
  each("inserted", counts.inserted);
  each("updated", counts.updated);
  each("unchanged", counts.unchanged);
  each("quarantined", counts.quarantined);
  each("requests", counts.requests);
}

}  // namespace

Result<bool> Insert(Session& session, const Execution& execution) {
  const auto note = NoteOf(execution.reason);
  return PATRA_TRY(session.Run(kInsert, {{"id", execution.id},
                                         {"job_id", execution.job},
                                         {"type_code", CodeOf(execution.type)},
                                         {"fired_at", execution.fired_at},
                                         {"start_at", execution.start_at},
                                         {"claimed_by", execution.claimed_by},
                                         {"status_code", CodeOf(execution.status)},
                                         {"note", note},
                                         {"started_at", execution.started_at},
                                         {"finished_at", execution.finished_at}})) == 1;
}

Result<std::optional<Execution>> FindOpen(Session& session, const std::string& job) {
  return FirstOf(session.Query(kFindOpen, {{"job_id", job}}));
}

Result<std::optional<Execution>> FindWaiting(Session& session, Instant now) {
  return FirstOf(session.Query(kFindWaiting, {{"now", now}}));
}

Result<bool> Take(Session& session, const Execution& waiting, const std::string& owner,
                  Instant until, Instant now) {
  return PATRA_TRY(session.Run(kTake, {{"owner", owner},
                                       {"until", until},
                                       {"id", waiting.id},
                                       {"takes", waiting.takes},
                                       {"now", now}})) == 1;
}

Result<bool> GiveBack(Session& session, const Execution& taken, Instant until,
                      const std::string& note) {
  return PATRA_TRY(session.Run(
             kGiveBack,
             {{"until", until}, {"note", note}, {"id", taken.id}, {"takes", taken.takes}})) == 1;
}

Result<bool> Start(Session& session, const Execution& taken, const app::ExecutionPlanned& planned,
                   std::optional<Id> trigger, const ExecutionCounts& before, Instant now) {
  Value::Object counted;
  ForEachCount(before, [&](const char* name, std::int64_t count) { counted[name] = count; });
  const auto counted_before = CanonicalJson(counted);
  const Value::Array retried(planned.retried_plans.begin(), planned.retried_plans.end());
  const auto retried_plans = CanonicalJson(retried);
  const auto note = NoteOf(planned.note);
  return PATRA_TRY(session.Run(kStart, {{"trigger_id", trigger},
                                        {"plan_id", planned.plan},
                                        {"retried_plans", retried_plans},
                                        {"counted_before", counted_before},
                                        {"takes_rest", planned.takes_rest},
                                        {"note", note},
                                        {"now", now},
                                        {"id", taken.id},
                                        {"takes", taken.takes}})) == 1;
}

Result<bool> End(Session& session, const Execution& execution, ExecutionStatus status,
                 const std::string& reason, const ExecutionCounts& counts,
                 std::optional<Id> trigger, Instant now) {
  const auto text = NoteOf(reason);
  const bool has_failed = status == ExecutionStatus::kFailed;
  return PATRA_TRY(session.Run(kEnd, {{"status_code", CodeOf(status)},
                                      {"trigger_id", trigger},
                                      {"note", has_failed ? std::nullopt : text},
                                      {"error_message", has_failed ? text : std::nullopt},
                                      {"received", counts.received},
                                      {"inserted", counts.inserted},
                                      {"updated", counts.updated},
                                      {"unchanged", counts.unchanged},
                                      {"quarantined", counts.quarantined},
                                      {"requests", counts.requests},
                                      {"now", now},
                                      {"id", execution.id},
                                      {"from", CodeOf(execution.status)},
                                      {"takes", execution.takes}})) == 1;
}

Result<std::optional<Execution>> FindRest(Session& session, Instant untouched_since) {
  return FirstOf(session.Query(kFindRest, {{"untouched_since", untouched_since}}));
}

Result<bool> Touch(Session& session, const Execution& running, Instant now) {
  return PATRA_TRY(session.Run(
             kTouch, {{"now", now}, {"id", running.id}, {"planned_at", running.planned_at}})) == 1;
}

Result<ExecutionCounts> CountedBefore(Session& session, Id execution) {
  ExecutionCounts before;
  auto rows = PATRA_TRY(session.Query(kCountedBefore, {{"id", execution}}));
  if (!PATRA_TRY(rows.Next())) return before;
  const auto stored = PATRA_TRY(ParseJson(rows.View("counted_before")));
  ForEachCount(before, [&](const char* name, std::int64_t& count) {
    const auto* member = stored.Find(name);
    const auto* number = member == nullptr ? nullptr : member->AsInteger();
    if (number != nullptr) count = *number;
  });
  return before;
}

Result<std::vector<Execution>> Running(Session& session, Id after, int executions_max) {
  return ReadExecutions(
      PATRA_TRY(session.Query(kRunning, {{"after", after}, {"executions_max", executions_max}})));
}

Result<std::vector<Execution>> Read(Session& session, const app::ExecutionFilter& filter) {
  const auto status = filter.status ? CodeOf(*filter.status) : std::string_view();
  if (filter.job.empty() && !filter.status) {
    return ReadExecutions(
        PATRA_TRY(session.Query(kNewest, {{"executions_max", filter.executions_max}})));
  }
  if (filter.job.empty()) {
    return ReadExecutions(PATRA_TRY(
        session.Query(kOfStatus, {{"status", status}, {"executions_max", filter.executions_max}})));
  }
  return ReadExecutions(PATRA_TRY(session.Query(
      kOfJob,
      {{"job_id", filter.job}, {"status", status}, {"executions_max", filter.executions_max}})));
}

Result<int> Forget(Session& session, Instant before, int executions_max) {
  std::vector<Id> old;
  {
    auto rows = PATRA_TRY(
        session.Query(kFindOld, {{"before", before}, {"executions_max", executions_max}}));
    while (PATRA_TRY(rows.Next())) old.push_back(rows.Integer("id"));
  }
  return static_cast<int>(PATRA_TRY(session.RunIn(ForgetIn(), ListOf(old), {})));
}

}  // namespace patra::infra::sql::execution_table
