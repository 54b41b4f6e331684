// Batches are by far the most rows, and have no index by source: theirs are found through the runs, which
// are few.
#include "infra/sqlite/asked_codes.h"
#include "infra/sqlite/known_sources.h"
#include "infra/sqlite/ledger_views.h"
#include "infra/sqlite/newest_ids.h"

namespace patra::infra::sqlite::batch_view {
namespace {

constexpr int kRunsMax = 1000;
constexpr int kBatchesLookedAt = 1000;  // per run, where a status is asked for

constexpr std::string_view kRead = R"sql(
    SELECT batch.id, batch.run_id, batch.task_id, batch.slice_id, batch.plan_id, batch.provenance_code,
           batch.endpoint_name, batch.operation_code, batch.batch_no, batch.page_no, batch.before_token,
           batch.after_token, batch.status_code, batch.record_count, batch.error, batch.error_level,
           coalesce(batch.request_digest, ''), coalesce(batch.response_digest, ''), batch.stats,
           batch.created_at, batch.committed_at, page.body_size
    FROM ing_task_run_batch AS batch LEFT JOIN ing_raw_page AS page ON page.batch_id = batch.id
    WHERE batch.id = :id LIMIT 1)sql";

constexpr std::string_view kOfRun = R"sql(
    SELECT id FROM ing_task_run_batch WHERE run_id = :run_id
    ORDER BY batch_no DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfRunByStatus = R"sql(
    SELECT id FROM (SELECT id, status_code FROM ing_task_run_batch WHERE run_id = :run_id
                    ORDER BY batch_no DESC LIMIT :looked_at)
    WHERE status_code = :status LIMIT :rows_max)sql";

constexpr std::string_view kFailed = R"sql(
    SELECT id FROM ing_task_run_batch
    WHERE status_code = 'FAILED' AND provenance_code = :source AND endpoint_name = :endpoint
      AND (:operation = '' OR operation_code = :operation)
    ORDER BY created_at DESC LIMIT :rows_max)sql";

bool HasLineage(const contract::LedgerFilter& filter) {
  return filter.plan != 0 || filter.slice != 0 || filter.task != 0 || filter.run != 0;
}

Result<std::vector<Id>> Failed(Connection& connection, const contract::LedgerFilter& filter) {
  NewestIds newest(filter.rows_max);
  for (const auto& [source, endpoint] :
       PATRA_TRY(KnownEndpoints(connection, filter.source, filter.endpoint))) {
    PATRA_TRY(
        newest.Add(connection.Query(kFailed, source, endpoint, filter.operation, filter.rows_max)));
  }
  return newest.Take();
}

Result<std::vector<Id>> RunsOf(Connection& connection, const contract::LedgerFilter& filter) {
  if (filter.run != 0) return std::vector{filter.run};
  auto runs = filter;
  runs.status.clear();
  runs.rows_max = kRunsMax;
  return run_view::Ids(connection, runs);
}

}  // namespace

Result<std::vector<Id>> Ids(Connection& connection, const contract::LedgerFilter& filter) {
  PATRA_TRY(AskedStates<domain::BatchStatus>(filter.status));
  PATRA_TRY(AskedOperations(filter.operation));
  if (filter.status == Code(domain::BatchStatus::kFailed) && !HasLineage(filter))
    return Failed(connection, filter);

  std::vector<Id> ids;
  const auto rows_max = static_cast<std::size_t>(filter.rows_max);
  for (const auto run : PATRA_TRY(RunsOf(connection, filter))) {
    if (ids.size() >= rows_max) break;
    const auto rest = static_cast<std::int64_t>(rows_max - ids.size());
    auto rows = filter.status.empty()
                    ? PATRA_TRY(connection.Query(kOfRun, run, rest))
                    : PATRA_TRY(connection.Query(kOfRunByStatus, run, kBatchesLookedAt,
                                                 filter.status, rest));
    while (PATRA_TRY(rows.Next())) ids.push_back(rows.Integer(0));
  }
  return ids;
}

Result<std::optional<contract::BatchRow>> Read(Connection& connection, Id id) {
  auto rows = PATRA_TRY(connection.Query(kRead, id));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::BatchRow{.id = rows.Integer(0),
                            .run = rows.Integer(1),
                            .task = rows.Integer(2),
                            .slice = rows.Integer(3),
                            .plan = rows.Integer(4),
                            .scope = ScopeOf(rows, 5),
                            .number = rows.Integer(8),
                            .page = rows.OptionalInteger(9),
                            .before_token = rows.OptionalText(10),
                            .after = rows.OptionalText(11),
                            .status = rows.Text(12),
                            .records = rows.Integer(13),
                            .error = rows.OptionalText(14),
                            .error_level = rows.OptionalText(15),
                            .request_digest = rows.Text(16),
                            .response_digest = rows.Text(17),
                            .stats = rows.Text(18),
                            .created_at = rows.Time(19),
                            .committed_at = rows.OptionalTime(20),
                            .raw_bytes = rows.OptionalInteger(21)};
}

}  // namespace patra::infra::sqlite::batch_view
