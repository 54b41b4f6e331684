#include "infra/sql/asked_codes.h"
#include "infra/sql/known_sources.h"
#include "infra/sql/ledger_views.h"
#include "infra/sql/newest_ids.h"

namespace patra::infra::sql::slice_view {
namespace {

constexpr std::string_view kRead = R"sql(
    SELECT slice.id, slice.plan_id, slice.parent_slice_id, task.id AS task_id, slice.provenance_code,
           slice.endpoint_name, slice.operation_code, slice.slice_no, slice.status_code,
           slice.window_from, slice.window_to, slice.announced, slice.received, slice.inserted,
           slice.updated, slice.unchanged, slice.stale, slice.quarantined, slice.filtered, slice.gap,
           slice.query_hash, slice.expr_hash, slice.expr_snapshot, slice.created_at, slice.updated_at, slice.closed_at,
           slice.repeated, slice.provable_to, slice.record_remarks, slice.cut_total, slice.parts_total,
           slice.whole_total, slice.slice_signature_hash
    FROM ing_plan_slice AS slice LEFT JOIN ing_task AS task ON task.slice_id = slice.id
    WHERE slice.id = :id LIMIT 1)sql";

constexpr std::string_view kOfPlan = R"sql(
    SELECT id FROM ing_plan_slice WHERE plan_id = :plan_id AND status_code = :status
      AND id < :below_id
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfSource = R"sql(
    SELECT id FROM ing_plan_slice
    WHERE provenance_code = :source AND status_code = :status
      AND (:endpoint = '' OR endpoint_name = :endpoint)
      AND (:operation = '' OR operation_code = :operation)
      AND id < :below_id
    ORDER BY id DESC LIMIT :rows_max)sql";

constexpr std::string_view kCountByStatus = R"sql(
    SELECT status_code, count(*) AS how_many FROM ing_plan_slice WHERE plan_id = :plan_id
    GROUP BY status_code LIMIT 100)sql";

}  // namespace

Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter) {
  const auto states = PATRA_TRY(AskedStates<domain::SliceStatus>(filter.status));
  PATRA_TRY(AskedOperations(filter.operation));
  NewestIds newest(filter.rows_max);
  for (const auto status : states) {
    if (filter.plan != 0) {
      PATRA_TRY(newest.Add(session.Query(kOfPlan, {{"plan_id", filter.plan},
                                                   {"status", status},
                                                   {"below_id", BelowId(filter)},
                                                   {"rows_max", filter.rows_max}})));
      continue;
    }
    for (const auto& source : PATRA_TRY(KnownSources(session, filter.source))) {
      PATRA_TRY(newest.Add(session.Query(kOfSource, {{"source", source},
                                                     {"status", status},
                                                     {"endpoint", filter.endpoint},
                                                     {"operation", filter.operation},
                                                     {"below_id", BelowId(filter)},
                                                     {"rows_max", filter.rows_max}})));
    }
  }
  return newest.Take();
}

Result<std::optional<contract::SliceRow>> Read(Session& session, Id id) {
  auto rows = PATRA_TRY(session.Query(kRead, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::SliceRow{.id = rows.Integer("id"),
                            .plan = rows.Integer("plan_id"),
                            .parent = rows.Integer("parent_slice_id"),
                            .task = rows.Integer("task_id"),
                            .scope = ScopeOf(rows),
                            .number = rows.Integer("slice_no"),
                            .status = rows.Text("status_code"),
                            .window = WindowOf(rows),
                            .sums = {.announced = rows.OptionalInteger("announced"),
                                     .received = rows.Integer("received"),
                                     .inserted = rows.Integer("inserted"),
                                     .updated = rows.Integer("updated"),
                                     .unchanged = rows.Integer("unchanged"),
                                     .stale = rows.Integer("stale"),
                                     .quarantined = rows.Integer("quarantined"),
                                     .filtered = rows.Integer("filtered"),
                                     .repeated = rows.Integer("repeated")},
                            .gap = rows.OptionalText("gap"),
                            .query_hash = rows.Text("query_hash"),
                            .expr_hash = rows.Text("expr_hash"),
                            .expression = rows.Text("expr_snapshot"),
                            .created_at = rows.Time("created_at"),
                            .updated_at = rows.Time("updated_at"),
                            .closed_at = rows.OptionalTime("closed_at"),
                            .provable_to = rows.OptionalTime("provable_to"),
                            .remarks = rows.Text("record_remarks"),
                            .cut_total = rows.OptionalInteger("cut_total"),
                            .parts_total = rows.OptionalInteger("parts_total"),
                            .whole_total = rows.OptionalInteger("whole_total"),
                            .signature = rows.Text("slice_signature_hash")};
}

Result<std::vector<std::pair<std::string, std::int64_t>>> CountByStatus(Session& session, Id plan) {
  std::vector<std::pair<std::string, std::int64_t>> counts;
  auto rows = PATRA_TRY(session.Query(kCountByStatus, {{"plan_id", plan}}));
  while (PATRA_TRY(rows.Next()))
    counts.emplace_back(rows.Text("status_code"), rows.Integer("how_many"));
  return counts;
}

}  // namespace patra::infra::sql::slice_view
