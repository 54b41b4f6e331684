#include <algorithm>

#include "infra/sql/asked_codes.h"
#include "infra/sql/known_sources.h"
#include "infra/sql/ledger_views.h"

namespace patra::infra::sql::cursor_view {
namespace {

constexpr std::string_view kRead = R"sql(
    SELECT id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code,
           namespace_key, cursor_type_code, cursor_value, observed_max_value, normalized_instant, plan_id,
           slice_id, task_id, last_run_id, last_batch_id, version, created_at, updated_at
    FROM ing_cursor WHERE id = :id LIMIT 1)sql";

constexpr std::string_view kOfEndpoint = R"sql(
    SELECT id FROM ing_cursor
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = :operation
      AND (cursor_key > :cursor_key
           OR (cursor_key = :cursor_key
               AND (namespace_scope_code > :namespace_scope
                    OR (namespace_scope_code = :namespace_scope AND namespace_key > :namespace_key))))
    ORDER BY cursor_key, namespace_scope_code, namespace_key LIMIT :rows_max)sql";

constexpr std::string_view kEventsOfCursor = R"sql(
    SELECT id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_key, direction_code,
           prev_value, new_value, window_from, window_to, plan_id, slice_id, task_id, run_id, created_at,
           record_remarks
    FROM ing_cursor_event
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = :operation
      AND namespace_scope_code = :namespace_scope AND namespace_key = :namespace_key
      AND cursor_key = :cursor_key AND created_at >= :from AND created_at < :to
    ORDER BY created_at DESC, id DESC LIMIT :rows_max)sql";

constexpr std::string_view kRefusalsOfCursor = R"sql(
    SELECT id, direction_code, present_value, proposed_value, plan_id, slice_id, task_id, run_id, created_at,
           reason
    FROM ing_cursor_refusal
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = :operation
      AND namespace_scope_code = :namespace_scope AND namespace_key = :namespace_key
      AND cursor_key = :cursor_key AND created_at >= :from AND created_at < :to
    ORDER BY created_at DESC, id DESC LIMIT :rows_max)sql";

// A plan moves cursors at most once per slice. Sorted by those who ask.
constexpr std::string_view kEventsOfPlan = R"sql(
    SELECT id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_key, direction_code,
           prev_value, new_value, window_from, window_to, plan_id, slice_id, task_id, run_id, created_at,
           record_remarks
    FROM ing_cursor_event INDEXED BY idx_cur_evt_lineage
    WHERE plan_id = :plan_id AND (:slice_id = 0 OR slice_id = :slice_id)
      AND (:run_id = 0 OR run_id = :run_id)
    LIMIT :rows_max)sql";

Result<std::vector<contract::CursorEventRow>> EventsIn(Result<Rows> query) {
  auto rows = PATRA_TRY(std::move(query));
  std::vector<contract::CursorEventRow> events;
  while (PATRA_TRY(rows.Next())) events.push_back(EventIn(rows));
  return events;
}

}  // namespace

contract::CursorEventRow EventIn(const Rows& rows) {
  return {.id = rows.Integer("id"),
          .scope = ScopeOf(rows),
          .key = rows.Text("cursor_key"),
          .namespace_key = rows.Text("namespace_key"),
          .direction = rows.Text("direction_code"),
          .before = rows.OptionalText("prev_value"),
          .after = rows.Text("new_value"),
          .window = WindowOf(rows),
          .plan = rows.Integer("plan_id"),
          .slice = rows.Integer("slice_id"),
          .task = rows.Integer("task_id"),
          .run = rows.Integer("run_id"),
          .at = rows.Time("created_at"),
          .remarks = rows.Text("record_remarks")};
}

