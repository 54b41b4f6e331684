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

// Ids rise with time, so the newest events come first; the furthest is among them, because a step is
// recorded only where it goes on from the value that was read. What a person decided ends the search: what
// came before does not count any more.
constexpr std::string_view kNewest = R"sql(
    SELECT direction_code, new_instant, new_numeric, expr_hash, schedule_instance_id, plan_id, slice_id,
           task_id, run_id, batch_id
    FROM ing_cursor_event
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code AND namespace_scope_code = :namespace_scope_code
      AND namespace_key = :namespace_key AND cursor_key = :cursor_key
    ORDER BY created_at DESC, id DESC LIMIT 100)sql";

domain::CursorDirection DirectionFromCode(std::string_view code) {
  using enum domain::CursorDirection;
  for (const auto direction : {kBackfill, kManual}) {
    if (code == Code(direction)) return direction;
  }
  return kForward;
}

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

Result<std::optional<domain::CursorMove>> Furthest(Connection& connection,
                                                   const domain::Partition& partition,
                                                   const domain::CursorNamespace& cursor) {
  std::optional<domain::CursorMove> furthest;
  auto rows = PATRA_TRY(connection.Query(kNewest, partition.provenance, partition.endpoint,
                                         Code(partition.operation), cursor.scope, cursor.key,
                                         cursor.cursor_key));
  while (PATRA_TRY(rows.Next())) {
    domain::CursorMove move{.partition = partition,
                            .cursor = cursor,
                            .direction = DirectionFromCode(rows.View(0)),
                            .to = rows.IsNull(1) ? domain::CursorValue(rows.Integer(2))
                                                 : domain::CursorValue(rows.Time(1)),
                            .lineage = {.trigger = rows.Integer(4),
                                        .plan = rows.Integer(5),
                                        .slice = rows.Integer(6),
                                        .task = rows.Integer(7),
                                        .run = rows.Integer(8),
                                        .batch = rows.Integer(9)},
                            .expr_hash = rows.Text(3)};
    const bool is_decision = move.direction == domain::CursorDirection::kManual;
    const auto direction = furthest && is_decision ? furthest->direction : move.direction;
    if (!furthest || domain::IsAhead(direction, furthest->to, move.to)) furthest = std::move(move);
    if (is_decision) break;
  }
  return furthest;
}

}  // namespace patra::infra::sqlite::cursor_event_table
