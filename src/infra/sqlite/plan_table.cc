#include "infra/sqlite/plan_table.h"

#include "base/canonical_json.h"
#include "infra/sqlite/state_move.h"

namespace patra::infra::sqlite::plan_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_plan
        (id, schedule_instance_id, plan_key, provenance_code, endpoint_name, operation_code, query_hash,
         namespace_scope_code, namespace_key, cursor_key, expr_proto_hash, expr_proto_snapshot,
         provenance_config_snapshot, provenance_config_hash, spec_fingerprint, slice_strategy_code,
         slice_params, window_from, window_to, priority, status_code, record_remarks, created_at, updated_at)
    VALUES (:id, :schedule_instance_id, :plan_key, :provenance_code, :endpoint_name, :operation_code,
            :query_hash, :namespace_scope_code, :namespace_key, :cursor_key, :expr_proto_hash, :snapshot,
            :snapshot, :snapshot_hash, :snapshot_hash, :slice_strategy_code, :slice_params, :window_from, :window_to,
            :priority, :status_code, :record_remarks, :now, :now)
    ON CONFLICT (plan_key) DO NOTHING)sql";

constexpr std::string_view kFindByKey =
    "SELECT id, status_code FROM ing_plan WHERE plan_key = :plan_key LIMIT 1";

constexpr std::string_view kMove = R"sql(
    UPDATE ing_plan SET status_code = :to, updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN (SELECT value FROM json_each(:allowed)))sql";

// Of two planners at once, the slower one does not take back what the faster one has reached.
constexpr std::string_view kSetProgress = R"sql(
    UPDATE ing_plan
    SET sliced_to = max(coalesce(sliced_to, :sliced_to), :sliced_to), slice_position = :slice_position, updated_at = :now, version = version + 1
    WHERE id = :id)sql";

constexpr std::string_view kAddRemarks = R"sql(
    UPDATE ing_plan
    SET record_remarks = json_patch(record_remarks, :remarks), updated_at = :now, version = version + 1
    WHERE id = :id)sql";

constexpr std::string_view kRead = R"sql(
    SELECT schedule_instance_id, plan_key, provenance_code, endpoint_name, operation_code, query_hash,
           namespace_scope_code, namespace_key, cursor_key, expr_proto_hash, expr_proto_snapshot,
           spec_fingerprint, slice_strategy_code, window_from, window_to, sliced_to, slice_position,
           priority, status_code, record_remarks, slice_params
    FROM ing_plan WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kFindUncut = R"sql(
    SELECT min(id) FROM ing_plan
    WHERE namespace_key = :namespace_key AND status_code IN ('DRAFT', 'SLICING', 'PARTIAL')
      AND provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code
      AND (status_code <> 'PARTIAL' OR sliced_to IS NULL OR sliced_to < window_to))sql";

constexpr std::string_view kNewestCompleted = R"sql(
    SELECT id FROM ing_plan
    WHERE provenance_code = :provenance_code AND operation_code = :operation_code
      AND endpoint_name = :endpoint_name AND query_hash = :query_hash AND status_code = 'COMPLETED'
    ORDER BY created_at DESC LIMIT 1)sql";

constexpr std::string_view kCompleteIfDone = R"sql(
    UPDATE ing_plan SET status_code = 'COMPLETED', updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN ('READY', 'PARTIAL') AND sliced_to >= window_to
      AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS slice
                      WHERE slice.plan_id = ing_plan.id
                        AND slice.status_code IN ('PENDING', 'READY', 'EXECUTING', 'PARTIAL', 'FAILED')
                        AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child
                                        WHERE child.parent_slice_id = slice.id)))sql";

}  // namespace

