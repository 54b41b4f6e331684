#include "infra/sqlite/cursor_table.h"

#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/time.h"
#include "base/value.h"

namespace patra::infra::sqlite::cursor_table {
namespace {

constexpr std::string_view kValue = R"sql(
    SELECT normalized_instant FROM ing_cursor
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code AND cursor_key = :cursor_key
      AND namespace_scope_code = :namespace_scope_code AND namespace_key = :namespace_key LIMIT 1)sql";

constexpr std::string_view kInsertEvent = R"sql(
    INSERT INTO ing_cursor_event
        (id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code,
         namespace_key, cursor_type_code, direction_code, prev_value, new_value, prev_instant, new_instant,
         window_from, window_to, idempotent_key, schedule_instance_id, plan_id, slice_id, task_id, run_id,
         batch_id, expr_hash, created_at)
    VALUES (:id, :provenance_code, :endpoint_name, :operation_code, :cursor_key, :namespace_scope_code,
            :namespace_key, 'TIME', 'FORWARD', :prev_value, :new_value, :prev_instant, :new_instant,
            :window_from, :window_to, :idempotent_key, :schedule_instance_id, :plan_id, :slice_id, :task_id,
            :run_id, :batch_id, :expr_hash, :now)
    ON CONFLICT (idempotent_key) DO NOTHING)sql";

constexpr std::string_view kMoveForward = R"sql(
    INSERT INTO ing_cursor
        (id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code,
         namespace_key, cursor_type_code, cursor_value, normalized_instant, schedule_instance_id, plan_id,
         slice_id, task_id, last_run_id, last_batch_id, expr_hash, created_at, updated_at)
    VALUES (:id, :provenance_code, :endpoint_name, :operation_code, :cursor_key, :namespace_scope_code,
            :namespace_key, 'TIME', :cursor_value, :normalized_instant, :schedule_instance_id, :plan_id,
            :slice_id, :task_id, :run_id, :batch_id, :expr_hash, :now, :now)
    ON CONFLICT (provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code,
                 namespace_key)
    DO UPDATE SET cursor_value = excluded.cursor_value, normalized_instant = excluded.normalized_instant,
        schedule_instance_id = excluded.schedule_instance_id, plan_id = excluded.plan_id,
        slice_id = excluded.slice_id, task_id = excluded.task_id, last_run_id = excluded.last_run_id,
        last_batch_id = excluded.last_batch_id, expr_hash = excluded.expr_hash,
        updated_at = excluded.updated_at, version = version + 1
    WHERE normalized_instant < excluded.normalized_instant)sql";

std::string EventKey(const Advance& advance) {
  return Sha256Hex(CanonicalJson(
      Value::Object{{"partition", advance.partition.Key()},
                    {"scope", advance.cursor.scope},
                    {"namespace", advance.cursor.key},
                    {"cursor", advance.cursor.cursor_key},
                    {"from", advance.from ? Value(FormatRfc3339Micros(*advance.from)) : Value()},
                    {"to", FormatRfc3339Micros(advance.to)}}));
}

}  // namespace

Result<std::optional<Instant>> Current(Connection& connection, const domain::Partition& partition,
                                       const domain::CursorNamespace& cursor) {
  auto rows = PATRA_TRY(connection.Query(kValue, partition.provenance, partition.endpoint,
                                         Code(partition.operation), cursor.cursor_key, cursor.scope,
                                         cursor.key));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.OptionalTime(0);
}

Result<void> InsertEvent(Connection& connection, const Advance& advance, Id new_id, Instant now) {
  std::optional<std::string> previous;
  if (advance.from) previous = FormatRfc3339(*advance.from);
  const auto& lineage = advance.lineage;
  PATRA_TRY(connection.Run(
      kInsertEvent, new_id, advance.partition.provenance, advance.partition.endpoint,
      Code(advance.partition.operation), advance.cursor.cursor_key, advance.cursor.scope,
      advance.cursor.key, previous, FormatRfc3339(advance.to), advance.from, advance.to,
      advance.window.from(), advance.window.to(), EventKey(advance), lineage.trigger, lineage.plan,
      lineage.slice, lineage.task, lineage.run, lineage.batch, advance.expr_hash, now));
  return {};
}

Result<bool> MoveForward(Connection& connection, const Advance& advance, Id new_id, Instant now) {
  const auto& lineage = advance.lineage;
  const auto rows = PATRA_TRY(connection.Run(
      kMoveForward, new_id, advance.partition.provenance, advance.partition.endpoint,
      Code(advance.partition.operation), advance.cursor.cursor_key, advance.cursor.scope,
      advance.cursor.key, FormatRfc3339(advance.to), advance.to, lineage.trigger, lineage.plan,
      lineage.slice, lineage.task, lineage.run, lineage.batch, advance.expr_hash, now));
  return rows == 1;
}

}  // namespace patra::infra::sqlite::cursor_table
