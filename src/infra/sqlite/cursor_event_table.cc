#include "infra/sqlite/cursor_event_table.h"

#include "infra/sqlite/cursor_columns.h"

namespace patra::infra::sqlite::cursor_event_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_cursor_event
        (id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code,
         namespace_key, cursor_type_code, direction_code, prev_value, new_value, observed_max_value,
         prev_instant, new_instant, prev_numeric, new_numeric, window_from, window_to, idempotent_key,
         schedule_instance_id, plan_id, slice_id, task_id, run_id, batch_id, expr_hash, created_at)
    VALUES (:id, :provenance_code, :endpoint_name, :operation_code, :cursor_key, :namespace_scope_code,
            :namespace_key, :cursor_type_code, :direction_code, :prev_value, :new_value,
            :observed_max_value, :prev_instant, :new_instant, :prev_numeric, :new_numeric, :window_from,
            :window_to, :idempotent_key, :schedule_instance_id, :plan_id, :slice_id, :task_id, :run_id,
            :batch_id, :expr_hash, :now)
    ON CONFLICT (idempotent_key) DO NOTHING)sql";

}  // namespace

Result<void> Insert(Connection& connection, const domain::CursorMove& move, Id new_id,
                    Instant now) {
  const auto to = ColumnsOf(move.to);
  const auto from = move.from ? ColumnsOf(*move.from) : CursorColumns{};
  const auto previous = move.from ? std::optional(from.text) : std::nullopt;
  const auto window_from = move.window ? std::optional(move.window->from()) : std::nullopt;
  const auto window_to = move.window ? std::optional(move.window->to()) : std::nullopt;
  const auto& lineage = move.lineage;
  PATRA_TRY(connection.Run(
      kInsert, new_id, move.partition.provenance, move.partition.endpoint,
      Code(move.partition.operation), move.cursor.cursor_key, move.cursor.scope, move.cursor.key,
      to.type, Code(move.direction), previous, to.text, ObservedMax(move), from.instant, to.instant,
      from.number, to.number, window_from, window_to, move.EventKey(), lineage.trigger,
      lineage.plan, lineage.slice, lineage.task, lineage.run, lineage.batch, move.expr_hash, now));
  return {};
}

}  // namespace patra::infra::sqlite::cursor_event_table
