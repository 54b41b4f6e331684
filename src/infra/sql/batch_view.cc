// Batches are by far the most rows, and have no index by source: theirs are found through the runs, which
// are few.
#include <algorithm>
#include <functional>
#include <map>

#include "infra/sql/asked_codes.h"
#include "infra/sql/known_sources.h"
#include "infra/sql/ledger_views.h"
#include "infra/sql/newest_ids.h"

namespace patra::infra::sql::batch_view {
namespace {

constexpr int kRunsMax = 1000;
constexpr int kBatchesLookedAt = 1000;  // per run, where a status is asked for
constexpr int kAnswersLookedAt = 10'000;

constexpr std::string_view kRead = R"sql(
    SELECT batch.id, batch.run_id, batch.task_id, batch.slice_id, batch.plan_id, batch.provenance_code,
           batch.endpoint_name, batch.operation_code, batch.batch_no, batch.page_no, batch.before_token,
           batch.after_token, batch.status_code, batch.record_count, batch.error, batch.error_level,
           coalesce(batch.request_digest, '') AS request_digest, coalesce(batch.response_digest, '') AS response_digest, batch.stats,
           batch.created_at, batch.committed_at, page.body_size, batch.page_size, batch.time_from, batch.time_to
    FROM ing_task_run_batch AS batch LEFT JOIN ing_raw_page AS page ON page.batch_id = batch.id
    WHERE batch.id = :id LIMIT 1)sql";

constexpr std::string_view kOfRun = R"sql(
    SELECT id FROM ing_task_run_batch WHERE run_id = :run_id AND batch_no < :below_no
    ORDER BY batch_no DESC LIMIT :rows_max)sql";

constexpr std::string_view kOfRunByStatus = R"sql(
    SELECT id FROM (SELECT id, status_code FROM ing_task_run_batch
                    WHERE run_id = :run_id AND batch_no < :below_no
                    ORDER BY batch_no DESC LIMIT :looked_at) AS newest
    WHERE status_code = :status LIMIT :rows_max)sql";

constexpr std::string_view kAnswers = R"sql(
    SELECT status_code, coalesce(json_extract(stats, '$.http.status'), 0) AS http_status
    FROM ing_task_run_batch WHERE run_id = :run_id ORDER BY batch_no DESC LIMIT :looked_at)sql";

constexpr std::string_view kFailed = R"sql(
    SELECT id, created_at FROM ing_task_run_batch
    WHERE status_code = 'FAILED' AND provenance_code = :source AND endpoint_name = :endpoint
      AND (:operation = '' OR operation_code = :operation)
      AND created_at <= :up_to AND (created_at < :up_to OR id < :below_id)
    ORDER BY created_at DESC, id DESC LIMIT :rows_max)sql";

bool HasLineage(const contract::LedgerFilter& filter) {
  return filter.plan != 0 || filter.slice != 0 || filter.task != 0 || filter.run != 0;
}

Result<std::vector<Id>> Failed(Session& session, const contract::LedgerFilter& filter) {
  NewestByTime newest(filter.rows_max);
  for (const auto& [source, endpoint] :
       PATRA_TRY(KnownEndpoints(session, filter.source, filter.endpoint))) {
    PATRA_TRY(newest.Add(session.Query(kFailed, {{"source", source},
                                                 {"endpoint", endpoint},
                                                 {"operation", filter.operation},
                                                 {"up_to", UpTo(filter)},
                                                 {"below_id", BelowId(filter)},
                                                 {"rows_max", filter.rows_max}})));
  }
  return newest.Take();
}

Result<std::vector<Id>> RunsOf(Session& session, const contract::LedgerFilter& filter) {
  if (filter.run != 0) return std::vector{filter.run};
  auto runs = filter;
  runs.status.clear();
  runs.rows_max = kRunsMax;
  if (filter.after) runs.after = contract::LedgerPlace{.id = filter.after->run + 1};
  return run_view::Ids(session, runs);
}

}  // namespace

Result<std::vector<Id>> Ids(Session& session, const contract::LedgerFilter& filter) {
  PATRA_TRY(AskedStates<domain::BatchStatus>(filter.status));
  PATRA_TRY(AskedOperations(filter.operation));
  if (filter.status == Code(domain::BatchStatus::kFailed) && !HasLineage(filter))
    return Failed(session, filter);

  std::vector<Id> ids;
  const auto rows_max = static_cast<std::size_t>(filter.rows_max);
  for (const auto run : PATRA_TRY(RunsOf(session, filter))) {
    if (ids.size() >= rows_max) break;
    const auto below = filter.after && filter.after->run == run
                           ? filter.after->number
                           : std::numeric_limits<std::int64_t>::max();
    const auto rest = static_cast<std::int64_t>(rows_max - ids.size());
    auto rows = filter.status.empty()
                    ? PATRA_TRY(session.Query(
                          kOfRun, {{"run_id", run}, {"below_no", below}, {"rows_max", rest}}))
                    : PATRA_TRY(session.Query(kOfRunByStatus, {{"run_id", run},
                                                               {"below_no", below},
                                                               {"looked_at", kBatchesLookedAt},
                                                               {"status", filter.status},
                                                               {"rows_max", rest}}));
    while (PATRA_TRY(rows.Next())) ids.push_back(rows.Integer(kOnly));
  }
  return ids;
}

Result<std::optional<contract::BatchRow>> Read(Session& session, Id id) {
  auto rows = PATRA_TRY(session.Query(kRead, {{"id", id}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return contract::BatchRow{.id = rows.Integer("id"),
                            .run = rows.Integer("run_id"),
                            .task = rows.Integer("task_id"),
                            .slice = rows.Integer("slice_id"),
                            .plan = rows.Integer("plan_id"),
                            .scope = ScopeOf(rows),
                            .number = rows.Integer("batch_no"),
                            .page = rows.OptionalInteger("page_no"),
                            .before_token = rows.OptionalText("before_token"),
                            .after = rows.OptionalText("after_token"),
                            .status = rows.Text("status_code"),
                            .records = rows.Integer("record_count"),
                            .error = rows.OptionalText("error"),
                            .error_level = rows.OptionalText("error_level"),
                            .request_digest = rows.Text("request_digest"),
                            .response_digest = rows.Text("response_digest"),
                            .stats = rows.Text("stats"),
                            .created_at = rows.Time("created_at"),
                            .committed_at = rows.OptionalTime("committed_at"),
                            .raw_bytes = rows.OptionalInteger("body_size"),
                            .page_size = rows.OptionalInteger("page_size"),
                            .time_from = rows.OptionalTime("time_from"),
                            .time_to = rows.OptionalTime("time_to")};
}

Result<std::vector<contract::AnswerCount>> AnswersOf(Session& session, Id run) {
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> counts;
  auto rows =
      PATRA_TRY(session.Query(kAnswers, {{"run_id", run}, {"looked_at", kAnswersLookedAt}}));
  while (PATRA_TRY(rows.Next())) ++counts[{rows.Text("status_code"), rows.Integer("http_status")}];
  std::vector<contract::AnswerCount> answers;
  for (const auto& [kind, batches] : counts) {
    const auto& [status, http_status] = kind;
    answers.push_back({.status = status,
                       .http_status = http_status > 0 ? std::optional(http_status) : std::nullopt,
                       .batches = batches});
  }
  std::ranges::stable_sort(answers, std::greater(), &contract::AnswerCount::batches);
  return answers;
}

}  // namespace patra::infra::sql::batch_view
