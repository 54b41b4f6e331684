// Reads several tables for one purpose: these statements belong to no table alone. Rows are added up here and
// not in SQL, because they come in the order of time and lanes are few.
#include "infra/sql/health_reader.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "domain/plan/slice_spec.h"
#include "domain/walk/page_size.h"
#include "domain/word/hold.h"
#include "infra/sql/adjustment_table.h"
#include "infra/sql/queue_day_table.h"

namespace patra::infra::sql {
namespace {

using domain::Observations;

constexpr std::string_view kBatches = R"sql(
    SELECT provenance_code, endpoint_name, operation_code,
        CASE WHEN status_code IN ('SUCCEEDED', 'SKIPPED') THEN batches ELSE 0 END AS batches,
        records, quarantined, latency_ms, requests, throttled, store_wait_us, last_at
    FROM ing_batch_rollup WHERE minute >= :since ORDER BY minute LIMIT 20000)sql";

constexpr std::string_view kRecordsSince = R"sql(
    SELECT coalesce(sum(records), 0) AS records, coalesce(sum(quarantined), 0) AS quarantined FROM ing_batch_rollup
    WHERE minute > :since AND provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code AND status_code = 'SUCCEEDED')sql";

constexpr std::string_view kFailures = R"sql(
    SELECT provenance_code, endpoint_name, operation_code, error_level, error, slice_id, plan_id, committed_at,
        wrong_parameter,
        (EXISTS (SELECT 1 FROM ing_plan_slice AS slice
                 WHERE slice.id = ing_task_run_batch.slice_id AND slice.status_code = 'SUCCEEDED')
         OR EXISTS (SELECT 1 FROM ing_plan AS plan
                    WHERE plan.id = ing_task_run_batch.plan_id AND plan.status_code = 'CANCELLED')) AS is_overcome
    FROM ing_task_run_batch INDEXED BY idx_batch_failed_time
    WHERE status_code = 'FAILED' AND committed_at >= :since AND error_level <> '' ORDER BY committed_at LIMIT 20000)sql";

constexpr std::string_view kResets = R"sql(
    SELECT provenance_code, endpoint_name, reset_at FROM ing_fuse INDEXED BY idx_fuse_time
    WHERE blown_at >= :since AND status_code = 'RESET' ORDER BY blown_at LIMIT 1000)sql";

constexpr std::string_view kSlicesOfPlan =
    "SELECT count(*) FROM ing_plan_slice INDEXED BY idx_slice_status WHERE plan_id = :plan_id";

// A slice fails for good over what all of its runs met, however far apart they were.
constexpr std::string_view kWrongOfSlice = R"sql(
    SELECT count(*) FROM ing_task AS task
    JOIN ing_task_run AS run ON run.task_id = task.id
    JOIN ing_task_run_batch AS batch ON batch.run_id = run.id
    WHERE task.slice_id = :slice_id AND batch.status_code = 'FAILED' AND batch.error_level = 'L2')sql";

constexpr std::string_view kWithoutProgress = R"sql(
    SELECT provenance_code, endpoint_name, operation_code, id, progress_at
    FROM ing_task INDEXED BY idx_task_progress
    WHERE status_code = 'EXECUTING' AND progress_at < :before ORDER BY progress_at LIMIT 1000)sql";

// What is under way, with how far its run has come.
constexpr std::string_view kUnderWay = R"sql(
    SELECT task.provenance_code, task.endpoint_name, task.operation_code, task.plan_id, task.slice_id,
        slice.slice_spec, slice.announced,
        (SELECT max(batch.batch_no) FROM ing_task_run_batch AS batch
         WHERE batch.run_id = (SELECT run.id FROM ing_task_run AS run
                               WHERE run.task_id = task.id ORDER BY run.attempt_no DESC LIMIT 1)) AS last_batch_no
    FROM ing_task AS task INDEXED BY idx_task_running
    JOIN ing_plan_slice AS slice ON slice.id = task.slice_id
    WHERE task.status_code IN ('DISPATCHED', 'EXECUTING') LIMIT 1000)sql";

