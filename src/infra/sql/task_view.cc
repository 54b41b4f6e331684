#include "infra/sql/asked_scopes.h"
#include "infra/sql/ledger_views.h"
#include "infra/sql/newest_ids.h"

namespace patra::infra::sql::task_view {
namespace {

constexpr std::string_view kRead = R"sql(
    SELECT id, schedule_instance_id, plan_id, slice_id, provenance_code, endpoint_name, operation_code,
           status_code, ready, priority, scheduled_at, wait_reason, lease_owner, leased_until, fence,
           lease_count, retry_count, last_error_msg, created_at, started_at, finished_at,
           last_error_code, credential_id, params, record_remarks, last_heartbeat_at,
           coalesce(correlation_id, CAST(schedule_instance_id AS TEXT)) AS correlation_id
    FROM ing_task WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kOfSlice = "SELECT id FROM ing_task WHERE slice_id = :slice_id LIMIT 1";

constexpr std::string_view kOfPlan = R"sql(
    SELECT id FROM ing_task WHERE plan_id = :plan_id AND status_code = :status
      AND id < :below_id
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfSource = R"sql(
    SELECT id FROM ing_task
    WHERE provenance_code = :source AND operation_code = :operation AND status_code = :status
      AND (:endpoint = '' OR endpoint_name = :endpoint)
      AND id < :below_id
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfError = R"sql(
    SELECT id FROM ing_task
    WHERE last_error_code = :error_code AND (:credential = '' OR credential_id = :credential)
      AND (:status = '' OR status_code = :status) AND (:source = '' OR provenance_code = :source)
      AND (:endpoint = '' OR endpoint_name = :endpoint)
      AND (:operation = '' OR operation_code = :operation) AND (:plan_id = 0 OR plan_id = :plan_id)
      AND id < :below_id
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfCredential = R"sql(
    SELECT id FROM ing_task
    WHERE credential_id = :credential AND (:error_code = '' OR last_error_code = :error_code)
      AND (:status = '' OR status_code = :status)
      AND (:source = '' OR provenance_code = :source)
      AND (:endpoint = '' OR endpoint_name = :endpoint)
      AND (:operation = '' OR operation_code = :operation) AND (:plan_id = 0 OR plan_id = :plan_id)
      AND id < :below_id
    ORDER BY id DESC LIMIT :rows_max)sql";

// What went wrong, and the credential, have indexes of their own.
Result<std::vector<Id>> OfTrouble(Session& session, const contract::LedgerFilter& filter) {
  NewestIds newest(filter.rows_max);
  PATRA_TRY(newest.Add(session.Query(filter.error_code.empty() ? kOfCredential : kOfError,
                                     {{"error_code", filter.error_code},
                                      {"credential", filter.credential},
                                      {"status", filter.status},
                                      {"source", filter.source},
                                      {"endpoint", filter.endpoint},
                                      {"operation", filter.operation},
                                      {"plan_id", filter.plan},
                                      {"below_id", BelowId(filter)},
                                      {"rows_max", filter.rows_max}})));
  return newest.Take();
}

}  // namespace

Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter) {
  const auto states = PATRA_TRY(AskedStates<domain::TaskStatus>(filter.status));
  NewestIds newest(filter.rows_max);
  const bool is_of_trouble = !filter.error_code.empty() || !filter.credential.empty();
  if (is_of_trouble && filter.slice == 0) return OfTrouble(session, filter);
  if (filter.slice != 0) {
    PATRA_TRY(newest.Add(session.Query(kOfSlice, {{"slice_id", filter.slice}})));
    return newest.Take();
  }
  for (const auto status : states) {
    if (filter.plan != 0) {
      PATRA_TRY(newest.Add(session.Query(kOfPlan, {{"plan_id", filter.plan},
                                                   {"status", status},
                                                   {"below_id", BelowId(filter)},
                                                   {"rows_max", filter.rows_max}})));
      continue;
    }
    PATRA_TRY(
        ForEachScope(session, filter, [&](const std::string& source, std::string_view operation) {
          return newest.Add(session.Query(kOfSource, {{"source", source},
                                                      {"operation", operation},
                                                      {"status", status},
                                                      {"endpoint", filter.endpoint},
                                                      {"below_id", BelowId(filter)},
                                                      {"rows_max", filter.rows_max}}));
        }));
  }
  return newest.Take();
}

Result<std::optional<contract::TaskRow>> Read(Session& session, Id id) {
  auto rows = PATRA_TRY(session.Query(kRead, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const auto status = rows.Text("status_code");
  return contract::TaskRow{
      .id = rows.Integer("id"),
      .trigger = rows.Integer("schedule_instance_id"),
      .plan = rows.Integer("plan_id"),
      .slice = rows.Integer("slice_id"),
      .scope = ScopeOf(rows),
      .status = status,
      .parked = status == Code(domain::TaskStatus::kQueued) && rows.Integer("ready") == 0,
      .priority = rows.Integer("priority"),
      .scheduled_at = rows.Time("scheduled_at"),
      .wait_reason = rows.OptionalText("wait_reason"),
      .lease_owner = rows.OptionalText("lease_owner"),
      .leased_until = rows.OptionalTime("leased_until"),
      .fence = rows.Integer("fence"),
      .lease_count = rows.Integer("lease_count"),
      .retry_count = rows.Integer("retry_count"),
      .last_error = rows.OptionalText("last_error_msg"),
      .created_at = rows.Time("created_at"),
      .started_at = rows.OptionalTime("started_at"),
      .finished_at = rows.OptionalTime("finished_at"),
      .last_error_code = rows.OptionalText("last_error_code"),
      .credential = rows.OptionalText("credential_id"),
      .params = rows.Text("params"),
      .correlation = rows.Text("correlation_id"),
      .remarks = rows.Text("record_remarks"),
      .heartbeat_at = rows.OptionalTime("last_heartbeat_at")};
}

Result<std::optional<Id>> OfSlice(Session& session, Id slice) {
  auto rows = PATRA_TRY(session.Query(kOfSlice, {{"slice_id", slice}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer("id");
}

}  // namespace patra::infra::sql::task_view
