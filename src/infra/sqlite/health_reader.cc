// Reads several tables for one purpose: these statements belong to no table alone. Rows are added up here and
// not in SQL, because they come in the order of time and partitions are few.
#include "infra/sqlite/health_reader.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace patra::infra::sqlite {
namespace {

using domain::Observations;

constexpr std::string_view kBatches = R"sql(
    SELECT provenance_code, endpoint_name, operation_code, batches, records, quarantined, latency_ms, retries,
        throttled
    FROM ing_batch_rollup WHERE minute >= :since ORDER BY minute LIMIT 20000)sql";

constexpr std::string_view kFailures = R"sql(
    SELECT provenance_code, endpoint_name, operation_code, error_level, error, slice_id, plan_id
    FROM ing_task_run_batch INDEXED BY idx_batch_failed_time
    WHERE status_code = 'FAILED' AND committed_at >= :since ORDER BY committed_at LIMIT 20000)sql";

constexpr std::string_view kSlicesOfPlan =
    "SELECT count(*) FROM ing_plan_slice INDEXED BY idx_slice_status WHERE plan_id = :plan_id";

constexpr std::string_view kWithoutProgress = R"sql(
    SELECT provenance_code, endpoint_name, operation_code, id, last_heartbeat_at
    FROM ing_task INDEXED BY idx_task_progress
    WHERE status_code = 'EXECUTING' AND last_heartbeat_at < :before ORDER BY last_heartbeat_at LIMIT 1000)sql";

constexpr std::string_view kUnconsumed = R"sql(
    SELECT provenance_code, endpoint_name, operation_code, id, updated_at FROM ing_plan
    WHERE status_code = 'READY' AND updated_at < :before
      AND NOT EXISTS (SELECT 1 FROM ing_task
                      WHERE ing_task.plan_id = ing_plan.id
                        AND ing_task.status_code IN ('DISPATCHED', 'EXECUTING', 'SUCCEEDED', 'PARTIAL', 'FAILED'))
    ORDER BY updated_at LIMIT 100)sql";

constexpr std::string_view kCursor = R"sql(
    SELECT normalized_instant, updated_at FROM ing_cursor
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name AND operation_code = 'HARVEST'
    ORDER BY cursor_key, namespace_scope_code, namespace_key LIMIT 100)sql";

constexpr std::string_view kQueued = R"sql(
    SELECT count(*) FROM ing_task INDEXED BY idx_task_queue
    WHERE partition_key = :partition AND status_code = 'QUEUED' AND ready = 1)sql";

// The first bad record since when there was no pause of that length between two of them.
constexpr std::string_view kBadRecords = R"sql(
    SELECT created_at FROM ing_quarantine INDEXED BY idx_quarantine_open
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name AND status_code = 'OPEN'
    ORDER BY created_at DESC LIMIT 10000)sql";

class Survey {
 public:
  Survey(Connection& connection, const domain::HealPolicy& policy, Instant now)
      : connection_(connection), policy_(policy), now_(now), since_(now - policy.watch) {}