constexpr std::string_view kNewestPlan = R"sql(
    SELECT id, expr_proto_snapshot FROM ing_plan INDEXED BY idx_plan_newest
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code
    ORDER BY created_at DESC LIMIT 1)sql";

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
    WHERE lane_key = :lane AND status_code = 'QUEUED' AND ready = 1)sql";

// The first bad record since when there was no pause of that length between two of them.
constexpr std::string_view kBadRecords = R"sql(
    SELECT created_at FROM ing_quarantine INDEXED BY idx_quarantine_open
    WHERE provenance_code = :provenance_code AND endpoint_name = :endpoint_name AND status_code = 'OPEN'
    ORDER BY created_at DESC LIMIT 10000)sql";

// Tasks that were under way when a fuse blew may still fail over the same a while later.
constexpr auto kFuseAgeMax = std::chrono::hours(24);

// Of as many days tells what is usual in a queue.
constexpr auto kUsualDays = std::chrono::days(7);

std::string QueueKey(const domain::Lane& lane) {
  return lane.provenance + "/" + lane.endpoint + "/" + std::string(Code(lane.operation));
}

Instant DayOf(Instant now) { return std::chrono::floor<std::chrono::days>(now); }

class Survey {
 public:
  Survey(Session& session, const domain::HealPolicy& policy, Instant now)
      : session_(session), policy_(policy), now_(now), since_(now - policy.watch) {}

