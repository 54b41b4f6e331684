#include <algorithm>

#include "infra/sqlite/asked_codes.h"
#include "infra/sqlite/known_sources.h"
#include "infra/sqlite/ledger_views.h"

namespace patra::infra::sqlite::cursor_view {
namespace {

constexpr std::string_view kRead = R"sql(
    SELECT id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code,
           namespace_key, cursor_type_code, cursor_value, observed_max_value, normalized_instant, plan_id,
           slice_id, task_id, last_run_id, last_batch_id, version, created_at, updated_at
    FROM ing_cursor WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kOfEndpoint = R"sql(
    SELECT id FROM ing_cursor
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = :operation
    ORDER BY cursor_key, namespace_scope_code, namespace_key LIMIT :rows_max)sql";

constexpr std::string_view kEventsOfCursor = R"sql(
    SELECT id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_key, direction_code,
           prev_value, new_value, window_from, window_to, plan_id, slice_id, task_id, run_id, created_at
    FROM ing_cursor_event
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = :operation
      AND namespace_scope_code = :namespace_scope AND namespace_key = :namespace_key
      AND cursor_key = :cursor_key
    ORDER BY created_at DESC, id DESC LIMIT :rows_max)sql";

constexpr std::string_view kRefusalsOfCursor = R"sql(
    SELECT id, direction_code, present_value, proposed_value, plan_id, slice_id, task_id, run_id, created_at,
           reason
    FROM ing_cursor_refusal
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = :operation
      AND namespace_scope_code = :namespace_scope AND namespace_key = :namespace_key
      AND cursor_key = :cursor_key
    ORDER BY created_at DESC, id DESC LIMIT :rows_max)sql";

// A plan moves cursors at most once per slice. Sorted by those who ask.
constexpr std::string_view kEventsOfPlan = R"sql(
    SELECT id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_key, direction_code,
           prev_value, new_value, window_from, window_to, plan_id, slice_id, task_id, run_id, created_at
    FROM ing_cursor_event INDEXED BY idx_cur_evt_lineage
    WHERE plan_id = :plan_id AND (:slice_id = 0 OR slice_id = :slice_id)
      AND (:run_id = 0 OR run_id = :run_id)
    LIMIT :rows_max)sql";

Result<std::vector<contract::CursorEventRow>> EventsIn(Result<Rows> query) {
  auto rows = PATRA_TRY(std::move(query));
  std::vector<contract::CursorEventRow> events;
  while (PATRA_TRY(rows.Next())) {
    events.push_back({.id = rows.Integer(0),
                      .scope = ScopeOf(rows, 1),
                      .key = rows.Text(4),
                      .namespace_key = rows.Text(5),
                      .direction = rows.Text(6),
                      .before = rows.OptionalText(7),
                      .after = rows.Text(8),
                      .window = StretchOf(rows, 9),
                      .plan = rows.Integer(11),
                      .slice = rows.Integer(12),
                      .task = rows.Integer(13),
                      .run = rows.Integer(14),
                      .at = rows.Time(15)});
  }
  return events;
}

}  // namespace

Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter) {
  const auto operations = PATRA_TRY(AskedOperations(filter.operation));
  const auto rows_max = static_cast<std::size_t>(filter.rows_max);
  std::vector<Id> ids;
  for (const auto& [source, endpoint] :
       PATRA_TRY(KnownEndpoints(connection, filter.source, filter.endpoint))) {
    for (const auto operation : operations) {
      const auto rest = static_cast<std::int64_t>(rows_max - ids.size());
      auto rows = PATRA_TRY(connection.Query(kOfEndpoint, source, endpoint, operation, rest));
      while (PATRA_TRY(rows.Next())) ids.push_back(rows.Integer(0));
    }
  }
  return ids;
}

Result<std::optional<contract::CursorRow>> Read(Connection& connection, Id id) {
  auto rows = PATRA_TRY(connection.Query(kRead, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::CursorRow{.id = rows.Integer(0),
                             .scope = ScopeOf(rows, 1),
                             .key = rows.Text(4),
                             .namespace_scope = rows.Text(5),
                             .namespace_key = rows.Text(6),
                             .type = rows.Text(7),
                             .value = rows.Text(8),
                             .observed_max = rows.OptionalText(9),
                             .instant = rows.OptionalTime(10),
                             .plan = rows.Integer(11),
                             .slice = rows.Integer(12),
                             .task = rows.Integer(13),
                             .run = rows.Integer(14),
                             .batch = rows.Integer(15),
                             .version = rows.Integer(16),
                             .created_at = rows.Time(17),
                             .updated_at = rows.Time(18)};
}

Result<std::vector<contract::CursorEventRow>> EventsOf(Connection& connection,
                                                       const contract::CursorRow& cursor,
                                                       int rows_max) {
  const auto ask = [&](std::string_view sql) {
    return connection.Query(sql, cursor.scope.source, cursor.scope.endpoint, cursor.scope.operation,
                            cursor.namespace_scope, cursor.namespace_key, cursor.key, rows_max);
  };
  auto events = PATRA_TRY(EventsIn(ask(kEventsOfCursor)));
  auto rows = PATRA_TRY(ask(kRefusalsOfCursor));
  while (PATRA_TRY(rows.Next())) {
    events.push_back({.id = rows.Integer(0),
                      .scope = cursor.scope,
                      .key = cursor.key,
                      .namespace_key = cursor.namespace_key,
                      .direction = rows.Text(1),
                      .before = rows.OptionalText(2),
                      .after = rows.Text(3),
                      .window = std::nullopt,
                      .plan = rows.Integer(4),
                      .slice = rows.Integer(5),
                      .task = rows.Integer(6),
                      .run = rows.Integer(7),
                      .at = rows.Time(8),
                      .refused = rows.Text(9)});
  }
  std::ranges::sort(events, std::greater{}, [](const contract::CursorEventRow& event) {
    return std::pair(event.at, event.id);
  });
  if (std::ssize(events) > rows_max) events.resize(static_cast<std::size_t>(rows_max));
  return events;
}

Result<std::vector<contract::CursorEventRow>> EventsOf(Connection& connection,
                                                       const contract::LedgerFilter& filter) {
  return EventsIn(
      connection.Query(kEventsOfPlan, filter.plan, filter.slice, filter.run, filter.rows_max));
}

}  // namespace patra::infra::sqlite::cursor_view
