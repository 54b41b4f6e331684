#include "infra/sql/cursor_event_table.h"

#include "base/canonical_json.h"
#include "infra/sql/cursor_columns.h"

namespace patra::infra::sql::cursor_event_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_cursor_event
        (id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code,
         namespace_key, cursor_type_code, direction_code, prev_value, new_value, observed_max_value,
         prev_instant, new_instant, prev_numeric, new_numeric, window_from, window_to, idempotent_key,
         schedule_instance_id, plan_id, slice_id, task_id, run_id, batch_id, expr_hash, record_remarks,
         created_at)
    VALUES (:id, :provenance_code, :endpoint_name, :operation_code, :cursor_key, :namespace_scope_code,
            :namespace_key, :cursor_type_code, :direction_code, :prev_value, :new_value,
            :observed_max_value, :prev_instant, :new_instant, :prev_numeric, :new_numeric, :window_from,
            :window_to, :idempotent_key, :schedule_instance_id, :plan_id, :slice_id, :task_id, :run_id,
            :batch_id, :expr_hash, :record_remarks, :now)
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

Result<void> Insert(Session& session, const domain::CursorMove& move, Id new_id, Instant now) {
  const auto to = ColumnsOf(move.to);
  const auto from = move.from ? ColumnsOf(*move.from) : CursorColumns{};
  const auto previous = move.from ? std::optional(from.text) : std::nullopt;
  const auto window_from = move.window ? std::optional(move.window->from()) : std::nullopt;
  const auto window_to = move.window ? std::optional(move.window->to()) : std::nullopt;
  const auto& lineage = move.lineage;
  PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                  {"provenance_code", move.lane.provenance},
                                  {"endpoint_name", move.lane.endpoint},
                                  {"operation_code", Code(move.lane.operation)},
                                  {"cursor_key", move.cursor.cursor_key},
                                  {"namespace_scope_code", move.cursor.scope},
                                  {"namespace_key", move.cursor.key},
                                  {"cursor_type_code", to.type},
                                  {"direction_code", Code(move.direction)},
                                  {"prev_value", previous},
                                  {"new_value", to.text},
                                  {"observed_max_value", ObservedMax(move)},
                                  {"prev_instant", from.instant},
                                  {"new_instant", to.instant},
                                  {"prev_numeric", from.number},
                                  {"new_numeric", to.number},
                                  {"window_from", window_from},
                                  {"window_to", window_to},
                                  {"idempotent_key", move.EventKey()},
                                  {"schedule_instance_id", lineage.trigger},
                                  {"plan_id", lineage.plan},
                                  {"slice_id", lineage.slice},
                                  {"task_id", lineage.task},
                                  {"run_id", lineage.run},
                                  {"batch_id", lineage.batch},
                                  {"expr_hash", move.expr_hash},
                                  {"record_remarks", CanonicalJson(move.Remarks())},
                                  {"now", now}}));
  return {};
}

Result<std::optional<domain::CursorMove>> Furthest(Session& session, const domain::Lane& lane,
                                                   const domain::CursorNamespace& cursor) {
  std::optional<domain::CursorMove> furthest;
  auto rows = PATRA_TRY(session.Query(kNewest, {{"provenance_code", lane.provenance},
                                                {"endpoint_name", lane.endpoint},
                                                {"operation_code", Code(lane.operation)},
                                                {"namespace_scope_code", cursor.scope},
                                                {"namespace_key", cursor.key},
                                                {"cursor_key", cursor.cursor_key}}));
  while (PATRA_TRY(rows.Next())) {
    domain::CursorMove move{.lane = lane,
                            .cursor = cursor,
                            .direction = DirectionFromCode(rows.View("direction_code")),
                            .to = rows.IsNull("new_instant")
                                      ? domain::CursorValue(rows.Integer("new_numeric"))
                                      : domain::CursorValue(rows.Time("new_instant")),
                            .lineage = {.trigger = rows.Integer("schedule_instance_id"),
                                        .plan = rows.Integer("plan_id"),
                                        .slice = rows.Integer("slice_id"),
                                        .task = rows.Integer("task_id"),
                                        .run = rows.Integer("run_id"),
                                        .batch = rows.Integer("batch_id")},
                            .expr_hash = rows.Text("expr_hash")};
    const bool is_decision = move.direction == domain::CursorDirection::kManual;
    const auto direction = furthest && is_decision ? furthest->direction : move.direction;
    if (!furthest || domain::IsAhead(direction, furthest->to, move.to)) furthest = std::move(move);
    if (is_decision) break;
  }
  return furthest;
}

}  // namespace patra::infra::sql::cursor_event_table
