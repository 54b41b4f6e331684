#include "infra/sql/audit_table.h"

namespace patra::infra::sql::audit_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_audit (id, actor, way_code, action, object_type, object_id, reason, details, created_at)
    VALUES (:id, :actor, :way_code, :action, :object_type, :object_id, :reason, :details, :now))sql";

}  // namespace

Result<void> Insert(Session& session, std::string_view action, std::string_view object_type,
                    const std::string& object_id, const app::Decision& decision, Id new_id,
                    Instant now, std::string_view details) {
  PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                  {"actor", decision.actor.name},
                                  {"way_code", CodeOf(decision.actor.way)},
                                  {"action", action},
                                  {"object_type", object_type},
                                  {"object_id", object_id},
                                  {"reason", decision.reason},
                                  {"details", details},
                                  {"now", now}}));
  return {};
}

}  // namespace patra::infra::sql::audit_table
