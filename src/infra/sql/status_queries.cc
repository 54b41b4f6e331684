// One screen about the whole store. Each number is read from the end of an index, from a partial index that
// holds only what is unfinished, or from the rollup; what could still be many is counted up to a bound.
#include "infra/sql/status_queries.h"

#include <algorithm>
#include <map>

#include "domain/word/lane.h"
#include "infra/sql/coverage_table.h"
#include "infra/sql/item_table.h"
#include "infra/sql/known_sources.h"
#include "infra/sql/ledger_views.h"
#include "infra/sql/query_table.h"
#include "infra/sql/rates_in_use.h"

namespace patra::infra::sql {
namespace {

using contract::EndpointStatus;
using contract::kCountedAtMost;

constexpr std::int64_t kParkedReadMax = 10'000;
constexpr Duration kAliveWithin = std::chrono::minutes(1);

constexpr std::string_view kWatermark = R"sql(
    SELECT max(normalized_instant) FROM ing_cursor
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = 'HARVEST')sql";

constexpr std::string_view kNewestHarvest = R"sql(
    SELECT query_hash FROM ing_plan INDEXED BY idx_plan_newest
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = 'HARVEST'
    ORDER BY created_at DESC LIMIT 1)sql";

constexpr std::string_view kObservedMax = R"sql(
    SELECT max(updated_at) FROM ing_item
    WHERE record_set_id = (SELECT id FROM ing_record_set
                           WHERE provenance_code = :source AND endpoint_name = :endpoint))sql";

constexpr std::string_view kCountRunning = R"sql(
    SELECT count(*) FROM ing_task INDEXED BY idx_task_running
    WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND lane_key = :lane_key)sql";

constexpr std::string_view kCountQueued = R"sql(
    SELECT count(*) FROM (SELECT 1 FROM ing_task
                          WHERE status_code = 'QUEUED' AND ready = 1 AND lane_key = :lane_key
                          LIMIT :counted_at_most) AS counted)sql";

// Left to itself, SQLite reads every slice of the endpoint.
// Those that still leave something open: not where smaller ones took over, where the stretch was proven since, or where
// nothing is missing but what the provider could not have yet.
constexpr std::string_view kCountSlices = R"sql(
    SELECT count(*)
    FROM (SELECT 1 FROM ing_plan_slice AS slice INDEXED BY idx_slice_prov_status
          WHERE slice.provenance_code = :source AND slice.status_code = :status
            AND slice.endpoint_name = :endpoint
            AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = slice.id)
            AND (slice.operation_code = 'UPDATE' OR slice.window_to IS NULL
                 OR min(slice.window_to, coalesce(slice.provable_to, slice.window_to)) > coalesce(
                     (SELECT covered.covered_to FROM ing_coverage AS covered
                      WHERE covered.provenance_code = slice.provenance_code
                        AND covered.endpoint_name = slice.endpoint_name
                        AND covered.query_hash = slice.query_hash
                        AND covered.covered_from <= slice.window_from
                      ORDER BY covered.covered_from DESC LIMIT 1), slice.window_from))
          LIMIT :counted_at_most) AS counted)sql";

constexpr std::string_view kCountQuarantine = R"sql(
    SELECT count(*) FROM (SELECT 1 FROM ing_quarantine
                          WHERE status_code = 'OPEN' AND provenance_code = :source
                            AND endpoint_name = :endpoint
                          LIMIT :counted_at_most) AS counted)sql";

constexpr std::string_view kFreshWithin = R"sql(
    SELECT fresh_within_millis FROM reg_prov_endpoint_def
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = :operation
      AND effective_from <= :now AND (effective_to IS NULL OR effective_to > :now)
      AND fresh_within_millis IS NOT NULL
    LIMIT 1)sql";

constexpr std::string_view kCountExecutors =
    "SELECT count(*) FROM ing_executor WHERE last_seen_at >= :since";

constexpr std::string_view kCountAlerts =
    "SELECT count(*) FROM ing_alert WHERE status_code = 'FIRING'";

constexpr std::string_view kNewestAlerts = R"sql(
    SELECT alert_key, message FROM ing_alert WHERE status_code = 'FIRING'
    ORDER BY last_seen_at DESC, id DESC LIMIT :alerts_max)sql";

constexpr std::string_view kParked = R"sql(
    SELECT provenance_code, endpoint_name, coalesce(wait_reason, 'scheduled') AS wait_reason, scheduled_at
    FROM ing_task INDEXED BY idx_task_parked
    WHERE status_code = 'QUEUED' AND ready = 0
    ORDER BY scheduled_at LIMIT :rows_max)sql";

constexpr std::string_view kRollup = R"sql(
    SELECT provenance_code, endpoint_name, requests, records, inserted, updated, quarantined, filtered, bytes
    FROM ing_batch_rollup WHERE minute >= :from LIMIT 1000000)sql";

constexpr std::string_view kPauses = R"sql(
    SELECT provenance_code, endpoint_name, role_code, reason, paused_by, paused_at, until FROM ing_pause
    WHERE until IS NULL OR until > :now
    ORDER BY provenance_code, endpoint_name, role_code LIMIT 10000)sql";

