// Waiting and running tasks come from the indexes that hold nothing else, what was done from the rollup and the newest runs, and
// failures from theirs: none of these grows with the ledger.
#include "infra/sql/dashboard_queries.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "contract/status.h"
#include "domain/word/lane.h"
#include "infra/sql/asked_codes.h"
#include "infra/sql/known_sources.h"
#include "infra/sql/rollup_table.h"

namespace patra::infra::sql {
namespace {

using contract::ErrorRow;
using contract::QueueRow;

constexpr std::int64_t kParkedSeenMax = 10'000;
constexpr std::int64_t kRunsSeenMax = 100'000;
constexpr std::int64_t kFailuresSeenMax = 20'000;  // of each endpoint
constexpr std::size_t kErrorBytesCompared = 300;

constexpr std::string_view kReadyIn = R"sql(
    SELECT count(*) FROM (SELECT 1 FROM ing_task
                          WHERE status_code = 'QUEUED' AND ready = 1 AND lane_key = :lane_key
                          LIMIT :counted_at_most) AS counted)sql";

constexpr std::string_view kRunningIn = R"sql(
    SELECT status_code FROM ing_task INDEXED BY idx_task_running
    WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND lane_key = :lane_key
    LIMIT :counted_at_most)sql";

constexpr std::string_view kParkedNow = R"sql(
    SELECT provenance_code, endpoint_name, operation_code FROM ing_task INDEXED BY idx_task_parked
    WHERE status_code = 'QUEUED' AND ready = 0
    ORDER BY scheduled_at LIMIT :rows_max)sql";

// A replay was claimed by nobody.
constexpr std::string_view kRunsSince = R"sql(
    SELECT provenance_code, endpoint_name, operation_code, status_code FROM ing_task_run
    WHERE created_at >= :from AND created_at < :to AND is_replay = 0
    ORDER BY created_at DESC LIMIT :rows_max)sql";

constexpr std::string_view kRollupIn = R"sql(
    SELECT provenance_code, endpoint_name, operation_code, status_code, batches, records, requests, retries,
           throttled, latency_ms, wait_ms, backoff_ms, retry_after, slowed, circuit_opened, soft_quota, hard_quota,
           failed_l1, failed_l2, failed_l3, failed_l4
    FROM ing_batch_rollup
    WHERE minute >= :read_from AND minute < :to AND minute + span_minutes * 60000000 > :from LIMIT 1000000)sql";

constexpr std::string_view kFailedIn = R"sql(
    SELECT id, operation_code, coalesce(error_level, '') AS error_level, coalesce(error, '') AS error, created_at
    FROM ing_task_run_batch
    WHERE status_code = 'FAILED' AND provenance_code = :source AND endpoint_name = :endpoint
      AND created_at >= :from AND created_at < :to
      AND (:operation = '' OR operation_code = :operation) AND (:level = '' OR error_level = :level)
    ORDER BY created_at DESC LIMIT :rows_max)sql";

using ScopeKey = std::tuple<std::string, std::string, std::string>;

// The rows of a snapshot while they are filled.
class QueueRows {
 public:
  QueueRow& Add(const contract::Scope& scope) {
    auto& row = rows_[{scope.source, scope.endpoint, scope.operation}];
    row.scope = scope;
    return row;
  }
  // Null where the filter leaves it out.
  QueueRow* Find(const Rows& rows) {
    const auto found = rows_.find(
        {rows.Text("provenance_code"), rows.Text("endpoint_name"), rows.Text("operation_code")});
    return found == rows_.end() ? nullptr : &found->second;
  }
  std::vector<QueueRow> Take() {
    std::vector<QueueRow> taken;
    for (auto& [key, row] : rows_) {
      if (!row.is_empty()) taken.push_back(std::move(row));
    }
    return taken;
  }

 private:
  std::map<ScopeKey, QueueRow> rows_;
};

Result<void> CountQueued(Session& session, QueueRow& row) {
  const auto& scope = row.scope;
  const auto key = domain::Lane{scope.source, scope.endpoint,
                                PATRA_TRY(domain::OperationFromCode(scope.operation))}
                       .Key();
  row.ready = PATRA_TRY(session.Integer(
      kReadyIn, {{"lane_key", key}, {"counted_at_most", contract::kCountedAtMost}}));
  auto rows = PATRA_TRY(session.Query(
      kRunningIn, {{"lane_key", key}, {"counted_at_most", contract::kCountedAtMost}}));
  while (PATRA_TRY(rows.Next()))
    ++(rows.View("status_code") == "EXECUTING" ? row.executing : row.dispatched);
  return {};
}

Result<bool> CountParked(Session& session, QueueRows& queue) {
  std::int64_t seen = 0;
  auto rows = PATRA_TRY(session.Query(kParkedNow, {{"rows_max", kParkedSeenMax}}));
  while (PATRA_TRY(rows.Next())) {
    ++seen;
    if (auto* row = queue.Find(rows)) ++row->parked;
  }
  return seen == kParkedSeenMax;
}

Result<void> CountRuns(Session& session, const contract::Stretch& window, QueueRows& queue) {
  auto rows = PATRA_TRY(session.Query(
      kRunsSince, {{"from", window.from}, {"to", window.to}, {"rows_max", kRunsSeenMax}}));
  while (PATRA_TRY(rows.Next())) {
    auto* row = queue.Find(rows);
    if (row == nullptr) continue;
    const auto status = rows.View("status_code");
    ++row->claims;
    if (status == "SUCCEEDED") ++row->runs_succeeded;
    if (status == "FAILED") ++row->runs_failed;
    if (status == "PARTIAL") ++row->runs_partial;
  }
  return {};
}

