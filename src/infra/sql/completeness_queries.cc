#include "infra/sql/completeness_queries.h"

#include <algorithm>

#include <fmt/format.h>

#include "contract/status.h"
#include "infra/sql/coverage_table.h"
#include "infra/sql/known_sources.h"
#include "infra/sql/ledger_views.h"
#include "infra/sql/quarantine_table.h"
#include "infra/sql/query_table.h"

namespace patra::infra::sql {
namespace {

using contract::CoverageKey;
using contract::Stretch;

constexpr std::size_t kQueriesMax = 1000;

// Updates say nothing about the source's time: the days of their plans are not stretches of it.
constexpr std::string_view kNextQuery = R"sql(
    SELECT query_hash FROM ing_plan_slice
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND query_hash > :after
      AND operation_code <> 'UPDATE'
    ORDER BY query_hash LIMIT 1)sql";

// Plans are few. What they have not cut into slices yet is planned all the same.
constexpr std::string_view kPlanned = R"sql(
    SELECT min(window_from) AS window_from, max(window_to) AS window_to FROM ing_plan
    WHERE provenance_code = :source AND operation_code = :operation AND endpoint_name = :endpoint
      AND query_hash = :query_hash)sql";

// No more of each than a certificate needs; the task only of those that somebody may have to look at.
constexpr std::string_view kSlices = R"sql(
    SELECT id, plan_id, parent_slice_id,
           CASE WHEN status_code <> 'SUCCEEDED'
                THEN (SELECT task.id FROM ing_task AS task WHERE task.slice_id = ing_plan_slice.id) END AS task_id,
           operation_code, status_code, window_from, window_to, announced, received, inserted, updated, unchanged,
           stale, quarantined, filtered, repeated, gap, updated_at, closed_at, provable_to, cut_total, parts_total,
           whole_total
    FROM ing_plan_slice
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND query_hash = :query_hash
      AND window_from >= :after_from AND (window_from > :after_from OR id > :after_id) AND window_from < :to AND window_to > :from
    ORDER BY window_from, id LIMIT :rows_max)sql";

constexpr std::string_view kPromise = R"sql(
    SELECT coalesce(json_extract(snapshot, '$.response.totalKind'), 'NONE') AS total_kind,
           coalesce(json_extract(snapshot, '$.response.totalWithin'), 0) AS total_within, spec_fingerprint
    FROM (SELECT expr_proto_snapshot AS snapshot, spec_fingerprint FROM ing_plan WHERE id = :id LIMIT 1) AS plan)sql";

constexpr std::string_view kSnapshot =
    "SELECT expr_proto_snapshot FROM ing_plan WHERE id = :id LIMIT 1";

contract::SliceRow SliceIn(const Rows& rows, const CoverageKey& key) {
  return {.id = rows.Integer("id"),
          .plan = rows.Integer("plan_id"),
          .parent = rows.Integer("parent_slice_id"),
          .task = rows.Integer("task_id"),
          .scope = {key.source, key.endpoint, rows.Text("operation_code")},
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
          .query_hash = key.query_hash,
          .updated_at = rows.Time("updated_at"),
          .closed_at = rows.OptionalTime("closed_at"),
          .provable_to = rows.OptionalTime("provable_to"),
          .cut_total = rows.OptionalInteger("cut_total"),
          .parts_total = rows.OptionalInteger("parts_total"),
          .whole_total = rows.OptionalInteger("whole_total")};
}

Result<std::optional<Stretch>> Planned(Session& session, const CoverageKey& key) {
  using enum domain::Operation;
  std::optional<Stretch> planned;
  for (const auto operation : {kHarvest, kBackfill}) {
    auto rows = PATRA_TRY(session.Query(kPlanned, {{"source", key.source},
                                                   {"operation", Code(operation)},
                                                   {"endpoint", key.endpoint},
                                                   {"query_hash", key.query_hash}}));
    if (!PATRA_TRY(rows.Next())) continue;
    const auto found = WindowOf(rows);
    if (!found) continue;
    if (!planned) planned = found;
    planned = Stretch{std::min(planned->from, found->from), std::max(planned->to, found->to)};
  }
  return planned;
}

}  // namespace

