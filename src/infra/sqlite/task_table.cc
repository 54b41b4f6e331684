#include "infra/sqlite/task_table.h"

#include "infra/sqlite/state_move.h"

namespace patra::infra::sqlite::task_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_task
        (id, schedule_instance_id, plan_id, slice_id, provenance_code, endpoint_name, operation_code, params,
         idempotent_key, expr_hash, priority, ready, scheduled_at, rate_key, requests_left, at_once,
         created_at, updated_at)
    VALUES (:id, :schedule_instance_id, :plan_id, :slice_id, :provenance_code, :endpoint_name,
            :operation_code, :params, :idempotent_key, :expr_hash, :priority, :ready, :scheduled_at,
            :rate_key, :requests_left, :at_once, :now, :now)
    ON CONFLICT DO NOTHING)sql";

constexpr std::string_view kReleaseDue = R"sql(
    UPDATE ing_task SET ready = 1, wait_reason = NULL
    WHERE id IN (SELECT id FROM ing_task
                 WHERE status_code = 'QUEUED' AND ready = 0 AND scheduled_at <= :now
                 ORDER BY scheduled_at LIMIT 1000))sql";

// Jumps from partition to partition along the index instead of reading every ready row.
constexpr std::string_view kPartitions = R"sql(
    WITH RECURSIVE partition (key) AS (
        SELECT min(partition_key) FROM ing_task WHERE status_code = 'QUEUED' AND ready = 1
        UNION ALL
        SELECT (SELECT min(partition_key) FROM ing_task
                WHERE status_code = 'QUEUED' AND ready = 1 AND partition_key > partition.key)
        FROM partition WHERE partition.key IS NOT NULL
    )
    SELECT key, (SELECT count(*) FROM ing_task
                 WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND partition_key = partition.key),
           (SELECT count(*) FROM ing_task
            WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND partition_key = partition.key
              AND lease_owner = :owner)
    FROM partition WHERE key IS NOT NULL LIMIT 1000)sql";

constexpr std::string_view kHeads = R"sql(
    SELECT id, priority, scheduled_at FROM ing_task AS task
    WHERE status_code = 'QUEUED' AND ready = 1 AND partition_key = :partition_key
      AND (at_once IS NULL OR at_once > (SELECT count(*) FROM ing_task AS other
                                         WHERE other.plan_id = task.plan_id
                                           AND other.status_code IN ('DISPATCHED', 'EXECUTING')))
    ORDER BY priority, scheduled_at, id LIMIT :tasks_max)sql";

// Jumps along the indexes of the ready, the parked and the running, which hold open tasks only.
constexpr std::string_view kOpenByPartition = R"sql(
    SELECT partition_key, count(*), 0, min(scheduled_at) FROM ing_task INDEXED BY idx_task_queue
    WHERE status_code = 'QUEUED' AND ready = 1 GROUP BY partition_key
    UNION ALL
    SELECT partition_key, count(*), 0, min(scheduled_at) FROM ing_task INDEXED BY idx_task_parked_part
    WHERE status_code = 'QUEUED' AND ready = 0 GROUP BY partition_key
    UNION ALL
    SELECT partition_key, 0, count(*), NULL FROM ing_task INDEXED BY idx_task_running
    WHERE status_code IN ('DISPATCHED', 'EXECUTING') GROUP BY partition_key
    LIMIT 10000)sql";

constexpr std::string_view kCountOpen = R"sql(
    SELECT count(*) FROM ing_task
    WHERE provenance_code = :provenance_code AND operation_code = :operation_code
      AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING') AND endpoint_name = :endpoint_name)sql";

// Whatever it was expected to take, a task that is open makes one more request at least.
constexpr std::string_view kCountRequests = R"sql(
    SELECT coalesce(sum(CASE WHEN status_code != 'QUEUED' OR priority <= :priority
                             THEN max(requests_left, 1) ELSE 0 END), 0),
           coalesce(sum(CASE WHEN status_code = 'QUEUED' AND priority > :priority
                             THEN max(requests_left, 1) ELSE 0 END), 0)
    FROM ing_task INDEXED BY idx_task_rate
    WHERE rate_key = :rate_key AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING')
      AND NOT (ready = 0 AND wait_reason = :quota AND scheduled_at > :now))sql";

