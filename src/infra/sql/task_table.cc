#include "infra/sql/task_table.h"

#include "infra/sql/state_move.h"
#include "infra/sql/texts_in.h"

namespace patra::infra::sql::task_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_task
        (id, schedule_instance_id, plan_id, slice_id, provenance_code, endpoint_name, operation_code, params,
         idempotent_key, expr_hash, priority, ready, scheduled_at, rate_key, requests_left, at_once,
         correlation_id, created_at, updated_at)
    VALUES (:id, :schedule_instance_id, :plan_id, :slice_id, :provenance_code, :endpoint_name,
            :operation_code, :params, :idempotent_key, :expr_hash, :priority, :ready, :scheduled_at,
            :rate_key, :requests_left, :at_once, :correlation_id, :now, :now))sql";

std::string_view KnownIn() {
  static const auto kSql = WithList("SELECT idempotent_key FROM ing_task WHERE idempotent_key IN");
  return kSql;
}

constexpr std::string_view kTakeAway = R"sql(
    UPDATE ing_task
    SET status_code = 'QUEUED', ready = 1, lease_owner = NULL, leased_until = NULL, fence = fence + 1,
        wait_reason = :reason, updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('DISPATCHED', 'EXECUTING'))sql";

constexpr std::string_view kCheckFence =
    "SELECT count(*) FROM ing_task WHERE id = :id AND fence = :fence AND status_code = "
    ":status_code";

constexpr std::string_view kStart = R"sql(
    UPDATE ing_task
    SET status_code = 'EXECUTING', started_at = coalesce(started_at, :now), last_heartbeat_at = :now,
        progress_at = :now, updated_at = :now, version = version + 1
    WHERE id = :id AND fence = :fence AND status_code = 'DISPATCHED')sql";

constexpr std::string_view kNoteProgress = R"sql(
    UPDATE ing_task
    SET last_heartbeat_at = :now, progress_at = :now,
        fruitless_claims = CASE WHEN :is_fruit THEN 0 ELSE fruitless_claims END,
        requests_left = CASE WHEN :is_fruit THEN coalesce(:requests_left, max(requests_left - 1, 0))
                             ELSE requests_left END
    WHERE id = :id)sql";

constexpr std::string_view kHealRequest =
    "SELECT heal_request, heal_reason FROM ing_task WHERE id = :id";

constexpr std::string_view kAskOfSlice = R"sql(
    UPDATE ing_task SET heal_request = :request, heal_reason = :reason
    WHERE slice_id = :slice_id AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING'))sql";

constexpr std::string_view kGiveBack = R"sql(
    UPDATE ing_task
    SET status_code = 'QUEUED', ready = :ready, scheduled_at = :scheduled_at, wait_reason = :wait_reason,
        lease_owner = NULL, leased_until = NULL, retry_count = retry_count + 1,
        failures = failures + :failed, last_error_msg = :error, last_error_code = :error_code,
        fruitless_claims = CASE WHEN :orderly THEN 0 ELSE fruitless_claims END, updated_at = :now,
        version = version + 1
    WHERE id = :id AND fence = :fence AND status_code IN ('DISPATCHED', 'EXECUTING'))sql";

constexpr std::string_view kFinish = R"sql(
    UPDATE ing_task
    SET status_code = :status_code, lease_owner = NULL, leased_until = NULL, last_error_msg = :error,
        last_error_code = :error_code, finished_at = :now, updated_at = :now, version = version + 1
    WHERE id = :id AND fence = :fence AND instr(:allowed, '/' || status_code || '/') > 0)sql";

constexpr std::string_view kRequeue = R"sql(
    UPDATE ing_task
    SET status_code = 'QUEUED', ready = 1, scheduled_at = :now, wait_reason = NULL, finished_at = NULL,
        heal_request = NULL, failures = 0, fruitless_claims = 0, command_tries = 0, updated_at = :now,
        version = version + 1
    WHERE id = :id AND status_code IN ('FAILED', 'PARTIAL'))sql";

constexpr std::string_view kTryAgain = R"sql(
    UPDATE ing_task
    SET status_code = 'QUEUED', ready = 1, scheduled_at = :now, wait_reason = NULL, finished_at = NULL,
        heal_request = NULL, failures = 0, fruitless_claims = 0, command_tries = command_tries + 1,
        updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('FAILED', 'PARTIAL') AND command_tries = :tries)sql";

constexpr std::string_view kSliceOf = "SELECT slice_id FROM ing_task WHERE id = :id LIMIT 1";

// The raised fence keeps a worker that is at it from committing anything more.
constexpr std::string_view kCancel = R"sql(
    UPDATE ing_task
    SET status_code = 'CANCELLED', fence = fence + 1, lease_owner = NULL, leased_until = NULL,
        last_error_code = 'CANCELLED', last_error_msg = :reason, finished_at = :now, updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING'))sql";

