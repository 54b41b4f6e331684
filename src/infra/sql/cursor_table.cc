#include "infra/sql/cursor_table.h"

#include "infra/sql/cursor_columns.h"

namespace patra::infra::sql::cursor_table {
namespace {

constexpr std::string_view kFind = R"sql(
    SELECT normalized_instant, normalized_numeric, version FROM ing_cursor
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code AND cursor_key = :cursor_key
      AND namespace_scope_code = :namespace_scope_code AND namespace_key = :namespace_key LIMIT 1)sql";

constexpr std::string_view kNamespaces = R"sql(
    SELECT cursor_key, namespace_scope_code, namespace_key FROM ing_cursor
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code
    ORDER BY cursor_key, namespace_scope_code, namespace_key LIMIT 1000)sql";

constexpr std::string_view kInsert = R"sql(
    INSERT INTO ing_cursor
        (id, provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code,
         namespace_key, cursor_type_code, cursor_value, observed_max_value, normalized_instant,
         normalized_numeric, schedule_instance_id, plan_id, slice_id, task_id, last_run_id, last_batch_id,
         expr_hash, created_at, updated_at)
    VALUES (:id, :provenance_code, :endpoint_name, :operation_code, :cursor_key, :namespace_scope_code,
            :namespace_key, :cursor_type_code, :cursor_value, :observed_max_value, :normalized_instant,
            :normalized_numeric, :schedule_instance_id, :plan_id, :slice_id, :task_id, :run_id, :batch_id,
            :expr_hash, :now, :now)
    ON CONFLICT (provenance_code, endpoint_name, operation_code, cursor_key, namespace_scope_code,
                 namespace_key) DO NOTHING)sql";

constexpr std::string_view kSet = R"sql(
    UPDATE ing_cursor
    SET cursor_value = :cursor_value, observed_max_value = coalesce(:observed_max_value, observed_max_value),
        normalized_instant = :normalized_instant, normalized_numeric = :normalized_numeric,
        schedule_instance_id = :schedule_instance_id, plan_id = :plan_id, slice_id = :slice_id,
        task_id = :task_id, last_run_id = :run_id, last_batch_id = :batch_id, expr_hash = :expr_hash,
        updated_at = :now, version = version + 1
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code AND cursor_key = :cursor_key
      AND namespace_scope_code = :namespace_scope_code AND namespace_key = :namespace_key
      AND version = :version)sql";

}  // namespace

Result<std::optional<Standing>> Find(Session& session, const domain::Lane& lane,
                                     const domain::CursorNamespace& cursor) {
  auto rows = PATRA_TRY(session.Query(kFind, {{"provenance_code", lane.provenance},
                                              {"endpoint_name", lane.endpoint},
                                              {"operation_code", Code(lane.operation)},
                                              {"cursor_key", cursor.cursor_key},
                                              {"namespace_scope_code", cursor.scope},
                                              {"namespace_key", cursor.key}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const auto value = rows.IsNull("normalized_instant")
                         ? domain::CursorValue(rows.Integer("normalized_numeric"))
                         : domain::CursorValue(rows.Time("normalized_instant"));
  return Standing{value, rows.Integer("version")};
}

Result<std::vector<domain::CursorNamespace>> NamespacesOf(Session& session,
                                                          const domain::Lane& lane) {
  std::vector<domain::CursorNamespace> namespaces;
  auto rows = PATRA_TRY(session.Query(kNamespaces, {{"provenance_code", lane.provenance},
                                                    {"endpoint_name", lane.endpoint},
                                                    {"operation_code", Code(lane.operation)}}));
  while (PATRA_TRY(rows.Next()))
    namespaces.push_back({.scope = rows.Text("namespace_scope_code"),
                          .key = rows.Text("namespace_key"),
                          .cursor_key = rows.Text("cursor_key")});
  return namespaces;
}

Result<bool> Insert(Session& session, const domain::CursorMove& move, Id new_id, Instant now) {
  const auto to = ColumnsOf(move.to);
  const auto& lineage = move.lineage;
  const auto rows = PATRA_TRY(session.Run(kInsert, {{"id", new_id},
                                                    {"provenance_code", move.lane.provenance},
                                                    {"endpoint_name", move.lane.endpoint},
                                                    {"operation_code", Code(move.lane.operation)},
                                                    {"cursor_key", move.cursor.cursor_key},
                                                    {"namespace_scope_code", move.cursor.scope},
                                                    {"namespace_key", move.cursor.key},
                                                    {"cursor_type_code", to.type},
                                                    {"cursor_value", to.text},
                                                    {"observed_max_value", ObservedMax(move)},
                                                    {"normalized_instant", to.instant},
                                                    {"normalized_numeric", to.number},
                                                    {"schedule_instance_id", lineage.trigger},
                                                    {"plan_id", lineage.plan},
                                                    {"slice_id", lineage.slice},
                                                    {"task_id", lineage.task},
                                                    {"run_id", lineage.run},
                                                    {"batch_id", lineage.batch},
                                                    {"expr_hash", move.expr_hash},
                                                    {"now", now}}));
  return rows == 1;
}

Result<bool> Set(Session& session, const domain::CursorMove& move, std::int64_t version,
                 Instant now) {
  const auto to = ColumnsOf(move.to);
  const auto& lineage = move.lineage;
  const auto rows = PATRA_TRY(session.Run(kSet, {{"cursor_value", to.text},
                                                 {"observed_max_value", ObservedMax(move)},
                                                 {"normalized_instant", to.instant},
                                                 {"normalized_numeric", to.number},
                                                 {"schedule_instance_id", lineage.trigger},
                                                 {"plan_id", lineage.plan},
                                                 {"slice_id", lineage.slice},
                                                 {"task_id", lineage.task},
                                                 {"run_id", lineage.run},
                                                 {"batch_id", lineage.batch},
                                                 {"expr_hash", move.expr_hash},
                                                 {"now", now},
                                                 {"provenance_code", move.lane.provenance},
                                                 {"endpoint_name", move.lane.endpoint},
                                                 {"operation_code", Code(move.lane.operation)},
                                                 {"cursor_key", move.cursor.cursor_key},
                                                 {"namespace_scope_code", move.cursor.scope},
                                                 {"namespace_key", move.cursor.key},
                                                 {"version", version}}));
  return rows == 1;
}

}  // namespace patra::infra::sql::cursor_table
