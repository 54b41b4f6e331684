#include "infra/sqlite/refresh_cursor.h"

#include "domain/cursor/refresh_progress.h"
#include "infra/sqlite/cursor_event_table.h"
#include "infra/sqlite/cursor_table.h"
#include "infra/sqlite/plan_table.h"
#include "infra/sqlite/slice_table.h"

namespace patra::infra::sqlite {

Result<std::optional<domain::CursorMove>> RecordRefresh(Connection& connection,
                                                        const domain::Lineage& lineage, Id event,
                                                        Instant now) {
  const auto stored = PATRA_TRY(plan_table::Read(connection, lineage.plan));
  if (!stored) return std::nullopt;
  const auto& plan = stored->plan;
  const auto to = domain::RefreshProgress(plan, stored->position);
  if (!to || PATRA_TRY(slice_table::HasCancelled(connection, plan.id))) return std::nullopt;
  const auto standing = PATRA_TRY(cursor_table::Find(connection, plan.partition, plan.cursor));
  if (standing && !domain::IsAhead(domain::CursorDirection::kForward, standing->value, *to))
    return std::nullopt;
  domain::CursorMove move{.partition = plan.partition,
                          .cursor = plan.cursor,
                          .to = *to,
                          .lineage = lineage,
                          .expr_hash = plan.expr_proto_hash};
  if (standing) move.from = standing->value;
  PATRA_TRY(cursor_event_table::Insert(connection, move, event, now));
  return move;
}

}  // namespace patra::infra::sqlite
