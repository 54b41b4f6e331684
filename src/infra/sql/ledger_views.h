// What people ask about the tables of the ledger, read-only: one file per table. `Ids` finds the newest rows
// that a filter names, `Read` yields one row by its id.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/ledger_queries.h"
#include "infra/sql/session.h"

namespace patra::infra::sql {

// The window of a row, whose two columns are both set or both not.
inline std::optional<contract::Stretch> WindowOf(const Rows& rows) {
  const auto from = rows.OptionalTime("window_from");
  const auto to = rows.OptionalTime("window_to");
  if (!from || !to) return std::nullopt;
  return contract::Stretch{*from, *to};
}

inline contract::Scope ScopeOf(const Rows& rows) {
  return {rows.Text("provenance_code"), rows.Text("endpoint_name"), rows.Text("operation_code")};
}

namespace trigger_view {
Result<std::optional<contract::TriggerRow>> Read(Session& session, Id id);
}

namespace plan_view {
Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter);
Result<std::optional<contract::PlanRow>> Read(Session& session, Id id);
Result<std::optional<std::vector<contract::OriginRow>>> Origins(Session& session, Id id);
}  // namespace plan_view

namespace slice_view {
Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter);
Result<std::optional<contract::SliceRow>> Read(Session& session, Id id);
Result<std::vector<std::pair<std::string, std::int64_t>>> CountByStatus(Session& session, Id plan);
}  // namespace slice_view

namespace task_view {
Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter);
Result<std::optional<contract::TaskRow>> Read(Session& session, Id id);

// The one task of a slice.
Result<std::optional<Id>> OfSlice(Session& session, Id slice);
}  // namespace task_view

namespace run_view {
Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter);
Result<std::optional<contract::RunRow>> Read(Session& session, Id id);

// The newest run of an endpoint.
Result<std::optional<Id>> Last(Session& session, const std::string& source,
                               const std::string& endpoint);
}  // namespace run_view

namespace batch_view {
Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter);
Result<std::optional<contract::BatchRow>> Read(Session& session, Id id);
Result<std::vector<contract::AnswerCount>> AnswersOf(Session& session, Id run);
}  // namespace batch_view

namespace cursor_view {
Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter);
Result<std::optional<contract::CursorRow>> Read(Session& session, Id id);
Result<std::vector<contract::CursorEventRow>> EventsOf(Session& session,
                                                       const contract::CursorRow& cursor,
                                                       const contract::Stretch& within,
                                                       int rows_max);

// Those of the filter's plan.
Result<std::vector<contract::CursorEventRow>> EventsOf(Session& session,
                                                       const contract::LedgerFilter& filter);
}  // namespace cursor_view

namespace audit_view {
Result<std::vector<contract::DecisionRow>> About(Session& session, const std::string& object_type,
                                                 const std::string& object_id, int rows_max);
Result<std::vector<contract::AuditRow>> All(Session& session, Id before, int rows_max);
}  // namespace audit_view

}  // namespace patra::infra::sql
