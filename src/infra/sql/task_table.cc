#include "infra/sql/task_table.h"

#include <array>
#include <map>

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

std::string_view LeaseIn() {
  static const auto kSql = WithList(R"sql(
    UPDATE ing_task NOT INDEXED
    SET status_code = 'DISPATCHED', lease_owner = :lease_owner, leased_until = :leased_until,
        lease_count = lease_count + 1, fruitless_claims = fruitless_claims + 1, fence = fence + 1,
        last_heartbeat_at = :now, updated_at = :now, version = version + 1
    WHERE status_code = 'QUEUED' AND ready = 1 AND id IN)sql");
  return kSql;
}

// Of tasks whose plans let only so many run at once: how many do.
std::string_view BoundedIn() {
  static const auto kSql = WithList(R"sql(
    SELECT task.id, task.plan_id, task.at_once,
           (SELECT count(*) FROM ing_task AS other
            WHERE other.plan_id = task.plan_id
              AND other.status_code IN ('DISPATCHED', 'EXECUTING')) AS running
    FROM ing_task AS task NOT INDEXED WHERE task.at_once IS NOT NULL AND task.id IN)sql");
  return kSql;
}

// Replays are no attempts: their numbers are below zero.
std::string_view ReadIn() {
  static const auto kSql = WithList(R"sql(
    SELECT task.id, task.lease_owner, task.schedule_instance_id, task.plan_id, task.slice_id, task.provenance_code,
           task.endpoint_name, task.operation_code, task.fence, task.leased_until, plan.query_hash,
           plan.namespace_scope_code, plan.namespace_key, plan.cursor_key, plan.window_from,
           plan.window_to, slice.slice_spec, slice.expr_snapshot, plan.expr_proto_snapshot, slice.expr_hash,
           (SELECT count(*) FROM ing_task_run AS run WHERE run.task_id = task.id AND run.attempt_no > 0) AS runs,
           task.failures,
           plan.plan_key, plan.expr_proto_hash, task.priority, task.fruitless_claims, task.rate_key,
           task.at_once, task.params,
           coalesce(task.correlation_id, CAST(task.schedule_instance_id AS TEXT)) AS correlation_id
    FROM ing_task AS task NOT INDEXED
    JOIN ing_plan AS plan ON plan.id = task.plan_id
    JOIN ing_plan_slice AS slice ON slice.id = task.slice_id
    WHERE task.id IN)sql");
  return kSql;
}

constexpr std::string_view kRenew = R"sql(
    UPDATE ing_task
    SET leased_until = :leased_until, lease_count = lease_count + 1, last_heartbeat_at = :now
    WHERE lease_owner = :lease_owner AND status_code IN ('DISPATCHED', 'EXECUTING')
      AND leased_until >= :now)sql";

constexpr std::string_view kOwned = R"sql(
    SELECT id FROM ing_task
    WHERE lease_owner = :lease_owner AND status_code IN ('DISPATCHED', 'EXECUTING')
      AND leased_until >= :now LIMIT 10000)sql";

// Raising the fence here as well closes the race with a worker that commits a moment later.
constexpr std::string_view kRescueExpired = R"sql(
    UPDATE ing_task
    SET status_code = 'QUEUED', ready = 1, lease_owner = NULL, leased_until = NULL, fence = fence + 1,
        wait_reason = NULL, last_error_code = 'LEASE_EXPIRED',
        last_error_msg = 'its executor stopped or could not renew the lease', updated_at = :now,
        version = version + 1
    WHERE id = :id AND status_code IN ('DISPATCHED', 'EXECUTING') AND leased_until < :now)sql";

constexpr std::string_view kExpired = R"sql(
    SELECT id, slice_id FROM ing_task
    WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND leased_until < :now
    ORDER BY leased_until LIMIT 1000)sql";

constexpr std::string_view kIsAnyExpired = R"sql(
    SELECT EXISTS (SELECT 1 FROM ing_task
                   WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND leased_until < :now))sql";

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

namespace {

// Without those whose plans are busy enough.
Result<std::vector<Id>> WhosePlansMay(Session& session, std::span<const Id> tasks) {
  struct OfPlan {
    Id plan;
    std::int64_t at_once;
  };
  std::map<Id, OfPlan> bounded;  // by task
  std::map<Id, std::int64_t> running;
  PATRA_TRY(session.QueryIn(BoundedIn(), ListOf(tasks), {}, [&](const Rows& rows) -> Result<void> {
    bounded[rows.Integer("id")] = {rows.Integer("plan_id"), rows.Integer("at_once")};
    running[rows.Integer("plan_id")] = rows.Integer("running");
    return {};
  }));
  std::vector<Id> may;
  for (const auto task : tasks) {
    const auto found = bounded.find(task);
    if (found != bounded.end()) {
      auto& busy = running[found->second.plan];
      if (busy >= found->second.at_once) continue;
      ++busy;
    }
    may.push_back(task);
  }
  return may;
}

Result<app::LeasedTask> TaskIn(const Rows& rows);

}  // namespace

