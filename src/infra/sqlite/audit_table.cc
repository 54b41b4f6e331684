#include "infra/sqlite/audit_table.h"

namespace patra::infra::sqlite::audit_table {
namespace {

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_audit (id, actor, action, object_type, object_id, reason, details, created_at)
    VALUES (:id, :actor, :action, :object_type, :object_id, :reason, :details, :now))sql";

}  // namespace

Result<void> Insert(Connection& connection, std::string_view action, std::string_view object_type,
                    const std::string& object_id, const app::Decision& decision, Id new_id,
                    Instant now, std::string_view details) {
  PATRA_TRY(connection.Run(kInsert, new_id, decision.actor, action, object_type, object_id,
                           decision.reason, details, now));
  return {};
}

}  // namespace patra::infra::sqlite::audit_table
