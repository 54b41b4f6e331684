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
         window_from, window_to, priority, status_code, record_remarks, created_at, updated_at)
    VALUES (:id, :schedule_instance_id, :plan_key, :provenance_code, :endpoint_name, :operation_code,
            :query_hash, :namespace_scope_code, :namespace_key, :cursor_key, :expr_proto_hash, :snapshot,
            :snapshot, :snapshot_hash, :snapshot_hash, :slice_strategy_code, :window_from, :window_to,
            :priority, :status_code, :record_remarks, :now, :now)
    ON CONFLICT (plan_key) DO NOTHING)sql";

constexpr std::string_view kFindByKey =
    "SELECT id, status_code FROM ing_plan WHERE plan_key = :plan_key LIMIT 1";

constexpr std::string_view kMove = R"sql(
    UPDATE ing_plan SET status_code = :to, updated_at = :now, version = version + 1
    WHERE id = :id AND status_code IN (SELECT value FROM json_each(:allowed)))sql";

constexpr std::string_view kSetSlicedTo =
    "UPDATE ing_plan SET sliced_to = :sliced_to, updated_at = :now, version = version + 1 WHERE id "
    "= :id";

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
      plan.snapshot_hash, plan.slice_strategy, plan.window.from(), plan.window.to(), plan.priority,
      Code(domain::PlanStatus::kDraft), CanonicalJson(plan.remarks), now));
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

Result<void> SetSlicedTo(Connection& connection, Id plan, Instant sliced_to, Instant now) {
  PATRA_TRY(connection.Run(kSetSlicedTo, sliced_to, now, plan));
  return {};
}

Result<void> CompleteIfDone(Connection& connection, Id plan, Instant now) {
  PATRA_TRY(connection.Run(kCompleteIfDone, now, plan));
  return {};
}

}  // namespace patra::infra::sqlite::plan_table
