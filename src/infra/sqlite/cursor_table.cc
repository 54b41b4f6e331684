#include "infra/sqlite/cursor_table.h"

#include "infra/sqlite/cursor_columns.h"

namespace patra::infra::sqlite::cursor_table {
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

Result<std::optional<Standing>> Find(Connection& connection, const domain::Partition& partition,
                                     const domain::CursorNamespace& cursor) {
  auto rows = PATRA_TRY(connection.Query(kFind, partition.provenance, partition.endpoint,
                                         Code(partition.operation), cursor.cursor_key, cursor.scope,
                                         cursor.key));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const auto value =
      rows.IsNull(0) ? domain::CursorValue(rows.Integer(1)) : domain::CursorValue(rows.Time(0));
  return Standing{value, rows.Integer(2)};
}

Result<std::vector<domain::CursorNamespace>> NamespacesOf(Connection& connection,
                                                          const domain::Partition& partition) {
  std::vector<domain::CursorNamespace> namespaces;
  auto rows = PATRA_TRY(connection.Query(kNamespaces, partition.provenance, partition.endpoint,
                                         Code(partition.operation)));
  while (PATRA_TRY(rows.Next()))
    namespaces.push_back({.scope = rows.Text(1), .key = rows.Text(2), .cursor_key = rows.Text(0)});
  return namespaces;
}

Result<bool> Insert(Connection& connection, const domain::CursorMove& move, Id new_id,
                    Instant now) {
  const auto to = ColumnsOf(move.to);
  const auto& lineage = move.lineage;
  const auto rows = PATRA_TRY(connection.Run(
      kInsert, new_id, move.partition.provenance, move.partition.endpoint,
      Code(move.partition.operation), move.cursor.cursor_key, move.cursor.scope, move.cursor.key,
      to.type, to.text, ObservedMax(move), to.instant, to.number, lineage.trigger, lineage.plan,
      lineage.slice, lineage.task, lineage.run, lineage.batch, move.expr_hash, now));
  return rows == 1;
}

Result<bool> Set(Connection& connection, const domain::CursorMove& move, std::int64_t version,
                 Instant now) {
  const auto to = ColumnsOf(move.to);
  const auto& lineage = move.lineage;
  const auto rows = PATRA_TRY(connection.Run(
      kSet, to.text, ObservedMax(move), to.instant, to.number, lineage.trigger, lineage.plan,
      lineage.slice, lineage.task, lineage.run, lineage.batch, move.expr_hash, now,
      move.partition.provenance, move.partition.endpoint, Code(move.partition.operation),
      move.cursor.cursor_key, move.cursor.scope, move.cursor.key, version));
  return rows == 1;
}

}  // namespace patra::infra::sqlite::cursor_table