Result<std::vector<app::LeasedTask>> Lease(Session& session, std::span<const Id> tasks,
                                           const std::string& owner, Instant until, Instant now) {
  const auto may = PATRA_TRY(WhosePlansMay(session, tasks));
  const auto taken = PATRA_TRY(session.RunIn(
      LeaseIn(), ListOf(may), {{"lease_owner", owner}, {"leased_until", until}, {"now", now}}));
  std::map<Id, app::LeasedTask> by_id;
  const auto keep = [&](const Rows& rows) -> Result<void> {
    const bool is_ours = rows.View("lease_owner") == owner && rows.Time("leased_until") == until;
    if (is_ours) by_id.emplace(rows.Integer("id"), PATRA_TRY(TaskIn(rows)));
    return {};
  };
  PATRA_TRY(session.QueryIn(ReadIn(), ListOf(may), {}, keep));
  if (std::ssize(by_id) < taken)
    return Fail(ErrorCode::kCorruption,
                fmt::format("{} of the tasks {} have lost their plan or slice",
                            taken - std::ssize(by_id), fmt::join(may, ", ")));
  std::vector<app::LeasedTask> leased;
  for (const auto id : may) {
    if (const auto found = by_id.find(id); found != by_id.end())
      leased.push_back(std::move(found->second));
  }
  return leased;
}

namespace {

Result<app::LeasedTask> TaskIn(const Rows& rows) {
  const auto operation = PATRA_TRY(domain::OperationFromCode(rows.View("operation_code")));
  const auto plan_window =
      PATRA_TRY(domain::Window::Between(rows.Time("window_from"), rows.Time("window_to")));
  auto slice = [&]() -> Result<domain::SliceSpec> {
    return domain::SliceSpec::FromValue(PATRA_TRY(ParseJson(rows.View("slice_spec"))));
  }();
  // What it should do cannot be known any more. Whoever claimed it says so and gives it up.
  auto damage = slice ? std::string() : "the slice cannot be read: " + slice.error().Describe();
  return app::LeasedTask{
      .lineage = {.trigger = rows.Integer("schedule_instance_id"),
                  .plan = rows.Integer("plan_id"),
                  .slice = rows.Integer("slice_id"),
                  .task = rows.Integer("id"),
                  .correlation = rows.Text("correlation_id")},
      .lane = {.provenance = rows.Text("provenance_code"),
               .endpoint = rows.Text("endpoint_name"),
               .operation = operation},
      .fence = rows.Integer("fence"),
      .leased_until = rows.Time("leased_until"),
      .runs_so_far = static_cast<int>(rows.Integer("runs")),
      .failures = static_cast<int>(rows.Integer("failures")),
      .query_hash = rows.Text("query_hash"),
      .cursor = {.scope = rows.Text("namespace_scope_code"),
                 .key = rows.Text("namespace_key"),
                 .cursor_key = rows.Text("cursor_key")},
      .plan_window = plan_window,
      .slice = std::move(slice).value_or(domain::SliceSpec{.window = plan_window}),
      .plan_key = rows.Text("plan_key"),
      .plan_snapshot = rows.Text("expr_proto_snapshot"),
      .expr_proto_hash = rows.Text("expr_proto_hash"),
      .priority = static_cast<int>(rows.Integer("priority")),
      .slice_expr_hash = rows.Text("expr_hash"),
      .fruitless_claims = static_cast<int>(rows.Integer("fruitless_claims")),
      .damage = std::move(damage),
      .rate_key = rows.Text("rate_key"),
      .at_once = rows.IsNull("at_once") ? std::nullopt
                                        : std::optional(static_cast<int>(rows.Integer("at_once"))),
      .params = rows.Text("params"),
      .values = domain::ValuesIn(rows.View("expr_snapshot"))};
}

}  // namespace

Result<app::LeasedTask> Read(Session& session, Id task) {
  std::optional<app::LeasedTask> found;
  PATRA_TRY(
      session.QueryIn(ReadIn(), std::array{Bound(task)}, {}, [&](const Rows& rows) -> Result<void> {
        found = PATRA_TRY(TaskIn(rows));
        return {};
      }));
  if (found) return *std::move(found);
  return Fail(ErrorCode::kCorruption, fmt::format("task {} has lost its plan or slice", task));
}

Result<std::vector<Id>> Renew(Session& session, const std::string& owner, Instant until,
                              Instant now) {
  PATRA_TRY(session.Run(kRenew, {{"leased_until", until}, {"now", now}, {"lease_owner", owner}}));
  std::vector<Id> owned;
  auto rows = PATRA_TRY(session.Query(kOwned, {{"lease_owner", owner}, {"now", now}}));
  while (PATRA_TRY(rows.Next())) owned.push_back(rows.Integer("id"));
  return owned;
}

Result<bool> IsAnyExpired(Session& session, Instant now) {
  return PATRA_TRY(session.Integer(kIsAnyExpired, {{"now", now}})) > 0;
}

Result<std::vector<TaskOfSlice>> RescueExpired(Session& session, Instant now) {
  std::vector<TaskOfSlice> rescued;
  for (const auto& task : PATRA_TRY(TasksIn(PATRA_TRY(session.Query(kExpired, {{"now", now}}))))) {
    if (PATRA_TRY(session.Run(kRescueExpired, {{"now", now}, {"id", task.task}})) == 1)
      rescued.push_back(task);
  }
  return rescued;
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