constexpr std::string_view kRequestsLeft = "SELECT requests_left FROM ing_task WHERE id = :id";

constexpr std::string_view kLeastUrgent = R"sql(
    SELECT id, max(requests_left, 1) FROM ing_task INDEXED BY idx_task_rate
    WHERE rate_key = :rate_key AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING')
      AND status_code = 'QUEUED' AND priority > :priority
      AND NOT (ready = 0 AND wait_reason = :quota AND scheduled_at > :now)
    ORDER BY priority DESC, scheduled_at DESC LIMIT 10000)sql";

constexpr std::string_view kRollOver = R"sql(
    UPDATE ing_task
    SET ready = 0, scheduled_at = :until, wait_reason = :quota, updated_at = :now, version = version + 1
    WHERE id = :id AND status_code = 'QUEUED')sql";

constexpr std::string_view kLease = R"sql(
    UPDATE ing_task
    SET status_code = 'DISPATCHED', lease_owner = :lease_owner, leased_until = :leased_until,
        lease_count = lease_count + 1, fruitless_claims = fruitless_claims + 1, fence = fence + 1,
        last_heartbeat_at = :now, updated_at = :now, version = version + 1
    WHERE id = :id AND status_code = 'QUEUED' AND ready = 1
      AND (at_once IS NULL OR at_once > (SELECT count(*) FROM ing_task AS other
                                         WHERE other.plan_id = ing_task.plan_id
                                           AND other.status_code IN ('DISPATCHED', 'EXECUTING'))))sql";

// Replays are no attempts: their numbers are below zero.
constexpr std::string_view kRead = R"sql(
    SELECT task.schedule_instance_id, task.plan_id, task.slice_id, task.provenance_code,
           task.endpoint_name, task.operation_code, task.fence, task.leased_until, plan.query_hash,
           plan.namespace_scope_code, plan.namespace_key, plan.cursor_key, plan.window_from,
           plan.window_to, slice.slice_spec, plan.expr_proto_snapshot, slice.expr_hash,
           (SELECT count(*) FROM ing_task_run AS run WHERE run.task_id = task.id AND run.attempt_no > 0),
           task.failures,
           plan.plan_key, plan.expr_proto_hash, task.priority, task.fruitless_claims, task.rate_key,
           task.at_once
    FROM ing_task AS task
    JOIN ing_plan AS plan ON plan.id = task.plan_id
    JOIN ing_plan_slice AS slice ON slice.id = task.slice_id
    WHERE task.id = :id LIMIT 1)sql";

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
        wait_reason = NULL, updated_at = :now, version = version + 1
    WHERE id IN (SELECT id FROM ing_task
                 WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND leased_until < :now
                 ORDER BY leased_until LIMIT 1000)
    RETURNING slice_id)sql";

constexpr std::string_view kTakeAway = R"sql(
    UPDATE ing_task
    SET status_code = 'QUEUED', ready = 1, lease_owner = NULL, leased_until = NULL, fence = fence + 1,
        wait_reason = :reason, updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('DISPATCHED', 'EXECUTING') RETURNING slice_id)sql";

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
    WHERE id = :id
    RETURNING heal_request, heal_reason)sql";

constexpr std::string_view kAskOfSlice = R"sql(
    UPDATE ing_task SET heal_request = :request, heal_reason = :reason
    WHERE slice_id = :slice_id AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING'))sql";

constexpr std::string_view kGiveBack = R"sql(
    UPDATE ing_task
    SET status_code = 'QUEUED', ready = :ready, scheduled_at = :scheduled_at, wait_reason = :wait_reason,
        lease_owner = NULL, leased_until = NULL, retry_count = retry_count + 1,
        failures = failures + :failed, last_error_msg = :error,
        fruitless_claims = CASE WHEN :orderly THEN 0 ELSE fruitless_claims END, updated_at = :now,
        version = version + 1
    WHERE id = :id AND fence = :fence AND status_code IN ('DISPATCHED', 'EXECUTING'))sql";

