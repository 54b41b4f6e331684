#include <limits>

#include "infra/sql/ledger_views.h"

namespace patra::infra::sql::audit_view {
namespace {

constexpr std::string_view kDecisions = R"sql(
    SELECT id, actor, way_code, action, coalesce(reason, '') AS reason, details, created_at FROM ing_audit
    WHERE object_type = :object_type AND object_id = :object_id
    ORDER BY created_at DESC, id DESC LIMIT :rows_max)sql";

// Ids are given in the order of time, as far as the clocks of machines agree.
constexpr std::string_view kAll = R"sql(
    SELECT id, actor, way_code, action, coalesce(reason, '') AS reason, details, created_at, object_type, object_id
    FROM ing_audit WHERE id < :before ORDER BY id DESC LIMIT :rows_max)sql";

contract::DecisionRow ReadDecision(const Rows& rows) {
  return {rows.Integer("id"),  rows.Text("actor"),   rows.Text("way_code"),  rows.Text("action"),
          rows.Text("reason"), rows.Text("details"), rows.Time("created_at")};
}

}  // namespace

Result<std::vector<contract::DecisionRow>> About(Session& session, const std::string& object_type,
                                                 const std::string& object_id, int rows_max) {
  std::vector<contract::DecisionRow> decisions;
  auto rows = PATRA_TRY(session.Query(
      kDecisions,
      {{"object_type", object_type}, {"object_id", object_id}, {"rows_max", rows_max}}));
  while (PATRA_TRY(rows.Next())) {
    decisions.push_back(ReadDecision(rows));
  }
  return decisions;
}

Result<std::vector<contract::AuditRow>> All(Session& session, Id before, int rows_max) {
  std::vector<contract::AuditRow> decisions;
  const Id end = before == 0 ? std::numeric_limits<Id>::max() : before;
  auto rows = PATRA_TRY(session.Query(kAll, {{"before", end}, {"rows_max", rows_max}}));
  while (PATRA_TRY(rows.Next())) {
    decisions.push_back({ReadDecision(rows), rows.Text("object_type"), rows.Text("object_id")});
  }
  return decisions;
}

}  // namespace patra::infra::sql::audit_view