constexpr std::string_view kOpenOfPlan = R"sql(
    SELECT id, slice_id FROM ing_task
    WHERE plan_id = :plan_id AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING')
    LIMIT :tasks_max)sql";

constexpr std::string_view kWithSlice = "SELECT id, slice_id FROM ing_task WHERE id = :id LIMIT 1";

// Only where it is another: the column has an index.
constexpr std::string_view kNoteCredential = R"sql(
    UPDATE ing_task SET credential_id = :credential_id
    WHERE id = :id AND (credential_id IS NULL OR credential_id <> :credential_id))sql";

constexpr std::string_view kFindOfSlice =
    "SELECT id FROM ing_task WHERE slice_id = :slice_id LIMIT 1";

constexpr std::string_view kPlanOf = "SELECT plan_id FROM ing_task WHERE id = :id LIMIT 1";

std::optional<std::string> MessageOf(const std::optional<TaskError>& error) {
  return error ? std::optional(error->message) : std::nullopt;
}

std::optional<std::string> CodeOf(const std::optional<TaskError>& error) {
  return error ? std::optional(std::string(error->code)) : std::nullopt;
}

Error LeaseLost(Id task) {
  return {ErrorCode::kLeaseLost,
          fmt::format("the lease of task {} is lost", task),
          {},
          "another executor has taken it over; nothing of this run's last step was stored"};
}

Result<void> OneRow(std::int64_t rows, Id task) {
  if (rows == 1) return {};
  return std::unexpected(LeaseLost(task));
}

// The task's slice, where the statement changed the task.
Result<std::optional<Id>> SliceIfChanged(Session& session, Id task, std::int64_t rows) {
  if (rows != 1) return std::nullopt;
  return PATRA_TRY(session.Integer(kSliceOf, {{"id", task}}));
}

}  // namespace

Result<Works> InsertAll(Session& session, const domain::Plan& plan, const Works& works,
                        Instant now) {
  std::vector<std::string_view> keys;
  for (const auto* work : works) keys.push_back(work->task.idempotent_key);
  auto known = PATRA_TRY(TextsAmong(session, KnownIn(), ListOf(keys), {}));
  Works added;
  for (const auto* work : works) {
    if (known.insert(work->task.idempotent_key).second) added.push_back(work);
  }
  PATRA_TRY(session.RunEach(kInsert, added.size(), [&](std::size_t i, const auto& with) {
    const auto& [slice, task] = *added[i];
    return with({{"id", task.id},
                 {"schedule_instance_id", plan.trigger_id},
                 {"plan_id", plan.id},
                 {"slice_id", slice.id},
                 {"provenance_code", plan.lane.provenance},
                 {"endpoint_name", plan.lane.endpoint},
                 {"operation_code", Code(plan.lane.operation)},
                 {"params", task.params},
                 {"idempotent_key", task.idempotent_key},
                 {"expr_hash", slice.expr_hash},
                 {"priority", plan.priority},
                 {"ready", task.scheduled_at <= now},
                 {"scheduled_at", task.scheduled_at},
                 {"rate_key", task.rate_key},
                 {"requests_left", task.requests_left},
                 {"at_once", task.at_once},
                 {"correlation_id", plan.correlation},
                 {"now", now}});
  }));
  return added;
}

namespace {

Result<std::vector<TaskOfSlice>> TasksIn(Rows rows) {
  std::vector<TaskOfSlice> tasks;
  while (PATRA_TRY(rows.Next())) tasks.push_back({rows.Integer("id"), rows.Integer("slice_id")});
  return tasks;
}

}  // namespace

namespace {

// Cancels those of them that are still open.
Result<std::vector<TaskOfSlice>> CancelAll(Session& session, std::vector<TaskOfSlice> tasks,
                                           const std::string& reason, Instant now) {
  std::vector<TaskOfSlice> cancelled;
  for (const auto& task : tasks) {
    const auto rows =
        PATRA_TRY(session.Run(kCancel, {{"reason", reason}, {"now", now}, {"id", task.task}}));
    if (rows == 1) cancelled.push_back(task);
  }
  return cancelled;
}

}  // namespace

Result<std::vector<TaskOfSlice>> CancelOfPlan(Session& session, Id plan, const std::string& reason,
                                              int tasks_max, Instant now) {
  auto open = PATRA_TRY(TasksIn(
      PATRA_TRY(session.Query(kOpenOfPlan, {{"plan_id", plan}, {"tasks_max", tasks_max}}))));
  return CancelAll(session, std::move(open), reason, now);
}