Result<void> AddRollup(Session& session, const contract::Stretch& window, QueueRows& queue) {
  auto rows =
      PATRA_TRY(session.Query(kRollupIn, {{"read_from", rollup_table::ReadFrom(window.from)},
                                          {"from", window.from},
                                          {"to", window.to}}));
  while (PATRA_TRY(rows.Next())) {
    auto* row = queue.Find(rows);
    if (row == nullptr) continue;
    const auto status = rows.View("status_code");
    const auto batches = rows.Integer("batches");
    if (status == "FAILED") row->batches_failed += batches;
    if (status == "SKIPPED") row->batches_skipped += batches;
    if (status == "SUCCEEDED") {
      row->batches_succeeded += batches;
      row->latency_ms += rows.Integer("latency_ms");
    }
    row->records += rows.Integer("records");
    row->requests += rows.Integer("requests");
    row->retries += rows.Integer("retries");
    row->throttled += rows.Integer("throttled");
    row->wait_ms += rows.Integer("wait_ms");
    row->backoff_ms += rows.Integer("backoff_ms");
    row->retry_after += rows.Integer("retry_after");
    row->slowed += rows.Integer("slowed");
    row->circuit_opened += rows.Integer("circuit_opened");
    row->soft_quota += rows.Integer("soft_quota");
    row->hard_quota += rows.Integer("hard_quota");
    row->failed[0] += rows.Integer("failed_l1");
    row->failed[1] += rows.Integer("failed_l2");
    row->failed[2] += rows.Integer("failed_l3");
    row->failed[3] += rows.Integer("failed_l4");
  }
  return {};
}

// Numbers, ids and times in it are those of one batch.
std::string Likeness(std::string_view error) {
  std::string likeness;
  for (const char c : error.substr(0, kErrorBytesCompared)) {
    if (c < '0' || c > '9') {
      likeness += c;
    } else if (!likeness.ends_with('#')) {
      likeness += '#';
    }
  }
  return likeness;
}

}  // namespace

Result<contract::QueueSnapshot> DashboardQueries::Queue(const contract::DashboardFilter& filter,
                                                        const contract::Stretch& window) {
  return database_.Read([&](Session& session) -> Result<contract::QueueSnapshot> {
    const auto operations = PATRA_TRY(AskedOperations(filter.operation));
    QueueRows queue;
    for (const auto& [source, endpoint] :
         PATRA_TRY(KnownEndpoints(session, filter.source, filter.endpoint))) {
      for (const auto operation : operations) {
        auto& row = queue.Add({source, endpoint, std::string(operation)});
        PATRA_TRY(CountQueued(session, row));
      }
    }
    contract::QueueSnapshot snapshot{.window = window, .rows = {}};
    snapshot.parked_is_cut = PATRA_TRY(CountParked(session, queue));
    PATRA_TRY(CountRuns(session, window, queue));
    PATRA_TRY(AddRollup(session, window, queue));
    snapshot.rows = queue.Take();
    return snapshot;
  });
}

Result<contract::ErrorTop> DashboardQueries::TopErrors(const contract::ErrorQuestion& question) {
  return database_.Read([&](Session& session) -> Result<contract::ErrorTop> {
    const auto& filter = question.filter;
    PATRA_TRY(AskedOperations(filter.operation));
    contract::ErrorTop top;
    for (const auto& [source, endpoint] :
         PATRA_TRY(KnownEndpoints(session, filter.source, filter.endpoint))) {
      std::map<ScopeKey, ErrorRow> kinds;
      std::int64_t seen = 0;
      auto rows = PATRA_TRY(session.Query(kFailedIn, {{"source", source},
                                                      {"endpoint", endpoint},
                                                      {"from", question.within.from},
                                                      {"to", question.within.to},
                                                      {"operation", filter.operation},
                                                      {"level", question.level},
                                                      {"rows_max", kFailuresSeenMax}}));
      while (PATRA_TRY(rows.Next())) {
        ++seen;
        const auto at = rows.Time("created_at");
        const auto operation = rows.Text("operation_code");
        const auto level = rows.Text("error_level");
        auto [kind, is_new] = kinds.try_emplace({operation, level, Likeness(rows.View("error"))});
        auto& row = kind->second;
        if (is_new) {
          row = {.scope = {source, endpoint, operation},
                 .level = level,
                 .error = rows.Text("error"),
                 .newest = rows.Integer("id"),
                 .first_at = at,
                 .last_at = at};
        }
        ++row.batches;
        row.first_at = std::min(row.first_at, at);
      }
      top.is_cut = top.is_cut || seen == kFailuresSeenMax;
      for (auto& [key, row] : kinds) top.rows.push_back(std::move(row));
    }
    std::ranges::stable_sort(top.rows, std::greater{}, [](const ErrorRow& row) {
      return std::pair(row.batches, row.last_at);
    });
    if (std::ssize(top.rows) > question.kinds_max)
      top.rows.resize(static_cast<std::size_t>(question.kinds_max));
    return top;
  });
}

}  // namespace patra::infra::sql