// The cursor after which the list goes on; one that sorts before all where it begins.
Result<contract::CursorRow> PlaceOf(Session& session, const contract::LedgerFilter& filter) {
  if (!filter.after) return contract::CursorRow{};
  if (auto row = PATRA_TRY(Read(session, filter.after->id))) return *std::move(row);
  return Fail(ErrorCode::kInvalidInput, "the list cannot go on: that cursor is gone", {},
              "begin it again");
}

Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter) {
  const auto operations = PATRA_TRY(AskedOperations(filter.operation));
  const auto rows_max = static_cast<std::size_t>(filter.rows_max);
  const auto place = PATRA_TRY(PlaceOf(session, filter));
  bool has_passed = !filter.after;
  std::vector<Id> ids;
  for (const auto& [source, endpoint] :
       PATRA_TRY(KnownEndpoints(session, filter.source, filter.endpoint))) {
    for (const auto operation : operations) {
      const contract::Scope scope{source, endpoint, std::string(operation)};
      const bool is_there =
          scope.Name() == place.scope.Name() && scope.operation == place.scope.operation;
      if (!has_passed && !is_there) continue;
      has_passed = true;
      const auto after = is_there ? place : contract::CursorRow{};
      const auto rest = static_cast<std::int64_t>(rows_max - ids.size());
      auto rows = PATRA_TRY(session.Query(kOfEndpoint, {{"source", source},
                                                        {"endpoint", endpoint},
                                                        {"operation", operation},
                                                        {"cursor_key", after.key},
                                                        {"namespace_scope", after.namespace_scope},
                                                        {"namespace_key", after.namespace_key},
                                                        {"rows_max", rest}}));
      while (PATRA_TRY(rows.Next())) ids.push_back(rows.Integer("id"));
    }
  }
  return ids;
}

Result<std::optional<contract::CursorRow>> Read(Session& session, Id id) {
  auto rows = PATRA_TRY(session.Query(kRead, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::CursorRow{.id = rows.Integer("id"),
                             .scope = ScopeOf(rows),
                             .key = rows.Text("cursor_key"),
                             .namespace_scope = rows.Text("namespace_scope_code"),
                             .namespace_key = rows.Text("namespace_key"),
                             .type = rows.Text("cursor_type_code"),
                             .value = rows.Text("cursor_value"),
                             .observed_max = rows.OptionalText("observed_max_value"),
                             .instant = rows.OptionalTime("normalized_instant"),
                             .plan = rows.Integer("plan_id"),
                             .slice = rows.Integer("slice_id"),
                             .task = rows.Integer("task_id"),
                             .run = rows.Integer("last_run_id"),
                             .batch = rows.Integer("last_batch_id"),
                             .version = rows.Integer("version"),
                             .created_at = rows.Time("created_at"),
                             .updated_at = rows.Time("updated_at")};
}

Result<std::vector<contract::CursorEventRow>> EventsOf(Session& session,
                                                       const contract::CursorRow& cursor,
                                                       const contract::Stretch& within,
                                                       int rows_max) {
  const auto ask = [&](std::string_view sql) {
    return session.Query(sql, {{"source", cursor.scope.source},
                               {"endpoint", cursor.scope.endpoint},
                               {"operation", cursor.scope.operation},
                               {"namespace_scope", cursor.namespace_scope},
                               {"namespace_key", cursor.namespace_key},
                               {"cursor_key", cursor.key},
                               {"from", within.from},
                               {"to", within.to},
                               {"rows_max", rows_max}});
  };
  auto events = PATRA_TRY(EventsIn(ask(kEventsOfCursor)));
  auto rows = PATRA_TRY(ask(kRefusalsOfCursor));
  while (PATRA_TRY(rows.Next())) {
    events.push_back({.id = rows.Integer("id"),
                      .scope = cursor.scope,
                      .key = cursor.key,
                      .namespace_key = cursor.namespace_key,
                      .direction = rows.Text("direction_code"),
                      .before = rows.OptionalText("present_value"),
                      .after = rows.Text("proposed_value"),
                      .window = std::nullopt,
                      .plan = rows.Integer("plan_id"),
                      .slice = rows.Integer("slice_id"),
                      .task = rows.Integer("task_id"),
                      .run = rows.Integer("run_id"),
                      .at = rows.Time("created_at"),
                      .refused = rows.Text("reason")});
  }
  std::ranges::sort(events, std::greater{}, [](const contract::CursorEventRow& event) {
    return std::pair(event.at, event.id);
  });
  if (std::ssize(events) > rows_max) events.resize(static_cast<std::size_t>(rows_max));
  return events;
}

Result<std::vector<contract::CursorEventRow>> EventsOf(Session& session,
                                                       const contract::LedgerFilter& filter) {
  return EventsIn(session.Query(kEventsOfPlan, {{"plan_id", filter.plan},
                                                {"slice_id", filter.slice},
                                                {"run_id", filter.run},
                                                {"rows_max", filter.rows_max}}));
}

}  // namespace patra::infra::sql::cursor_view