Result<bool> Insert(Connection& connection, const domain::Plan& plan, Instant now) {
  const auto inserted = PATRA_TRY(connection.Run(
      kInsert, plan.id, plan.trigger_id, plan.key, plan.partition.provenance,
      plan.partition.endpoint, Code(plan.partition.operation), plan.query_hash, plan.cursor.scope,
      plan.cursor.key, plan.cursor.cursor_key, plan.expr_proto_hash, plan.snapshot,
      plan.snapshot_hash, plan.slice_strategy, CanonicalJson(plan.slice_params), plan.window.from(),
      plan.window.to(), plan.priority, Code(domain::PlanStatus::kDraft),
      CanonicalJson(plan.remarks), now));
  return inserted == 1;
}

Result<std::optional<Found>> FindByKey(Connection& connection, std::string_view key) {
  auto rows = PATRA_TRY(connection.Query(kFindByKey, key));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const auto status = PATRA_TRY(domain::StatusFromCode<domain::PlanStatus>(rows.View(1)));
  return Found{rows.Integer(0), status};
}

Result<void> Move(Connection& connection, Id plan, domain::PlanStatus to, Instant now) {
  const auto rows = PATRA_TRY(connection.Run(kMove, Code(to), now, plan, CodesBefore(to)));
  return Moved(rows, "plan", plan, to);
}

Result<void> SetProgress(Connection& connection, Id plan, const app::SlicingProgress& progress,
                         Instant now) {
  PATRA_TRY(connection.Run(kSetProgress, progress.sliced_to, progress.position, now, plan));
  return {};
}

Result<void> AddRemarks(Connection& connection, Id plan, const Value& remarks, Instant now) {
  PATRA_TRY(connection.Run(kAddRemarks, CanonicalJson(remarks), now, plan));
  return {};
}

Result<std::optional<app::StoredPlan>> Read(Connection& connection, Id plan) {
  auto rows = PATRA_TRY(connection.Query(kRead, plan));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const auto operation = PATRA_TRY(domain::OperationFromCode(rows.View(4)));
  const auto window = PATRA_TRY(domain::Window::Between(rows.Time(13), rows.Time(14)));
  auto remarks = PATRA_TRY(ParseJson(rows.View(19)));
  auto slice_params = PATRA_TRY(ParseJson(rows.View(20)));
  const auto status = PATRA_TRY(domain::StatusFromCode<domain::PlanStatus>(rows.View(18)));
  return app::StoredPlan{
      .plan = {.id = plan,
               .trigger_id = rows.Integer(0),
               .key = rows.Text(1),
               .partition = {rows.Text(2), rows.Text(3), operation},
               .query_hash = rows.Text(5),
               .cursor = {.scope = rows.Text(6), .key = rows.Text(7), .cursor_key = rows.Text(8)},
               .snapshot = rows.Text(10),
               .snapshot_hash = rows.Text(11),
               .expr_proto_hash = rows.Text(9),
               .slice_strategy = rows.Text(12),
               .slice_params = std::move(slice_params),
               .window = window,
               .priority = static_cast<int>(rows.Integer(17)),
               .remarks = std::move(remarks)},
      .status = status,
      .sliced_to = rows.OptionalTime(15),
      .position = rows.OptionalText(16)};
}

Result<std::optional<Id>> FindUncut(Connection& connection, const domain::Partition& partition,
                                    const domain::CursorNamespace& cursor) {
  auto rows = PATRA_TRY(connection.Query(kFindUncut, cursor.key, partition.provenance,
                                         partition.endpoint, Code(partition.operation)));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.OptionalInteger(0);
}

Result<std::optional<Id>> NewestCompleted(Connection& connection,
                                          const domain::Partition& partition,
                                          const std::string& query_hash) {
  auto rows =
      PATRA_TRY(connection.Query(kNewestCompleted, partition.provenance, Code(partition.operation),
                                 partition.endpoint, query_hash));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer(0);
}

Result<bool> CompleteIfDone(Connection& connection, Id plan, Instant now) {
  return PATRA_TRY(connection.Run(kCompleteIfDone, now, plan)) == 1;
}

}  // namespace patra::infra::sqlite::plan_table
