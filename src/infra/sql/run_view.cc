#include "infra/sql/asked_scopes.h"
#include "infra/sql/ledger_views.h"
#include "infra/sql/newest_ids.h"

namespace patra::infra::sql::run_view {
namespace {

constexpr std::string_view kRead = R"sql(
    SELECT id, task_id, slice_id, plan_id, provenance_code, endpoint_name, operation_code, attempt_no,
           status_code, is_replay, window_from, window_to, stats, error, started_at, finished_at,
           created_at, coalesce(correlation_id, '') AS correlation_id
    FROM ing_task_run WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kOfTask = R"sql(
    SELECT id FROM ing_task_run
    WHERE task_id = :task_id AND (:status = '' OR status_code = :status)
      AND id < :below_id
    ORDER BY attempt_no DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfPlan = R"sql(
    SELECT id FROM ing_task_run INDEXED BY idx_run_plan
    WHERE plan_id = :plan_id AND (:status = '' OR status_code = :status)
      AND id < :below_id
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfSource = R"sql(
    SELECT id FROM ing_task_run
    WHERE provenance_code = :source AND operation_code = :operation AND status_code = :status
      AND (:endpoint = '' OR endpoint_name = :endpoint)
      AND id < :below_id
    ORDER BY id DESC LIMIT :rows_max)sql";

// A replay says nothing about how the endpoint fares.
constexpr std::string_view kLast = R"sql(
    SELECT id FROM ing_task_run
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND is_replay = 0
    ORDER BY id DESC LIMIT 1)sql";

}  // namespace

Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter) {
  const auto states = PATRA_TRY(AskedStates<domain::RunStatus>(filter.status));
  NewestIds newest(filter.rows_max);
  if (filter.task != 0 || filter.slice != 0) {
    auto task = std::optional(filter.task);
    if (filter.task == 0) task = PATRA_TRY(task_view::OfSlice(session, filter.slice));
    if (task)
      PATRA_TRY(newest.Add(session.Query(kOfTask, {{"task_id", *task},
                                                   {"status", filter.status},
                                                   {"below_id", BelowId(filter)},
                                                   {"rows_max", filter.rows_max}})));
    return newest.Take();
  }
  if (filter.plan != 0) {
    PATRA_TRY(newest.Add(session.Query(kOfPlan, {{"plan_id", filter.plan},
                                                 {"status", filter.status},
                                                 {"below_id", BelowId(filter)},
                                                 {"rows_max", filter.rows_max}})));
    return newest.Take();
  }
  for (const auto status : states) {
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

Result<std::optional<contract::RunRow>> Read(Session& session, Id id) {
  auto rows = PATRA_TRY(session.Query(kRead, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::RunRow{.id = rows.Integer("id"),
                          .task = rows.Integer("task_id"),
                          .slice = rows.Integer("slice_id"),
                          .plan = rows.Integer("plan_id"),
                          .scope = ScopeOf(rows),
                          .attempt = rows.Integer("attempt_no"),
                          .status = rows.Text("status_code"),
                          .is_replay = rows.Integer("is_replay") != 0,
                          .window = WindowOf(rows),
                          .stats = rows.Text("stats"),
                          .error = rows.OptionalText("error"),
                          .started_at = rows.OptionalTime("started_at"),
                          .finished_at = rows.OptionalTime("finished_at"),
                          .created_at = rows.Time("created_at"),
                          .correlation = rows.Text("correlation_id")};
}

Result<std::optional<Id>> Last(Session& session, const std::string& source,
                               const std::string& endpoint) {
  auto rows = PATRA_TRY(session.Query(kLast, {{"source", source}, {"endpoint", endpoint}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.Integer("id");
}

}  // namespace patra::infra::sql::run_view
