// Table ing_task, where a task is somebody's: claimed, kept, and taken back when its executor is not heard of. The rest of the
// table's statements are in task_table.cc.
#include <array>
#include <map>

#include <fmt/format.h>

#include "infra/sql/task_table.h"

namespace patra::infra::sql::task_table {
namespace {

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
           plan.mapping_generation, plan.plan_key, plan.expr_proto_hash, task.priority, task.fruitless_claims, task.rate_key,
           task.at_once, task.params, coalesce(task.wait_reason, '') AS waited_for,
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
                  .correlation = rows.Text("correlation_id"),
                  .lane = {.provenance = rows.Text("provenance_code"),
                           .endpoint = rows.Text("endpoint_name"),
                           .operation = operation}},
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
      .mapping_generation = rows.Integer("mapping_generation"),
      .priority = static_cast<int>(rows.Integer("priority")),
      .slice_expr_hash = rows.Text("expr_hash"),
      .fruitless_claims = static_cast<int>(rows.Integer("fruitless_claims")),
      .damage = std::move(damage),
      .rate_key = rows.Text("rate_key"),
      .at_once = rows.IsNull("at_once") ? std::nullopt
                                        : std::optional(static_cast<int>(rows.Integer("at_once"))),
      .params = rows.Text("params"),
      .values = domain::ValuesIn(rows.View("expr_snapshot")),
      .waited_for = rows.Text("waited_for")};
}

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

}  // namespace

Result<Leased> Lease(Session& session, std::span<const Id> tasks, const std::string& owner,
                     Instant until, Instant now) {
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
  Leased leased{.lost = std::ssize(may) - taken};
  for (const auto id : may) {
    if (const auto found = by_id.find(id); found != by_id.end())
      leased.tasks.push_back(std::move(found->second));
  }
  return leased;
}

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
  std::vector<TaskOfSlice> expired;
  {
    auto rows = PATRA_TRY(session.Query(kExpired, {{"now", now}}));
    while (PATRA_TRY(rows.Next()))
      expired.push_back({rows.Integer("id"), rows.Integer("slice_id")});
  }
  std::vector<TaskOfSlice> rescued;
  for (const auto& task : expired) {
    if (PATRA_TRY(session.Run(kRescueExpired, {{"now", now}, {"id", task.task}})) == 1)
      rescued.push_back(task);
  }
  return rescued;
}

}  // namespace patra::infra::sql::task_table
