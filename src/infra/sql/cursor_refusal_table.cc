#include "infra/sql/cursor_refusal_table.h"

#include "base/hash.h"

namespace patra::infra::sql::cursor_refusal_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_cursor_refusal
        (id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code, namespace_key,
         direction_code, present_value, proposed_value, reason, plan_id, slice_id, task_id, run_id,
         idempotent_key, created_at)
    VALUES (:id, :provenance_code, :endpoint_name, :operation_code, :cursor_key, :namespace_scope_code,
            :namespace_key, :direction_code, :present_value, :proposed_value, :reason, :plan_id, :slice_id,
            :task_id, :run_id, :idempotent_key, :now)
    ON CONFLICT (idempotent_key) DO NOTHING)sql";

}  // namespace

Result<void> Insert(Session& session, const domain::CursorMove& move,
                    const std::optional<domain::CursorValue>& present, const std::string& reason,
                    Id new_id, Instant now) {
  const auto value = present ? std::optional(domain::TextOf(*present)) : std::nullopt;
  const auto key = Sha256Hex(move.EventKey() + "\n" + value.value_or("") + "\n" + reason);
  PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                  {"provenance_code", move.lane.provenance},
                                  {"endpoint_name", move.lane.endpoint},
                                  {"operation_code", Code(move.lane.operation)},
                                  {"cursor_key", move.cursor.cursor_key},
                                  {"namespace_scope_code", move.cursor.scope},
                                  {"namespace_key", move.cursor.key},
                                  {"direction_code", Code(move.direction)},
                                  {"present_value", value},
                                  {"proposed_value", domain::TextOf(move.to)},
                                  {"reason", reason},
                                  {"plan_id", move.lineage.plan},
                                  {"slice_id", move.lineage.slice},
                                  {"task_id", move.lineage.task},
                                  {"run_id", move.lineage.run},
                                  {"idempotent_key", key},
                                  {"now", now}}));
  return {};
}

}  // namespace patra::infra::sql::cursor_refusal_table