constexpr std::string_view kFuses = R"sql(
    SELECT provenance_code, endpoint_name, reason, blown_at FROM ing_fuse INDEXED BY uk_fuse_blown
    WHERE status_code = 'BLOWN' ORDER BY provenance_code, endpoint_name LIMIT 10000)sql";

Result<std::optional<Instant>> NewestMoment(Session& session, std::string_view sql,
                                            const EndpointStatus& endpoint) {
  auto rows =
      PATRA_TRY(session.Query(sql, {{"source", endpoint.source}, {"endpoint", endpoint.endpoint}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.OptionalTime(kOnly);
}

Result<void> CountTasks(Session& session, EndpointStatus& endpoint) {
  using enum domain::Operation;
  for (const auto operation : {kHarvest, kUpdate, kBackfill}) {
    const auto key = domain::Lane{endpoint.source, endpoint.endpoint, operation}.Key();
    endpoint.running += PATRA_TRY(session.Integer(kCountRunning, {{"lane_key", key}}));
    endpoint.queued += PATRA_TRY(
        session.Integer(kCountQueued, {{"lane_key", key}, {"counted_at_most", kCountedAtMost}}));
  }
  return {};
}

// What is said of an endpoint goes before what is said of its source, and of updates before what is said of all.
Result<std::optional<Duration>> FreshWithin(Session& session, const EndpointStatus& of,
                                            Instant now) {
  for (const std::string& endpoint : {of.endpoint, std::string("*")}) {
    for (const char* operation : {"UPDATE", "ALL"}) {
      auto rows = PATRA_TRY(session.Query(
          kFreshWithin,
          {{"source", of.source}, {"endpoint", endpoint}, {"operation", operation}, {"now", now}}));
      if (PATRA_TRY(rows.Next()))
        return std::chrono::milliseconds(rows.Integer("fresh_within_millis"));
    }
  }
  return std::nullopt;
}

Result<std::optional<contract::Freshness>> FreshnessOf(Session& session,
                                                       const EndpointStatus& endpoint,
                                                       Instant now) {
  const auto within = PATRA_TRY(FreshWithin(session, endpoint, now));
  if (!within) return std::nullopt;
  const auto looks = PATRA_TRY(item_table::LooksBefore(session, endpoint.source, endpoint.endpoint,
                                                       now - *within, kCountedAtMost));
  return contract::Freshness{.within = *within, .oldest = looks.oldest, .overdue = looks.overdue};
}

// Between where the definition in force begins and the watermark.
Result<std::optional<contract::Stretch>> SkippedOf(Session& session,
                                                   const EndpointStatus& endpoint) {
  if (!endpoint.watermark) return std::nullopt;
  auto rows = PATRA_TRY(session.Query(
      kNewestHarvest, {{"source", endpoint.source}, {"endpoint", endpoint.endpoint}}));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  const domain::Lane lane{endpoint.source, endpoint.endpoint, domain::Operation::kHarvest};
  const auto query_hash = rows.Text("query_hash");
  const auto begins = PATRA_TRY(query_table::BeginsAt(session, lane, query_hash));
  if (!begins) return std::nullopt;
  const auto before = domain::Window::Between(*begins, *endpoint.watermark);
  if (!before) return std::nullopt;
  const auto proven = PATRA_TRY(coverage_table::Around(session, lane, query_hash, *before));
  const auto gaps = proven.GapsIn(*before);
  if (gaps.empty()) return std::nullopt;
  return contract::Stretch{gaps.front().from(), gaps.front().to()};
}

Result<EndpointStatus> StatusOf(Session& session, const KnownEndpoint& known, Instant now) {
  EndpointStatus endpoint{.source = known.source, .endpoint = known.endpoint};
  endpoint.watermark = PATRA_TRY(NewestMoment(session, kWatermark, endpoint));
  endpoint.skipped = PATRA_TRY(SkippedOf(session, endpoint));
  endpoint.observed_max = PATRA_TRY(NewestMoment(session, kObservedMax, endpoint));
  PATRA_TRY(CountTasks(session, endpoint));
  endpoint.slices_failed =
      PATRA_TRY(session.Integer(kCountSlices, {{"source", endpoint.source},
                                               {"status", "FAILED"},
                                               {"endpoint", endpoint.endpoint},
                                               {"counted_at_most", kCountedAtMost}}));
  endpoint.slices_partial =
      PATRA_TRY(session.Integer(kCountSlices, {{"source", endpoint.source},
                                               {"status", "PARTIAL"},
                                               {"endpoint", endpoint.endpoint},
                                               {"counted_at_most", kCountedAtMost}}));
  endpoint.quarantine_open =
      PATRA_TRY(session.Integer(kCountQuarantine, {{"source", endpoint.source},
                                                   {"endpoint", endpoint.endpoint},
                                                   {"counted_at_most", kCountedAtMost}}));
  if (const auto last = PATRA_TRY(run_view::Last(session, endpoint.source, endpoint.endpoint)))
    endpoint.last_run = PATRA_TRY(run_view::Read(session, *last));
  endpoint.freshness = PATRA_TRY(FreshnessOf(session, endpoint, now));
  return endpoint;
}

EndpointStatus* FindEndpoint(contract::StoreStatus& status, const Rows& rows) {
  const auto found = std::ranges::find_if(status.endpoints, [&](const EndpointStatus& endpoint) {
    return endpoint.source == rows.View("provenance_code") &&
           endpoint.endpoint == rows.View("endpoint_name");
  });
  return found == status.endpoints.end() ? nullptr : &*found;
}

// The rows come with the earliest first, so the first of a reason is the one that ends first.
Result<void> AddParked(Session& session, contract::StoreStatus& status) {
  std::int64_t read = 0;
  auto rows = PATRA_TRY(session.Query(kParked, {{"rows_max", kParkedReadMax}}));
  while (PATRA_TRY(rows.Next())) {
    ++read;
    auto* endpoint = FindEndpoint(status, rows);
    if (endpoint == nullptr) continue;
    auto same =
        std::ranges::find(endpoint->parked, rows.View("wait_reason"), &contract::Waiting::reason);
    if (same == endpoint->parked.end()) {
      endpoint->parked.push_back({rows.Text("wait_reason"), rows.Time("scheduled_at"), 1});
    } else {
      ++same->tasks;
    }
  }
  status.parked_is_cut = read == kParkedReadMax;
  return {};
}

Result<void> AddLastDay(Session& session, contract::StoreStatus& status) {
  auto rows = PATRA_TRY(session.Query(kRollup, {{"from", status.now - std::chrono::days(1)}}));
  while (PATRA_TRY(rows.Next())) {
    auto* endpoint = FindEndpoint(status, rows);
    if (endpoint == nullptr) continue;
    auto& day = endpoint->last_day;
    day.requests += rows.Integer("requests");
    day.received += rows.Integer("records");
    day.inserted += rows.Integer("inserted");
    day.updated += rows.Integer("updated");
    day.quarantined += rows.Integer("quarantined");
    day.filtered += rows.Integer("filtered");
    day.bytes += rows.Integer("bytes");
  }
  return {};
}

Result<void> AddRates(Session& session, contract::StoreStatus& status) {
  const auto in_use = PATRA_TRY(ReadRatesInUse(session, status.now));
  for (auto& endpoint : status.endpoints) {
    const auto found = in_use.find({endpoint.source, endpoint.endpoint});
    if (found != in_use.end()) endpoint.rate = found->second;
  }
  return {};
}

Result<void> AddAlerts(Session& session, contract::StoreStatus& status) {
  status.alerts = PATRA_TRY(session.Integer(kCountAlerts));
  auto rows = PATRA_TRY(session.Query(kNewestAlerts, {{"alerts_max", contract::kAlertsShown}}));
  while (PATRA_TRY(rows.Next()))
    status.newest_alerts.push_back({rows.Text("alert_key"), rows.Text("message")});
  return {};
}

Result<void> AddHolds(Session& session, contract::StoreStatus& status) {
  auto pauses = PATRA_TRY(session.Query(kPauses, {{"now", status.now}}));
  while (PATRA_TRY(pauses.Next())) {
    status.holds.push_back({.source = pauses.Text("provenance_code"),
                            .endpoint = pauses.Text("endpoint_name"),
                            .role = pauses.Text("role_code"),
                            .reason = pauses.Text("reason"),
                            .by = pauses.Text("paused_by"),
                            .since = pauses.Time("paused_at"),
                            .until = pauses.OptionalTime("until")});
  }
  auto fuses = PATRA_TRY(session.Query(kFuses));
  while (PATRA_TRY(fuses.Next())) {
    status.holds.push_back({.is_fuse = true,
                            .source = fuses.Text("provenance_code"),
                            .endpoint = fuses.Text("endpoint_name"),
                            .role = "ALL",
                            .reason = fuses.Text("reason"),
                            .by = "patra",
                            .since = fuses.Time("blown_at"),
                            .until = std::nullopt});
  }
  return {};
}

}  // namespace

Result<contract::StoreStatus> StatusQueries::Status(Instant now) {
  return database_.Read([&](Session& session) -> Result<contract::StoreStatus> {
    contract::StoreStatus status{.now = now};
    for (const auto& known : PATRA_TRY(KnownEndpoints(session, "", ""))) {
      status.endpoints.push_back(PATRA_TRY(StatusOf(session, known, now)));
    }
    PATRA_TRY(AddParked(session, status));
    PATRA_TRY(AddLastDay(session, status));
    PATRA_TRY(AddRates(session, status));
    PATRA_TRY(AddHolds(session, status));
    status.executors = PATRA_TRY(session.Integer(kCountExecutors, {{"since", now - kAliveWithin}}));
    PATRA_TRY(AddAlerts(session, status));
    return status;
  });
}

}  // namespace patra::infra::sql
