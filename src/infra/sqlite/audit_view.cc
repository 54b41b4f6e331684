#include "infra/sqlite/ledger_views.h"

namespace patra::infra::sqlite::audit_view {
namespace {

constexpr std::string_view kDecisions = R"sql(
    SELECT id, actor, action, coalesce(reason, ''), created_at FROM ing_audit
    WHERE object_type = :object_type AND object_id = :object_id
    ORDER BY created_at DESC, id DESC LIMIT :rows_max)sql";

}  // namespace

Result<std::vector<contract::DecisionRow>> About(Connection& connection,
                                                 const std::string& object_type,
                                                 const std::string& object_id, int rows_max) {
  std::vector<contract::DecisionRow> decisions;
  auto rows = PATRA_TRY(connection.Query(kDecisions, object_type, object_id, rows_max));
  while (PATRA_TRY(rows.Next())) {
    decisions.push_back({rows.Integer(0), rows.Text(1), rows.Text(2), rows.Text(3), rows.Time(4)});
  }
  return decisions;
}

}  // namespace patra::infra::sqlite::audit_view