constexpr std::string_view kFinish = R"sql(
    UPDATE ing_task
    SET status_code = :status_code, lease_owner = NULL, leased_until = NULL, last_error_msg = :error,
        finished_at = :now, updated_at = :now, version = version + 1
    WHERE id = :id AND fence = :fence AND status_code IN (SELECT value FROM json_each(:allowed)))sql";

constexpr std::string_view kRequeue = R"sql(
    UPDATE ing_task
    SET status_code = 'QUEUED', ready = 1, scheduled_at = :now, wait_reason = NULL, finished_at = NULL,
        heal_request = NULL, failures = 0, fruitless_claims = 0, command_tries = 0, updated_at = :now,
        version = version + 1
    WHERE id = :id AND status_code IN ('FAILED', 'PARTIAL')
    RETURNING slice_id)sql";

constexpr std::string_view kFirstParked = R"sql(
    SELECT wait_reason, scheduled_at FROM ing_task INDEXED BY idx_task_parked
    WHERE status_code = 'QUEUED' AND ready = 0 AND scheduled_at > :now
    ORDER BY scheduled_at LIMIT 1)sql";

constexpr std::string_view kFirstParkedOf = R"sql(
    SELECT wait_reason, scheduled_at FROM ing_task INDEXED BY idx_task_parked_part
    WHERE status_code = 'QUEUED' AND ready = 0 AND partition_key = :partition_key AND scheduled_at > :now
    ORDER BY scheduled_at LIMIT 1)sql";

constexpr std::string_view kUnpark = R"sql(
    UPDATE ing_task
    SET ready = 1, scheduled_at = :now, wait_reason = NULL, failures = 0, command_tries = 0,
        updated_at = :now, version = version + 1
    WHERE id = :id AND status_code = 'QUEUED' AND ready = 0)sql";

constexpr std::string_view kFreeParked = R"sql(
    UPDATE ing_task
    SET ready = 1, scheduled_at = :now, wait_reason = NULL, updated_at = :now, version = version + 1
    WHERE id IN (SELECT id FROM ing_task
                 WHERE provenance_code = :provenance_code AND status_code = 'QUEUED' AND ready = 0
                   AND wait_reason IS NOT NULL
                 LIMIT 10000))sql";

constexpr std::string_view kTryAgain = R"sql(
    UPDATE ing_task
    SET status_code = 'QUEUED', ready = 1, scheduled_at = :now, wait_reason = NULL, finished_at = NULL,
        heal_request = NULL, failures = 0, fruitless_claims = 0, command_tries = command_tries + 1,
        updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('FAILED', 'PARTIAL') AND command_tries = :tries
    RETURNING slice_id)sql";

// The raised fence keeps a worker that is at it from committing anything more.
constexpr std::string_view kCancelOfPlan = R"sql(
    UPDATE ing_task
    SET status_code = 'CANCELLED', fence = fence + 1, lease_owner = NULL, leased_until = NULL,
        last_error_msg = :reason, finished_at = :now, updated_at = :now, version = version + 1
    WHERE id IN (SELECT id FROM ing_task
                 WHERE plan_id = :plan_id AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING')
                 LIMIT :tasks_max)
    RETURNING id, slice_id)sql";

constexpr std::string_view kCancel = R"sql(
    UPDATE ing_task
    SET status_code = 'CANCELLED', fence = fence + 1, lease_owner = NULL, leased_until = NULL,
        last_error_msg = :reason, finished_at = :now, updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('QUEUED', 'DISPATCHED', 'EXECUTING')
    RETURNING id, slice_id)sql";

constexpr std::string_view kFindOfSlice =
    "SELECT id FROM ing_task WHERE slice_id = :slice_id LIMIT 1";

constexpr std::string_view kPlanOf = "SELECT plan_id FROM ing_task WHERE id = :id LIMIT 1";

Error LeaseLost(Id task) {
  return {ErrorCode::kConflict,
          fmt::format("the lease of task {} is lost", task),
          {},
          "another executor has taken it over; nothing of this run's last step was stored"};
}

