#include "infra/sqlite/asked_scopes.h"
#include "infra/sqlite/ledger_views.h"
#include "infra/sqlite/newest_ids.h"

namespace patra::infra::sqlite {
namespace {

constexpr std::string_view kReadTrigger = R"sql(
    SELECT id, provenance_code, coalesce(endpoint_name, ''), operation_code, trigger_type_code,
           scheduler_code, triggered_at, trigger_params, record_remarks
    FROM ing_schedule_instance WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kReadPlan = R"sql(
    SELECT id, schedule_instance_id, provenance_code, endpoint_name, operation_code, status_code,
           window_from, window_to, sliced_to, slice_strategy_code, priority, query_hash,
           spec_fingerprint, record_remarks, created_at, updated_at
    FROM ing_plan WHERE id = :id LIMIT 1)sql";

// Plans are few: what a source has of one operation may be read past.
constexpr std::string_view kNewestPlans = R"sql(
    SELECT id FROM ing_plan
    WHERE provenance_code = :source AND operation_code = :operation
      AND (:endpoint = '' OR endpoint_name = :endpoint) AND (:status = '' OR status_code = :status)
    ORDER BY created_at DESC, id DESC LIMIT :rows_max)sql";

}  // namespace

Result<std::optional<contract::TriggerRow>> trigger_view::Read(Connection& connection, Id id) {
  auto rows = PATRA_TRY(connection.Query(kReadTrigger, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::TriggerRow{.id = rows.Integer(0),
                              .scope = ScopeOf(rows, 1),
                              .type = rows.Text(4),
                              .scheduler = rows.Text(5),
                              .fired_at = rows.Time(6),
                              .params = rows.Text(7),
                              .remarks = rows.Text(8)};
}

namespace plan_view {

Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter) {
  PATRA_TRY(AskedStates<domain::PlanStatus>(filter.status));
  NewestIds newest(filter.rows_max);
  PATRA_TRY(
      ForEachScope(connection, filter, [&](const std::string& source, std::string_view operation) {
        return newest.Add(connection.Query(kNewestPlans, source, operation, filter.endpoint,
                                           filter.status, filter.rows_max));
      }));
  return newest.Take();
}

Result<std::optional<contract::PlanRow>> Read(Connection& connection, Id id) {
  auto rows = PATRA_TRY(connection.Query(kReadPlan, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::PlanRow{.id = rows.Integer(0),
                           .trigger = rows.Integer(1),
                           .scope = ScopeOf(rows, 2),
                           .status = rows.Text(5),
                           .window = StretchOf(rows, 6),
                           .sliced_to = rows.OptionalTime(8),
                           .strategy = rows.Text(9),
                           .priority = rows.Integer(10),
                           .query_hash = rows.Text(11),
                           .fingerprint = rows.Text(12),
                           .remarks = rows.Text(13),
                           .created_at = rows.Time(14),
                           .updated_at = rows.Time(15)};
}

}  // namespace plan_view
}  // namespace patra::infra::sqlite
