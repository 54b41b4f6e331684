#include "infra/sqlite/asked_scopes.h"
#include "infra/sqlite/ledger_views.h"
#include "infra/sqlite/newest_ids.h"

namespace patra::infra::sqlite::run_view {
namespace {

constexpr std::string_view kRead = R"sql(
    SELECT id, task_id, slice_id, plan_id, provenance_code, endpoint_name, operation_code, attempt_no,
           status_code, is_replay, window_from, window_to, stats, error, started_at, finished_at,
           created_at
    FROM ing_task_run WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kOfTask = R"sql(
    SELECT id FROM ing_task_run
    WHERE task_id = :task_id AND (:status = '' OR status_code = :status)
    ORDER BY attempt_no DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfPlan = R"sql(
    SELECT id FROM ing_task_run INDEXED BY idx_run_plan
    WHERE plan_id = :plan_id AND (:status = '' OR status_code = :status)
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfSource = R"sql(
    SELECT id FROM ing_task_run
    WHERE provenance_code = :source AND operation_code = :operation AND status_code = :status
      AND (:endpoint = '' OR endpoint_name = :endpoint)
    ORDER BY id DESC LIMIT :rows_max)sql";

// A replay says nothing about how the endpoint fares.
constexpr std::string_view kLast = R"sql(
    SELECT id FROM ing_task_run
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND is_replay = 0
    ORDER BY id DESC LIMIT 1)sql";

}  // namespace

Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter) {
  const auto states = PATRA_TRY(AskedStates<domain::RunStatus>(filter.status));
  NewestIds newest(filter.rows_max);
  if (filter.task != 0 || filter.slice != 0) {
    auto task = std::optional(filter.task);
    if (filter.task == 0) task = PATRA_TRY(task_view::OfSlice(connection, filter.slice));
    if (task)
      PATRA_TRY(newest.Add(connection.Query(kOfTask, *task, filter.status, filter.rows_max)));
    return newest.Take();
  }
  if (filter.plan != 0) {
    PATRA_TRY(newest.Add(connection.Query(kOfPlan, filter.plan, filter.status, filter.rows_max)));
    return newest.Take();
  }
  for (const auto status : states) {
    PATRA_TRY(ForEachScope(
        connection, filter, [&](const std::string& source, std::string_view operation) {
          return newest.Add(connection.Query(kOfSource, source, operation, status, filter.endpoint,
                                             filter.rows_max));
        }));
  }
  return newest.Take();
}

Result<std::optional<contract::RunRow>> Read(Connection& connection, Id id) {
  auto rows = PATRA_TRY(connection.Query(kRead, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::RunRow{.id = rows.Integer(0),
                          .task = rows.Integer(1),
                          .slice = rows.Integer(2),
                          .plan = rows.Integer(3),
                          .scope = ScopeOf(rows, 4),
                          .attempt = rows.Integer(7),
                          .status = rows.Text(8),
                          .is_replay = rows.Integer(9) != 0,
                          .window = StretchOf(rows, 10),
                          .stats = rows.Text(12),
                          .error = rows.OptionalText(13),
                          .started_at = rows.OptionalTime(14),
                          .finished_at = rows.OptionalTime(15),
                          .created_at = rows.Time(16)};
}

Result<std::optional<Id>> Last(Connection& connection, const std::string& source,
                               const std::string& endpoint) {
  auto rows = PATRA_TRY(connection.Query(kLast, source, endpoint));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer(0);
}

}  // namespace patra::infra::sqlite::run_view