Result<void> OneRow(std::int64_t rows, Id task) {
  if (rows == 1) return {};
  return std::unexpected(LeaseLost(task));
}

// Of an UPDATE … RETURNING, which is over only when it was read to its end.
Result<std::optional<Id>> OnlyId(Rows rows) {
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const Id id = rows.Integer(0);
  (void)PATRA_TRY(rows.Next());
  return id;
}

}  // namespace

Result<bool> Insert(Connection& connection, const domain::Plan& plan,
                    const domain::SliceWithTask& work, Instant now) {
  const bool ready = work.task.scheduled_at <= now;
  const auto inserted = PATRA_TRY(connection.Run(
      kInsert, work.task.id, plan.trigger_id, plan.id, work.slice.id, plan.partition.provenance,
      plan.partition.endpoint, Code(plan.partition.operation), work.task.params,
      work.task.idempotent_key, work.slice.expr_hash, plan.priority, ready, work.task.scheduled_at,
      work.task.rate_key, work.task.requests_left, work.task.at_once, now));
  return inserted == 1;
}

namespace {

Result<std::vector<CancelledTask>> CancelledTasks(Rows rows) {
  std::vector<CancelledTask> cancelled;
  while (PATRA_TRY(rows.Next())) cancelled.push_back({rows.Integer(0), rows.Integer(1)});
  return cancelled;
}

}  // namespace

Result<std::vector<CancelledTask>> CancelOfPlan(Connection& connection, Id plan,
                                                const std::string& reason, int tasks_max,
                                                Instant now) {
  return CancelledTasks(PATRA_TRY(connection.Query(kCancelOfPlan, reason, now, plan, tasks_max)));
}

Result<std::vector<CancelledTask>> Cancel(Connection& connection, Id task,
                                          const std::string& reason, Instant now) {
  return CancelledTasks(PATRA_TRY(connection.Query(kCancel, reason, now, task)));
}

Result<std::optional<Id>> FindOfSlice(Connection& connection, Id slice) {
  auto rows = PATRA_TRY(connection.Query(kFindOfSlice, slice));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer(0);
}

Result<std::optional<Id>> PlanOf(Connection& connection, Id task) {
  auto rows = PATRA_TRY(connection.Query(kPlanOf, task));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer(0);
}

Result<void> ReleaseDue(Connection& connection, Instant now) {
  PATRA_TRY(connection.Run(kReleaseDue, now));
  return {};
}

Result<std::vector<OpenInPartition>> OpenByPartition(Connection& connection) {
  std::vector<OpenInPartition> open;
  auto rows = PATRA_TRY(connection.Query(kOpenByPartition));
  while (PATRA_TRY(rows.Next())) {
    auto& partition = open.emplace_back(OpenInPartition{
        .key = rows.Text(0), .queued = rows.Integer(1), .running = rows.Integer(2)});
    if (!rows.IsNull(3)) partition.next_due = rows.Time(3);
  }
  return open;
}

Result<std::vector<domain::PartitionBacklog>> Backlogs(Connection& connection,
                                                       const std::string& owner, int tasks_max) {
  std::vector<domain::PartitionBacklog> backlogs;
  auto partitions = PATRA_TRY(connection.Query(kPartitions, owner));
  while (PATRA_TRY(partitions.Next())) {
    auto& backlog = backlogs.emplace_back(
        domain::PartitionBacklog{.key = partitions.Text(0),
                                 .running = static_cast<int>(partitions.Integer(1)),
                                 .running_here = static_cast<int>(partitions.Integer(2))});
    auto heads = PATRA_TRY(connection.Query(kHeads, backlog.key, tasks_max));
    while (PATRA_TRY(heads.Next())) {
      backlog.tasks.push_back(
          {heads.Integer(0), static_cast<int>(heads.Integer(1)), heads.Time(2)});
    }
  }
  return backlogs;
}

Result<std::int64_t> CountOpen(Connection& connection, const std::string& provenance,
                               std::string_view operation, const std::string& endpoint) {
  return connection.Integer(kCountOpen, provenance, operation, endpoint);
}

