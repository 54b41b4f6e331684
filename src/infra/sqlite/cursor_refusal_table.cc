#include "infra/sqlite/cursor_refusal_table.h"

#include "base/hash.h"

namespace patra::infra::sqlite::cursor_refusal_table {
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

Result<void> Insert(Connection& connection, const domain::CursorMove& move,
                    const std::optional<domain::CursorValue>& present, const std::string& reason,
                    Id new_id, Instant now) {
  const auto value = present ? std::optional(domain::TextOf(*present)) : std::nullopt;
  const auto key = Sha256Hex(move.EventKey() + "\n" + value.value_or("") + "\n" + reason);
  PATRA_TRY(connection.Run(kInsert, new_id, move.partition.provenance, move.partition.endpoint,
                           Code(move.partition.operation), move.cursor.cursor_key,
                           move.cursor.scope, move.cursor.key, Code(move.direction), value,
                           domain::TextOf(move.to), reason, move.lineage.plan, move.lineage.slice,
                           move.lineage.task, move.lineage.run, key, now));
  return {};
}

}  // namespace patra::infra::sqlite::cursor_refusal_table