Result<std::vector<TaskOfSlice>> Cancel(Session& session, Id task, const std::string& reason,
                                        Instant now) {
  auto found = PATRA_TRY(TasksIn(PATRA_TRY(session.Query(kWithSlice, {{"id", task}}))));
  return CancelAll(session, std::move(found), reason, now);
}

Result<std::optional<Id>> FindOfSlice(Session& session, Id slice) {
  auto rows = PATRA_TRY(session.Query(kFindOfSlice, {{"slice_id", slice}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer("id");
}

Result<std::optional<Id>> PlanOf(Session& session, Id task) {
  auto rows = PATRA_TRY(session.Query(kPlanOf, {{"id", task}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer("plan_id");
}

Result<void> NoteCredential(Session& session, Id task, const std::string& credential) {
  if (credential.empty()) return {};
  PATRA_TRY(session.Run(kNoteCredential, {{"credential_id", credential}, {"id", task}}));
  return {};
}

Result<void> CheckFence(Session& session, const app::LeasedTask& task, domain::TaskStatus status) {
  const auto rows = PATRA_TRY(session.Integer(
      kCheckFence,
      {{"id", task.lineage.task}, {"fence", task.fence}, {"status_code", Code(status)}}));
  return OneRow(rows, task.lineage.task);
}

Result<void> Start(Session& session, const app::LeasedTask& task, Instant now) {
  const auto rows = PATRA_TRY(
      session.Run(kStart, {{"now", now}, {"id", task.lineage.task}, {"fence", task.fence}}));
  return OneRow(rows, task.lineage.task);
}

Result<std::optional<Id>> Requeue(Session& session, Id task, Instant now) {
  return SliceIfChanged(session, task,
                        PATRA_TRY(session.Run(kRequeue, {{"now", now}, {"id", task}})));
}

Result<std::optional<Id>> TryAgain(Session& session, Id task, std::int64_t tries, Instant now) {
  return SliceIfChanged(
      session, task,
      PATRA_TRY(session.Run(kTryAgain, {{"now", now}, {"id", task}, {"tries", tries}})));
}

Result<std::optional<Id>> TakeAway(Session& session, Id task, const std::string& reason,
                                   Instant now) {
  return SliceIfChanged(
      session, task,
      PATRA_TRY(session.Run(kTakeAway, {{"reason", reason}, {"now", now}, {"id", task}})));
}

Result<std::optional<app::HealRequest>> NoteProgress(Session& session, Id task, Progress progress,
                                                     Instant now,
                                                     std::optional<std::int64_t> requests_left) {
  PATRA_TRY(session.Run(kNoteProgress, {{"now", now},
                                        {"is_fruit", progress == Progress::kBatch},
                                        {"requests_left", requests_left},
                                        {"id", task}}));
  auto rows = PATRA_TRY(session.Query(kHealRequest, {{"id", task}}));
  if (!PATRA_TRY(rows.Next()) || rows.IsNull("heal_request")) return std::nullopt;
  const auto what = domain::FindCode<domain::SliceRequest>(rows.View("heal_request"));
  if (!what) return std::nullopt;
  return app::HealRequest{.what = *what, .reason = rows.Text("heal_reason")};
}

Result<bool> AskOfSlice(Session& session, Id slice, domain::SliceRequest request,
                        const std::string& reason) {
  return PATRA_TRY(session.Run(
             kAskOfSlice,
             {{"request", domain::CodeOf(request)}, {"reason", reason}, {"slice_id", slice}})) > 0;
}

Result<void> GiveBack(Session& session, const app::LeasedTask& task, Instant scheduled_at,
                      const std::string& reason, const std::optional<TaskError>& error, Instant now,
                      bool is_orderly) {
  const auto rows = PATRA_TRY(session.Run(kGiveBack, {{"ready", scheduled_at <= now},
                                                      {"scheduled_at", scheduled_at},
                                                      {"wait_reason", reason},
                                                      {"failed", error.has_value()},
                                                      {"error", MessageOf(error)},
                                                      {"error_code", CodeOf(error)},
                                                      {"orderly", is_orderly},
                                                      {"now", now},
                                                      {"id", task.lineage.task},
                                                      {"fence", task.fence}}));
  return OneRow(rows, task.lineage.task);
}

Result<void> Finish(Session& session, const app::LeasedTask& task, domain::TaskStatus status,
                    const std::optional<TaskError>& error, Instant now) {
  const auto rows = PATRA_TRY(session.Run(kFinish, {{"status_code", Code(status)},
                                                    {"error", MessageOf(error)},
                                                    {"error_code", CodeOf(error)},
                                                    {"now", now},
                                                    {"id", task.lineage.task},
                                                    {"fence", task.fence},
                                                    {"allowed", CodesBefore(status)}}));
  return OneRow(rows, task.lineage.task);
}

}  // namespace patra::infra::sql::task_table
