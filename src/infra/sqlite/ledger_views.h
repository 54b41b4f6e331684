// What people ask about the tables of the ledger, read-only: one file per table. `Ids` finds the newest rows
// that a filter names, `Read` yields one row by its id.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "contract/ledger_queries.h"
#include "infra/sqlite/connection.h"

namespace patra::infra::sqlite {

// The window of two columns that are both set or both not.
inline std::optional<contract::Stretch> StretchOf(const Rows& rows, int column) {
  if (rows.IsNull(column) || rows.IsNull(column + 1)) return std::nullopt;
  return contract::Stretch{rows.Time(column), rows.Time(column + 1)};
}

inline contract::Scope ScopeOf(const Rows& rows, int column) {
  return {rows.Text(column), rows.Text(column + 1), rows.Text(column + 2)};
}

namespace trigger_view {
Result<std::optional<contract::TriggerRow>> Read(Connection& connection, Id id);
}

namespace plan_view {
Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter);
Result<std::optional<contract::PlanRow>> Read(Connection& connection, Id id);
}  // namespace plan_view

namespace slice_view {
Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter);
Result<std::optional<contract::SliceRow>> Read(Connection& connection, Id id);
Result<std::vector<std::pair<std::string, std::int64_t>>> CountByStatus(Connection& connection,
                                                                        Id plan);
}  // namespace slice_view

namespace task_view {
Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter);
Result<std::optional<contract::TaskRow>> Read(Connection& connection, Id id);

// The one task of a slice.
Result<std::optional<Id>> OfSlice(Connection& connection, Id slice);
}  // namespace task_view

namespace run_view {
Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter);
Result<std::optional<contract::RunRow>> Read(Connection& connection, Id id);

// The newest run of an endpoint.
Result<std::optional<Id>> Last(Connection& connection, const std::string& source,
                               const std::string& endpoint);
}  // namespace run_view

namespace batch_view {
Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter);
Result<std::optional<contract::BatchRow>> Read(Connection& connection, Id id);
}  // namespace batch_view

namespace cursor_view {
Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter);
Result<std::optional<contract::CursorRow>> Read(Connection& connection, Id id);
Result<std::vector<contract::CursorEventRow>> EventsOf(Connection& connection,
                                                       const contract::CursorRow& cursor,
                                                       int rows_max);

// Those of the filter's plan.
Result<std::vector<contract::CursorEventRow>> EventsOf(Connection& connection,
                                                       const contract::LedgerFilter& filter);
}  // namespace cursor_view

namespace audit_view {
Result<std::vector<contract::DecisionRow>> About(Connection& connection,
                                                 const std::string& object_type,
                                                 const std::string& object_id, int rows_max);
}

}  // namespace patra::infra::sqlite