  Result<std::vector<Observations>> Run() {
    PATRA_TRY(ReadBatches());
    PATRA_TRY(ReadFailures());
    PATRA_TRY(ReadStuck());
    PATRA_TRY(ReadUnconsumed());
    std::vector<Observations> all;
    for (auto& [key, seen] : partitions_) {
      PATRA_TRY(CountWrong(seen, wrong_[key]));
      PATRA_TRY(ReadBadRecords(seen));
      PATRA_TRY(ReadCursor(seen));
      seen.queued = PATRA_TRY(connection_.Integer(kQueued, QueueKey(seen.partition)));
      all.push_back(std::move(seen));
    }
    return all;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  using WrongOfPlans = std::map<Id, std::map<Id, std::int64_t>>;  // L2 by plan and slice

  static std::string QueueKey(const domain::Partition& partition) {
    return partition.provenance + "/" + partition.endpoint + "/" +
           std::string(Code(partition.operation));
  }

  // The partition of a row that begins with its three columns.
  Result<Observations*> At(const Rows& rows) {
    const Key key{rows.Text(0), rows.Text(1), rows.Text(2)};
    const auto found = partitions_.find(key);
    if (found != partitions_.end()) return &found->second;
    const auto operation = PATRA_TRY(domain::OperationFromCode(rows.View(2)));
    auto& seen = partitions_[key];
    seen.partition = {rows.Text(0), rows.Text(1), operation};
    seen.now = now_;
    return &seen;
  }

  Result<void> ReadBatches() {
    auto rows = PATRA_TRY(connection_.Query(kBatches, since_));
    while (PATRA_TRY(rows.Next())) {
      auto& seen = *PATRA_TRY(At(rows));
      seen.batches += rows.Integer(3);
      seen.records += rows.Integer(4);
      seen.quarantined += rows.Integer(5);
      seen.latency += std::chrono::milliseconds(rows.Integer(6));
      seen.requests += rows.Integer(3) + rows.Integer(7);
      seen.throttled += rows.Integer(8);
    }
    for (auto& [key, seen] : partitions_) {
      if (seen.batches > 0) seen.latency /= seen.batches;
    }
    return {};
  }

  Result<void> ReadStuck() {
    auto rows = PATRA_TRY(connection_.Query(kWithoutProgress, now_ - policy_.no_progress_max));
    while (PATRA_TRY(rows.Next())) {
      auto& seen = *PATRA_TRY(At(rows));
      seen.running.push_back({.task = rows.Integer(3), .no_progress_for = now_ - rows.Time(4)});
    }
    return {};
  }

  Result<void> ReadUnconsumed() {
    auto rows = PATRA_TRY(connection_.Query(kUnconsumed, now_ - policy_.unconsumed_max));
    while (PATRA_TRY(rows.Next())) {
      auto& seen = *PATRA_TRY(At(rows));
      seen.plans.push_back({.plan = rows.Integer(3), .unconsumed_for = now_ - rows.Time(4)});
    }
    return {};
  }

  Result<void> ReadFailures() {
    std::map<const Observations*, std::string> last_errors;
    auto rows = PATRA_TRY(connection_.Query(kFailures, since_));
    while (PATRA_TRY(rows.Next())) {
      auto& seen = *PATRA_TRY(At(rows));
      const auto level = rows.View(3);
      const auto error = rows.Text(4);
      ++seen.batches;
      ++seen.requests;
      auto& last_error = last_errors[&seen];
      if (level == "L1") {
        ++seen.l1;
        seen.same_l1_in_a_row = error == last_error ? seen.same_l1_in_a_row + 1 : 1;
      } else if (level == "L2") {
        ++seen.l2;
        ++wrong_[{rows.Text(0), rows.Text(1), rows.Text(2)}][rows.Integer(6)][rows.Integer(5)];
      } else if (level == "L4") {
        ++seen.l4;
      }
      if (seen.first_error.empty()) seen.first_error = error;
      last_error = error;
    }
    return {};
  }

  Result<void> CountWrong(Observations& seen, const WrongOfPlans& wrong) {
    for (const auto& [plan, slices] : wrong) {
      seen.plans.push_back({.plan = plan,
                            .slices = PATRA_TRY(connection_.Integer(kSlicesOfPlan, plan)),
                            .l2_slices = static_cast<std::int64_t>(slices.size())});
      for (const auto& [slice, count] : slices)
        seen.slices.push_back({.slice = slice, .l2 = count});
    }
    return {};
  }

  Result<void> ReadBadRecords(Observations& seen) {
    const bool is_polluted = static_cast<double>(seen.quarantined) >
                             policy_.polluted_part_over * static_cast<double>(seen.records);
    if (seen.quarantined == 0 || !is_polluted) return {};
    auto rows = PATRA_TRY(
        connection_.Query(kBadRecords, seen.partition.provenance, seen.partition.endpoint));
    auto oldest = now_;
    while (PATRA_TRY(rows.Next()) && oldest - rows.Time(0) <= policy_.watch) oldest = rows.Time(0);
    seen.polluted_since = oldest;
    return {};
  }

  // The one that is furthest behind.
  Result<void> ReadCursor(Observations& seen) {
    if (seen.partition.operation != domain::Operation::kHarvest) return {};
    auto rows =
        PATRA_TRY(connection_.Query(kCursor, seen.partition.provenance, seen.partition.endpoint));
    while (PATRA_TRY(rows.Next())) {
      if (rows.IsNull(0)) continue;
      const Duration lag = now_ - rows.Time(0);
      if (seen.cursor_lag && lag <= *seen.cursor_lag) continue;
      seen.cursor_lag = lag;
      // Where nothing is tried, nothing stands still.
      if (seen.batches > 0) seen.cursor_still_for = now_ - rows.Time(1);
    }
    return {};
  }

  Connection& connection_;
  const domain::HealPolicy& policy_;
  const Instant now_;
  const Instant since_;
  std::map<Key, Observations> partitions_;
  std::map<Key, WrongOfPlans> wrong_;
};

}  // namespace

Result<std::vector<Observations>> HealthReader::Observe(const domain::HealPolicy& policy) {
  return store_.Read(
      [&](Connection& connection) { return Survey(connection, policy, clock_.Now()).Run(); });
}

}  // namespace patra::infra::sqlite