  Result<std::vector<app::LaneHealth>> Run() {
    PATRA_TRY(ReadBatches());
    PATRA_TRY(ReadResets());
    PATRA_TRY(ReadFailures());
    PATRA_TRY(ReadUnderWay());
    PATRA_TRY(ReadStuck());
    PATRA_TRY(ReadUnconsumed());
    std::vector<app::LaneHealth> all;
    for (auto& [key, seen] : lanes_) {
      PATRA_TRY(CountWrong(seen, wrong_[key]));
      PATRA_TRY(ReadBadRecords(seen));
      PATRA_TRY(ReadCursor(seen));
      PATRA_TRY(ReadQueue(seen));
      auto& lane = all.emplace_back(app::LaneHealth{.seen = std::move(seen)});
      PATRA_TRY(ReadNewestPlan(lane));
      if (lane.spec) PATRA_TRY(Compare(lane.seen, *lane.spec));
    }
    return all;
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  using WrongOfPlans = std::map<Id, std::map<Id, std::int64_t>>;  // L2 by plan and slice

  // The lane of a row.
  Result<Observations*> At(const Rows& rows) {
    const Key key{rows.Text("provenance_code"), rows.Text("endpoint_name"),
                  rows.Text("operation_code")};
    const auto found = lanes_.find(key);
    if (found != lanes_.end()) return &found->second;
    const auto operation = PATRA_TRY(domain::OperationFromCode(std::get<2>(key)));
    auto& seen = lanes_[key];
    seen.lane = {std::get<0>(key), std::get<1>(key), operation};
    seen.now = now_;
    return &seen;
  }

  Result<void> ReadBatches() {
    auto rows = PATRA_TRY(session_.Query(kBatches, {{"since", since_}}));
    while (PATRA_TRY(rows.Next())) {
      auto& seen = *PATRA_TRY(At(rows));
      seen.batches += rows.Integer("batches");
      seen.records += rows.Integer("records");
      seen.quarantined += rows.Integer("quarantined");
      seen.latency += std::chrono::milliseconds(rows.Integer("latency_ms"));
      seen.requests += rows.Integer("requests");
      seen.throttled += rows.Integer("throttled");
      seen.store_wait += Duration(rows.Integer("store_wait_us"));
      if (const auto last = rows.OptionalTime("last_at")) {
        auto& succeeded = succeeded_at_[&seen];
        succeeded = std::max(succeeded.value_or(*last), *last);
      }
    }
    for (auto& [key, seen] : lanes_) {
      if (seen.batches == 0) continue;
      seen.latency /= seen.batches;
      seen.store_wait /= seen.batches;
    }
    return {};
  }

  Result<void> ReadStuck() {
    auto rows =
        PATRA_TRY(session_.Query(kWithoutProgress, {{"before", now_ - policy_.no_progress_max}}));
    while (PATRA_TRY(rows.Next())) {
      auto& seen = *PATRA_TRY(At(rows));
      seen.running.push_back(
          {.task = rows.Integer("id"), .no_progress_for = now_ - rows.Time("progress_at")});
    }
    return {};
  }

  Result<void> ReadUnconsumed() {
    auto rows = PATRA_TRY(session_.Query(kUnconsumed, {{"before", now_ - policy_.unconsumed_max}}));
    while (PATRA_TRY(rows.Next())) {
      auto& seen = *PATRA_TRY(At(rows));
      seen.plans.push_back(
          {.plan = rows.Integer("id"), .unconsumed_for = now_ - rows.Time("updated_at")});
    }
    return {};
  }

  Result<void> ReadResets() {
    auto rows = PATRA_TRY(session_.Query(kResets, {{"since", since_ - kFuseAgeMax}}));
    while (PATRA_TRY(rows.Next()))
      resets_[{rows.Text("provenance_code"), rows.Text("endpoint_name")}] = rows.Time("reset_at");
    return {};
  }

  // A person has reset the fuse since: what blew it then does not blow it again.
  bool IsSettled(const domain::Lane& lane, Instant failed_at) const {
    return std::ranges::any_of(
        std::array<std::string_view, 2>{lane.endpoint, domain::kEveryEndpoint},
        [&](std::string_view endpoint) {
          const auto found = resets_.find({lane.provenance, std::string(endpoint)});
          return found != resets_.end() && failed_at <= found->second;
        });
  }

  Result<void> ReadFailures() {
    std::map<const Observations*, std::string> last_errors;
    auto rows = PATRA_TRY(session_.Query(kFailures, {{"since", since_}}));
    while (PATRA_TRY(rows.Next())) {
      auto& seen = *PATRA_TRY(At(rows));
      const auto level = rows.View("error_level");
      const auto error = rows.Text("error");
      // The slice has succeeded since, or was withdrawn with its plan: the requests are not wrong any more.
      if (level == "L2" && rows.Integer("is_overcome") != 0) continue;
      const auto succeeded_at = succeeded_at_[&seen];
      const bool is_in_a_row = !succeeded_at || rows.Time("committed_at") > *succeeded_at;
      ++seen.batches;
      auto& last_error = last_errors[&seen];
      if (level == "L1") {
        ++seen.l1;
        const bool is_same = is_in_a_row && error == last_error;
        seen.same_l1_in_a_row = is_same ? seen.same_l1_in_a_row + 1 : is_in_a_row ? 1 : 0;
        seen.failures_in_a_row += is_in_a_row ? 1 : 0;
      } else if (level == "L2") {
        ++seen.l2;
        ++wrong_[{rows.Text("provenance_code"), rows.Text("endpoint_name"),
                  rows.Text("operation_code")}][rows.Integer("plan_id")][rows.Integer("slice_id")];
        if (!rows.IsNull("wrong_parameter")) seen.wrong_parameter = rows.Text("wrong_parameter");
      } else if (level == "L4" && !IsSettled(seen.lane, rows.Time("committed_at"))) {
        ++seen.l4;
      }
      if (seen.first_error.empty()) seen.first_error = error;
      last_error = error;
    }
    return {};
  }

  Result<void> ReadUnderWay() {
    auto rows = PATRA_TRY(session_.Query(kUnderWay));
    while (PATRA_TRY(rows.Next())) {
      auto& seen = *PATRA_TRY(At(rows));
      ++seen.executing;
      const Id plan = rows.Integer("plan_id");
      const bool is_known = std::ranges::any_of(
          seen.plans, [&](const Observations::OfPlan& other) { return other.plan == plan; });
      if (!is_known) seen.plans.push_back({.plan = plan});
      const bool is_announced = !rows.IsNull("announced");
      const auto slice =
          PATRA_TRY(domain::SliceSpec::FromValue(PATRA_TRY(ParseJson(rows.View("slice_spec")))));
      if (is_announced || !slice.expected_records || !slice.expected_requests) continue;
      const auto pages = rows.OptionalInteger("last_batch_no").value_or(0);
      const bool is_far =
          pages >= policy_.recut.requests_min &&
          static_cast<double>(pages) >
              policy_.recut.pages_over_expected * static_cast<double>(*slice.expected_requests);
      if (is_far)
        seen.slices.push_back({.slice = rows.Integer("slice_id"), .is_far_from_estimate = true});
    }
    return {};
  }

  Result<void> ReadQueue(Observations& seen) {
    const auto key = QueueKey(seen.lane);
    seen.queued = PATRA_TRY(session_.Integer(kQueued, {{"lane", key}}));
    const auto today = DayOf(now_);
    const auto usual =
        PATRA_TRY(queue_day_table::Between(session_, key, today - kUsualDays, today));
    if (!usual) return {};
    seen.queued_mean = usual->mean;
    seen.queued_deviation = usual->deviation;
    return {};
  }

  // A snapshot of another version, or of a test, says nothing.
  Result<void> ReadNewestPlan(app::LaneHealth& health) {
    const auto& lane = health.seen.lane;
    auto rows = PATRA_TRY(session_.Query(kNewestPlan, {{"provenance_code", lane.provenance},
                                                       {"endpoint_name", lane.endpoint},
                                                       {"operation_code", Code(lane.operation)}}));
    if (!PATRA_TRY(rows.Next())) return {};
    health.newest_plan = rows.Integer("id");
    const auto value = ParseJson(rows.View("expr_proto_snapshot"));
    auto spec = value ? domain::SpecSnapshot::FromValue(*value) : std::unexpected(value.error());
    if (spec) health.spec = *std::move(spec);
    return {};
  }

  // The definition, and what is changed about it at present.
  Result<void> Compare(Observations& seen, const domain::SpecSnapshot& spec) {
    const auto adjusted = [&](app::AdjustmentKind kind) -> Result<std::optional<app::Adjustment>> {
      return adjustment_table::Find(session_, seen.lane.provenance, seen.lane.endpoint, kind, now_);
    };
    const auto size = PATRA_TRY(adjusted(app::AdjustmentKind::kPageSize));
    seen.page_size = size ? std::min(size->value, spec.paging.size) : spec.paging.size;
    seen.can_shrink_page = domain::CanChoosePageSize(spec) && seen.page_size > 1;
    const auto lag = PATRA_TRY(adjusted(app::AdjustmentKind::kSafetyLag));
    seen.safety_lag =
        lag ? std::max(Duration(lag->value), spec.window.safety_lag) : spec.window.safety_lag;
    seen.safety_lag_max = spec.window.safety_lag_max;
    const auto hold = PATRA_TRY(adjusted(app::AdjustmentKind::kCursorHold));
    seen.is_cursor_held = hold && hold->made_by == app::kHealActor;
    if (!seen.is_cursor_held) return {};
    return CountSince(seen, std::max(hold->made_at, now_ - kUsualDays));
  }

  // What came since the cursor is held tells whether it may go on. Of a source that brings little, no five minutes
  // would ever hold enough to tell.
  Result<void> CountSince(Observations& seen, Instant since) {
    const auto& [provenance, endpoint, operation] = seen.lane;
    auto rows = PATRA_TRY(session_.Query(kRecordsSince, {{"since", since},
                                                         {"provenance_code", provenance},
                                                         {"endpoint_name", endpoint},
                                                         {"operation_code", Code(operation)}}));
    if (!PATRA_TRY(rows.Next())) return {};
    seen.records = rows.Integer("records");
    seen.quarantined = rows.Integer("quarantined");
    return {};
  }

  Result<void> CountWrong(Observations& seen, const WrongOfPlans& wrong) {
    for (const auto& [plan, slices] : wrong) {
      std::erase_if(seen.plans,
                    [&](const auto& other) { return other.plan == plan && !other.unconsumed_for; });
      seen.plans.push_back(
          {.plan = plan,
           .slices = PATRA_TRY(session_.Integer(kSlicesOfPlan, {{"plan_id", plan}})),
           .l2_slices = static_cast<std::int64_t>(slices.size())});
      for (const auto& [slice, count] : slices) {
        const auto all = PATRA_TRY(session_.Integer(kWrongOfSlice, {{"slice_id", slice}}));
        seen.slices.push_back({.slice = slice, .l2 = std::max(count, all)});
      }
    }
    return {};
  }

  Result<void> ReadBadRecords(Observations& seen) {
    const bool is_polluted = static_cast<double>(seen.quarantined) >
                             policy_.polluted_part_over * static_cast<double>(seen.records);
    if (seen.quarantined == 0 || !is_polluted) return {};
    auto rows = PATRA_TRY(session_.Query(kBadRecords, {{"provenance_code", seen.lane.provenance},
                                                       {"endpoint_name", seen.lane.endpoint}}));
    auto oldest = now_;
    while (PATRA_TRY(rows.Next()) && oldest - rows.Time("created_at") <= policy_.watch)
      oldest = rows.Time("created_at");
    seen.polluted_since = oldest;
    return {};
  }

  // The one that is furthest behind.
  Result<void> ReadCursor(Observations& seen) {
    if (seen.lane.operation != domain::Operation::kHarvest) return {};
    auto rows = PATRA_TRY(session_.Query(kCursor, {{"provenance_code", seen.lane.provenance},
                                                   {"endpoint_name", seen.lane.endpoint}}));
    while (PATRA_TRY(rows.Next())) {
      if (rows.IsNull("normalized_instant")) continue;
      const Duration lag = now_ - rows.Time("normalized_instant");
      if (seen.cursor_lag && lag <= *seen.cursor_lag) continue;
      seen.cursor_lag = lag;
      // Where nothing is tried, nothing stands still.
      if (seen.batches > 0) seen.cursor_still_for = now_ - rows.Time("updated_at");
    }
    return {};
  }

  Session& session_;
  const domain::HealPolicy& policy_;
  const Instant now_;
  const Instant since_;
  std::map<Key, Observations> lanes_;
  std::map<std::pair<std::string, std::string>, Instant> resets_;  // of fuses, the last
  std::map<Key, WrongOfPlans> wrong_;
  std::map<const Observations*, std::optional<Instant>> succeeded_at_;  // the last of its batches
};

}  // namespace

Result<std::vector<app::LaneHealth>> HealthReader::Observe(const domain::HealPolicy& policy) {
  return database_.Read(
      [&](Session& session) { return Survey(session, policy, clock_.Now()).Run(); });
}

Result<void> HealthReader::NoteQueues(const std::vector<app::LaneHealth>& lanes) {
  if (lanes.empty()) return {};
  return database_.Write([&](Session& session) -> Result<void> {
    const auto today = DayOf(clock_.Now());
    for (const auto& lane : lanes) {
      const auto& seen = lane.seen;
      const auto key = QueueKey(seen.lane);
      PATRA_TRY(queue_day_table::Add(session, key, today, seen.queued));
      PATRA_TRY(queue_day_table::ForgetBefore(session, key, today - kUsualDays));
    }
    return {};
  });
}

}  // namespace patra::infra::sql