Result<app::OpenRequests> CountRequests(Connection& connection, const std::string& rate_key,
                                        int priority, Instant now) {
  auto rows = PATRA_TRY(
      connection.Query(kCountRequests, priority, rate_key, Name(domain::WaitReason::kQuota), now));
  if (!PATRA_TRY(rows.Next())) return app::OpenRequests{};
  return app::OpenRequests{.ahead = rows.Integer(0), .behind = rows.Integer(1)};
}

Result<std::int64_t> RequestsLeft(Connection& connection, Id task) {
  return connection.Integer(kRequestsLeft, task);
}

Result<void> RollOver(Connection& connection, const std::string& rate_key, int priority,
                      std::int64_t requests, Instant until, Instant now) {
  const auto quota = Name(domain::WaitReason::kQuota);
  std::vector<Id> chosen;
  {
    auto rows = PATRA_TRY(connection.Query(kLeastUrgent, rate_key, priority, quota, now));
    while (requests > 0 && PATRA_TRY(rows.Next())) {
      chosen.push_back(rows.Integer(0));
      requests -= rows.Integer(1);
    }
  }
  for (const auto id : chosen) PATRA_TRY(connection.Run(kRollOver, until, quota, now, id));
  return {};
}

Result<bool> Lease(Connection& connection, Id task, const std::string& owner, Instant until,
                   Instant now) {
  return PATRA_TRY(connection.Run(kLease, owner, until, now, task)) == 1;
}

Result<app::LeasedTask> Read(Connection& connection, Id task) {
  auto rows = PATRA_TRY(connection.Query(kRead, task));
  if (!PATRA_TRY(rows.Next())) {
    return Fail(ErrorCode::kCorruption, fmt::format("task {} has lost its plan or slice", task));
  }
  const auto operation = PATRA_TRY(domain::OperationFromCode(rows.View(5)));
  const auto plan_window = PATRA_TRY(domain::Window::Between(rows.Time(12), rows.Time(13)));
  auto slice = [&]() -> Result<domain::SliceSpec> {
    return domain::SliceSpec::FromValue(PATRA_TRY(ParseJson(rows.View(14))));
  }();
  // What it should do cannot be known any more. Whoever claimed it says so and gives it up.
  auto damage = slice ? std::string() : "the slice cannot be read: " + slice.error().Describe();
  return app::LeasedTask{
      .lineage = {.trigger = rows.Integer(0),
                  .plan = rows.Integer(1),
                  .slice = rows.Integer(2),
                  .task = task},
      .partition = {.provenance = rows.Text(3), .endpoint = rows.Text(4), .operation = operation},
      .fence = rows.Integer(6),
      .leased_until = rows.Time(7),
      .runs_so_far = static_cast<int>(rows.Integer(17)),
      .failures = static_cast<int>(rows.Integer(18)),
      .query_hash = rows.Text(8),
      .cursor = {.scope = rows.Text(9), .key = rows.Text(10), .cursor_key = rows.Text(11)},
      .plan_window = plan_window,
      .slice = std::move(slice).value_or(domain::SliceSpec{.window = plan_window}),
      .plan_key = rows.Text(19),
      .plan_snapshot = rows.Text(15),
      .expr_proto_hash = rows.Text(20),
      .priority = static_cast<int>(rows.Integer(21)),
      .slice_expr_hash = rows.Text(16),
      .fruitless_claims = static_cast<int>(rows.Integer(22)),
      .damage = std::move(damage),
      .rate_key = rows.Text(23),
      .at_once =
          rows.IsNull(24) ? std::nullopt : std::optional(static_cast<int>(rows.Integer(24)))};
}

Result<std::vector<Id>> Renew(Connection& connection, const std::string& owner, Instant until,
                              Instant now) {
  PATRA_TRY(connection.Run(kRenew, until, now, owner));
  std::vector<Id> owned;
  auto rows = PATRA_TRY(connection.Query(kOwned, owner, now));
  while (PATRA_TRY(rows.Next())) owned.push_back(rows.Integer(0));
  return owned;
}

