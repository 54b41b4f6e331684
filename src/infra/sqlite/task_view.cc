#include "infra/sqlite/asked_scopes.h"
#include "infra/sqlite/ledger_views.h"
#include "infra/sqlite/newest_ids.h"

namespace patra::infra::sqlite::task_view {
namespace {

constexpr std::string_view kRead = R"sql(
    SELECT id, schedule_instance_id, plan_id, slice_id, provenance_code, endpoint_name, operation_code,
           status_code, ready, priority, scheduled_at, wait_reason, lease_owner, leased_until, fence,
           lease_count, retry_count, last_error_msg, created_at, started_at, finished_at
    FROM ing_task WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kOfSlice = "SELECT id FROM ing_task WHERE slice_id = :slice_id LIMIT 1";

constexpr std::string_view kOfPlan = R"sql(
    SELECT id FROM ing_task WHERE plan_id = :plan_id AND status_code = :status
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfSource = R"sql(
    SELECT id FROM ing_task
    WHERE provenance_code = :source AND operation_code = :operation AND status_code = :status
      AND (:endpoint = '' OR endpoint_name = :endpoint)
    ORDER BY id DESC LIMIT :rows_max)sql";

}  // namespace

Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter) {
  const auto states = PATRA_TRY(AskedStates<domain::TaskStatus>(filter.status));
  NewestIds newest(filter.rows_max);
  if (filter.slice != 0) {
    PATRA_TRY(newest.Add(connection.Query(kOfSlice, filter.slice)));
    return newest.Take();
  }
  for (const auto status : states) {
    if (filter.plan != 0) {
      PATRA_TRY(newest.Add(connection.Query(kOfPlan, filter.plan, status, filter.rows_max)));
      continue;
    }
    PATRA_TRY(ForEachScope(
        connection, filter, [&](const std::string& source, std::string_view operation) {
          return newest.Add(connection.Query(kOfSource, source, operation, status, filter.endpoint,
                                             filter.rows_max));
        }));
  }
  return newest.Take();
}

Result<std::optional<contract::TaskRow>> Read(Connection& connection, Id id) {
  auto rows = PATRA_TRY(connection.Query(kRead, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const auto status = rows.Text(7);
  return contract::TaskRow{
      .id = rows.Integer(0),
      .trigger = rows.Integer(1),
      .plan = rows.Integer(2),
      .slice = rows.Integer(3),
      .scope = ScopeOf(rows, 4),
      .status = status,
      .parked = status == Code(domain::TaskStatus::kQueued) && rows.Integer(8) == 0,
      .priority = rows.Integer(9),
      .scheduled_at = rows.Time(10),
      .wait_reason = rows.OptionalText(11),
      .lease_owner = rows.OptionalText(12),
      .leased_until = rows.OptionalTime(13),
      .fence = rows.Integer(14),
      .lease_count = rows.Integer(15),
      .retry_count = rows.Integer(16),
      .last_error = rows.OptionalText(17),
      .created_at = rows.Time(18),
      .started_at = rows.OptionalTime(19),
      .finished_at = rows.OptionalTime(20)};
}

Result<std::optional<Id>> OfSlice(Connection& connection, Id slice) {
  auto rows = PATRA_TRY(connection.Query(kOfSlice, slice));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer(0);
}

}  // namespace patra::infra::sqlite::task_view