Result<std::vector<CompletenessQueries::Known>> CompletenessQueries::KnownQueries(
    const std::string& source, const std::string& endpoint) {
  return database_.Read([&](Session& session) -> Result<std::vector<Known>> {
    std::vector<Known> queries;
    for (const auto& known : PATRA_TRY(KnownEndpoints(session, source, endpoint))) {
      CoverageKey key{known.source, known.endpoint, {}};
      while (queries.size() < kQueriesMax) {
        auto rows = PATRA_TRY(session.Query(
            kNextQuery,
            {{"source", key.source}, {"endpoint", key.endpoint}, {"after", key.query_hash}}));
        if (!PATRA_TRY(rows.Next())) break;
        key.query_hash = rows.Text("query_hash");
        const domain::Lane lane{known.source, known.endpoint, domain::Operation::kHarvest};
        auto in_force = PATRA_TRY(query_table::Find(session, lane, key.query_hash));
        queries.push_back(
            {.key = key,
             .planned = PATRA_TRY(Planned(session, key)),
             .begins = PATRA_TRY(query_table::BeginsAt(session, lane, key.query_hash)),
             .asked = in_force ? std::optional(std::move(in_force->asked)) : std::nullopt});
      }
    }
    return queries;
  });
}

Result<std::vector<Stretch>> CompletenessQueries::Proven(const CoverageKey& key,
                                                         const Stretch& range) {
  return database_.Read([&](Session& session) -> Result<std::vector<Stretch>> {
    const auto window = PATRA_TRY(domain::Window::Between(range.from, range.to));
    const auto coverage = PATRA_TRY(coverage_table::Around(
        session, {.provenance = key.source, .endpoint = key.endpoint}, key.query_hash, window));
    std::vector<Stretch> proven;
    for (const auto& stretch : coverage.windows()) proven.push_back({stretch.from(), stretch.to()});
    return proven;
  });
}

Result<std::vector<contract::SliceRow>> CompletenessQueries::SlicesIn(
    const CoverageKey& key, const Stretch& range, const std::optional<contract::SliceRow>& after,
    int rows_max) {
  return database_.Read([&](Session& session) -> Result<std::vector<contract::SliceRow>> {
    std::vector<contract::SliceRow> slices;
    const auto after_from = after && after->window ? after->window->from : kInstantMin;
    const auto after_id = after ? after->id : Id{0};
    auto rows = PATRA_TRY(session.Query(kSlices, {{"source", key.source},
                                                  {"endpoint", key.endpoint},
                                                  {"query_hash", key.query_hash},
                                                  {"after_from", after_from},
                                                  {"after_id", after_id},
                                                  {"to", range.to},
                                                  {"from", range.from},
                                                  {"rows_max", rows_max}}));
    while (PATRA_TRY(rows.Next())) slices.push_back(SliceIn(rows, key));
    return slices;
  });
}

Result<contract::TotalPromise> CompletenessQueries::PromiseOf(Id plan) {
  return database_.Read([&](Session& session) -> Result<contract::TotalPromise> {
    auto rows = PATRA_TRY(session.Query(kPromise, {{"id", plan}}));
    if (!PATRA_TRY(rows.Next())) return contract::TotalPromise{.kind = "NONE"};
    return contract::TotalPromise{.kind = rows.Text("total_kind"),
                                  .within = rows.Number("total_within"),
                                  .fingerprint = rows.Text("spec_fingerprint")};
  });
}

Result<std::string> CompletenessQueries::SnapshotOf(Id plan) {
  return database_.Read([&](Session& session) -> Result<std::string> {
    auto rows = PATRA_TRY(session.Query(kSnapshot, {{"id", plan}}));
    if (!PATRA_TRY(rows.Next()))
      return Fail(ErrorCode::kNotFound, fmt::format("there is no plan {}", plan));
    return rows.Text(kOnly);
  });
}

Result<std::int64_t> CompletenessQueries::OpenQuarantine(const CoverageKey& key,
                                                         const Stretch& range) {
  return database_.Read([&](Session& session) {
    return quarantine_table::CountOpenIn(session, key.source, key.endpoint, key.query_hash,
                                         range.from, range.to, contract::kCountedAtMost);
  });
}

}  // namespace patra::infra::sql