Result<std::vector<Id>> RescueExpired(Connection& connection, Instant now) {
  std::vector<Id> slices;
  auto rows = PATRA_TRY(connection.Query(kRescueExpired, now));
  while (PATRA_TRY(rows.Next())) slices.push_back(rows.Integer(0));
  return slices;
}

Result<void> CheckFence(Connection& connection, const app::LeasedTask& task,
                        domain::TaskStatus status) {
  const auto rows =
      PATRA_TRY(connection.Integer(kCheckFence, task.lineage.task, task.fence, Code(status)));
  return OneRow(rows, task.lineage.task);
}

Result<void> Start(Connection& connection, const app::LeasedTask& task, Instant now) {
  const auto rows = PATRA_TRY(connection.Run(kStart, now, task.lineage.task, task.fence));
  return OneRow(rows, task.lineage.task);
}

Result<std::optional<Id>> Requeue(Connection& connection, Id task, Instant now) {
  return OnlyId(PATRA_TRY(connection.Query(kRequeue, now, task)));
}

Result<std::optional<app::TaskWait>> FirstParked(Connection& connection,
                                                 const std::optional<std::string>& partition_key,
                                                 Instant now) {
  auto rows = PATRA_TRY(partition_key ? connection.Query(kFirstParkedOf, *partition_key, now)
                                      : connection.Query(kFirstParked, now));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return app::TaskWait{rows.OptionalText(0).value_or("its start"), rows.Time(1)};
}

Result<bool> Unpark(Connection& connection, Id task, Instant now) {
  return PATRA_TRY(connection.Run(kUnpark, now, task)) == 1;
}

Result<std::int64_t> FreeParked(Connection& connection, const std::string& provenance,
                                Instant now) {
  return connection.Run(kFreeParked, now, provenance);
}

Result<std::optional<Id>> TryAgain(Connection& connection, Id task, std::int64_t tries,
                                   Instant now) {
  return OnlyId(PATRA_TRY(connection.Query(kTryAgain, now, task, tries)));
}

Result<std::optional<Id>> TakeAway(Connection& connection, Id task, const std::string& reason,
                                   Instant now) {
  return OnlyId(PATRA_TRY(connection.Query(kTakeAway, reason, now, task)));
}

Result<std::optional<app::HealRequest>> NoteProgress(Connection& connection, Id task,
                                                     Progress progress, Instant now,
                                                     std::optional<std::int64_t> requests_left) {
  auto rows = PATRA_TRY(
      connection.Query(kNoteProgress, now, progress == Progress::kBatch, requests_left, task));
  std::optional<app::HealRequest> request;
  // An UPDATE … RETURNING is over only when it was read to its end.
  while (PATRA_TRY(rows.Next())) {
    if (rows.IsNull(0)) continue;
    if (const auto what = domain::FindCode<domain::SliceRequest>(rows.View(0)))
      request = app::HealRequest{.what = *what, .reason = rows.Text(1)};
  }
  return request;
}

Result<bool> AskOfSlice(Connection& connection, Id slice, domain::SliceRequest request,
                        const std::string& reason) {
  return PATRA_TRY(connection.Run(kAskOfSlice, domain::CodeOf(request), reason, slice)) > 0;
}

Result<void> GiveBack(Connection& connection, const app::LeasedTask& task, Instant scheduled_at,
                      const std::string& reason, const std::optional<std::string>& error,
                      Instant now, bool is_orderly) {
  const auto rows = PATRA_TRY(connection.Run(kGiveBack, scheduled_at <= now, scheduled_at, reason,
                                             error.has_value(), error, is_orderly, now,
                                             task.lineage.task, task.fence));
  return OneRow(rows, task.lineage.task);
}

Result<void> Finish(Connection& connection, const app::LeasedTask& task, domain::TaskStatus status,
                    const std::optional<std::string>& error, Instant now) {
  const auto rows = PATRA_TRY(connection.Run(kFinish, Code(status), error, now, task.lineage.task,
                                             task.fence, CodesBefore(status)));
  return OneRow(rows, task.lineage.task);
}

}  // namespace patra::infra::sqlite::task_table
