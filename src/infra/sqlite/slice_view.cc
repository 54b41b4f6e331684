#include "infra/sqlite/asked_codes.h"
#include "infra/sqlite/known_sources.h"
#include "infra/sqlite/ledger_views.h"
#include "infra/sqlite/newest_ids.h"

namespace patra::infra::sqlite::slice_view {
namespace {

constexpr std::string_view kRead = R"sql(
    SELECT slice.id, slice.plan_id, slice.parent_slice_id, task.id, slice.provenance_code,
           slice.endpoint_name, slice.operation_code, slice.slice_no, slice.status_code,
           slice.window_from, slice.window_to, slice.announced, slice.received, slice.inserted,
           slice.updated, slice.unchanged, slice.stale, slice.quarantined, slice.filtered, slice.gap,
           slice.query_hash, slice.expr_hash, slice.created_at, slice.updated_at, slice.closed_at,
           slice.repeated, slice.provable_to
    FROM ing_plan_slice AS slice LEFT JOIN ing_task AS task ON task.slice_id = slice.id
    WHERE slice.id = :id LIMIT 1)sql";

constexpr std::string_view kOfPlan = R"sql(
    SELECT id FROM ing_plan_slice WHERE plan_id = :plan_id AND status_code = :status
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfSource = R"sql(
    SELECT id FROM ing_plan_slice
    WHERE provenance_code = :source AND status_code = :status
      AND (:endpoint = '' OR endpoint_name = :endpoint)
      AND (:operation = '' OR operation_code = :operation)
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kCountByStatus = R"sql(
    SELECT status_code, count(*) FROM ing_plan_slice WHERE plan_id = :plan_id
    GROUP BY status_code LIMIT 100)sql";

}  // namespace

Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter) {
  const auto states = PATRA_TRY(AskedStates<domain::SliceStatus>(filter.status));
  PATRA_TRY(AskedOperations(filter.operation));
  NewestIds newest(filter.rows_max);
  for (const auto status : states) {
    if (filter.plan != 0) {
      PATRA_TRY(newest.Add(connection.Query(kOfPlan, filter.plan, status, filter.rows_max)));
      continue;
    }
    for (const auto& source : PATRA_TRY(KnownSources(connection, filter.source))) {
      PATRA_TRY(newest.Add(connection.Query(kOfSource, source, status, filter.endpoint,
                                            filter.operation, filter.rows_max)));
    }
  }
  return newest.Take();
}

Result<std::optional<contract::SliceRow>> Read(Connection& connection, Id id) {
  auto rows = PATRA_TRY(connection.Query(kRead, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::SliceRow{.id = rows.Integer(0),
                            .plan = rows.Integer(1),
                            .parent = rows.Integer(2),
                            .task = rows.Integer(3),
                            .scope = ScopeOf(rows, 4),
                            .number = rows.Integer(7),
                            .status = rows.Text(8),
                            .window = StretchOf(rows, 9),
                            .sums = {.announced = rows.OptionalInteger(11),
                                     .received = rows.Integer(12),
                                     .inserted = rows.Integer(13),
                                     .updated = rows.Integer(14),
                                     .unchanged = rows.Integer(15),
                                     .stale = rows.Integer(16),
                                     .quarantined = rows.Integer(17),
                                     .filtered = rows.Integer(18),
                                     .repeated = rows.Integer(25)},
                            .gap = rows.OptionalText(19),
                            .query_hash = rows.Text(20),
                            .expr_hash = rows.Text(21),
                            .created_at = rows.Time(22),
                            .updated_at = rows.Time(23),
                            .closed_at = rows.OptionalTime(24),
                            .provable_to = rows.OptionalTime(26)};
}

Result<std::vector<std::pair<std::string, std::int64_t>>> CountByStatus(Connection& connection,
                                                                        Id plan) {
  std::vector<std::pair<std::string, std::int64_t>> counts;
  auto rows = PATRA_TRY(connection.Query(kCountByStatus, plan));
  while (PATRA_TRY(rows.Next())) counts.emplace_back(rows.Text(0), rows.Integer(1));
  return counts;
}

}  // namespace patra::infra::sqlite::slice_view
