// One screen about the whole store. Each number is read from the end of an index, from a partial index that
// holds only what is unfinished, or from the rollup; what could still be many is counted up to a bound.
#include "infra/sqlite/status_queries.h"

#include <algorithm>
#include <map>

#include "domain/plan/plan.h"
#include "infra/sqlite/item_table.h"
#include "infra/sqlite/known_sources.h"
#include "infra/sqlite/ledger_views.h"

namespace patra::infra::sqlite {
namespace {

using contract::EndpointStatus;
using contract::kCountedAtMost;

constexpr std::int64_t kParkedReadMax = 10'000;
constexpr Duration kAliveWithin = std::chrono::minutes(1);

constexpr std::string_view kWatermark = R"sql(
    SELECT max(normalized_instant) FROM ing_cursor
    WHERE provenance_code = :source AND endpoint_name = :endpoint AND operation_code = 'HARVEST')sql";

constexpr std::string_view kObservedMax = R"sql(
    SELECT max(updated_at) FROM ing_item
    WHERE provenance_code = :source AND endpoint_name = :endpoint)sql";

constexpr std::string_view kCountRunning = R"sql(
    SELECT count(*) FROM ing_task INDEXED BY idx_task_running
    WHERE status_code IN ('DISPATCHED', 'EXECUTING') AND partition_key = :partition_key)sql";

constexpr std::string_view kCountQueued = R"sql(
    SELECT count(*) FROM (SELECT 1 FROM ing_task
                          WHERE status_code = 'QUEUED' AND ready = 1 AND partition_key = :partition_key
                          LIMIT :counted_at_most))sql";

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
          LIMIT :counted_at_most))sql";

constexpr std::string_view kCountQuarantine = R"sql(
    SELECT count(*) FROM (SELECT 1 FROM ing_quarantine
                          WHERE status_code = 'OPEN' AND provenance_code = :source
                            AND endpoint_name = :endpoint
                          LIMIT :counted_at_most))sql";

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

constexpr std::string_view kParked = R"sql(
    SELECT provenance_code, endpoint_name, coalesce(wait_reason, 'scheduled'), scheduled_at
    FROM ing_task INDEXED BY idx_task_parked
    WHERE status_code = 'QUEUED' AND ready = 0
    ORDER BY scheduled_at LIMIT :rows_max)sql";

constexpr std::string_view kRollup = R"sql(
    SELECT provenance_code, endpoint_name, batches, records, inserted, updated, quarantined, bytes
    FROM ing_batch_rollup WHERE minute >= :from LIMIT 1000000)sql";

constexpr std::string_view kPauses = R"sql(
    SELECT provenance_code, endpoint_name, role_code, reason, paused_by, paused_at, until FROM ing_pause
    WHERE until IS NULL OR until > :now
    ORDER BY provenance_code, endpoint_name, role_code LIMIT 10000)sql";

constexpr std::string_view kFuses = R"sql(
    SELECT provenance_code, endpoint_name, reason, blown_at FROM ing_fuse INDEXED BY uk_fuse_blown
    WHERE status_code = 'BLOWN' ORDER BY provenance_code, endpoint_name LIMIT 10000)sql";

Result<std::optional<Instant>> NewestMoment(Connection& connection, std::string_view sql,
                                            const EndpointStatus& endpoint) {
  auto rows = PATRA_TRY(connection.Query(sql, endpoint.source, endpoint.endpoint));
  if (!PATRA_TRY(rows.Next())) return std::nullopt;
  return rows.OptionalTime(0);
}

Result<void> CountTasks(Connection& connection, EndpointStatus& endpoint) {
  using enum domain::Operation;
  for (const auto operation : {kHarvest, kUpdate, kBackfill}) {
    const auto key = domain::Partition{endpoint.source, endpoint.endpoint, operation}.Key();
    endpoint.running += PATRA_TRY(connection.Integer(kCountRunning, key));
    endpoint.queued += PATRA_TRY(connection.Integer(kCountQueued, key, kCountedAtMost));
  }
  return {};
}

// What is said of an endpoint goes before what is said of its source, and of updates before what is said of all.
Result<std::optional<Duration>> FreshWithin(Connection& connection, const EndpointStatus& of,
                                            Instant now) {
  for (const std::string& endpoint : {of.endpoint, std::string("*")}) {
    for (const char* operation : {"UPDATE", "ALL"}) {
      auto rows = PATRA_TRY(connection.Query(kFreshWithin, of.source, endpoint, operation, now));
      if (PATRA_TRY(rows.Next())) return std::chrono::milliseconds(rows.Integer(0));
    }
  }
  return std::nullopt;
}

Result<std::optional<contract::Freshness>> FreshnessOf(Connection& connection,
                                                       const EndpointStatus& endpoint,
                                                       Instant now) {
  const auto within = PATRA_TRY(FreshWithin(connection, endpoint, now));
  if (!within) return std::nullopt;
  const auto looks = PATRA_TRY(item_table::LooksBefore(
      connection, endpoint.source, endpoint.endpoint, now - *within, kCountedAtMost));
  return contract::Freshness{.within = *within, .oldest = looks.oldest, .overdue = looks.overdue};
}

Result<EndpointStatus> StatusOf(Connection& connection, const KnownEndpoint& known, Instant now) {
  EndpointStatus endpoint{.source = known.source, .endpoint = known.endpoint};
  endpoint.watermark = PATRA_TRY(NewestMoment(connection, kWatermark, endpoint));
  endpoint.observed_max = PATRA_TRY(NewestMoment(connection, kObservedMax, endpoint));
  PATRA_TRY(CountTasks(connection, endpoint));
  endpoint.slices_failed = PATRA_TRY(connection.Integer(kCountSlices, endpoint.source, "FAILED",
                                                        endpoint.endpoint, kCountedAtMost));
  endpoint.slices_partial = PATRA_TRY(connection.Integer(kCountSlices, endpoint.source, "PARTIAL",
                                                         endpoint.endpoint, kCountedAtMost));
  endpoint.quarantine_open = PATRA_TRY(
      connection.Integer(kCountQuarantine, endpoint.source, endpoint.endpoint, kCountedAtMost));
  if (const auto last = PATRA_TRY(run_view::Last(connection, endpoint.source, endpoint.endpoint)))
    endpoint.last_run = PATRA_TRY(run_view::Read(connection, *last));
  endpoint.freshness = PATRA_TRY(FreshnessOf(connection, endpoint, now));
  return endpoint;
}

EndpointStatus* FindEndpoint(contract::StoreStatus& status, const Rows& rows) {
  const auto found = std::ranges::find_if(status.endpoints, [&](const EndpointStatus& endpoint) {
    return endpoint.source == rows.View(0) && endpoint.endpoint == rows.View(1);
  });
  return found == status.endpoints.end() ? nullptr : &*found;
}

// The rows come with the earliest first, so the first of a reason is the one that ends first.
Result<void> AddParked(Connection& connection, contract::StoreStatus& status) {
  std::int64_t read = 0;
  auto rows = PATRA_TRY(connection.Query(kParked, kParkedReadMax));
  while (PATRA_TRY(rows.Next())) {
    ++read;
    auto* endpoint = FindEndpoint(status, rows);
    if (endpoint == nullptr) continue;
    auto same = std::ranges::find(endpoint->parked, rows.View(2), &contract::Waiting::reason);
    if (same == endpoint->parked.end()) {
      endpoint->parked.push_back({rows.Text(2), rows.Time(3), 1});
    } else {
      ++same->tasks;
    }
  }
  status.parked_is_cut = read == kParkedReadMax;
  return {};
}

Result<void> AddLastDay(Connection& connection, contract::StoreStatus& status) {
  auto rows = PATRA_TRY(connection.Query(kRollup, status.now - std::chrono::days(1)));
  while (PATRA_TRY(rows.Next())) {
    auto* endpoint = FindEndpoint(status, rows);
    if (endpoint == nullptr) continue;
    auto& day = endpoint->last_day;
    day.requests += rows.Integer(2);
    day.received += rows.Integer(3);
    day.inserted += rows.Integer(4);
    day.updated += rows.Integer(5);
    day.quarantined += rows.Integer(6);
    day.bytes += rows.Integer(7);
  }
  return {};
}

Result<void> AddHolds(Connection& connection, contract::StoreStatus& status) {
  auto pauses = PATRA_TRY(connection.Query(kPauses, status.now));
  while (PATRA_TRY(pauses.Next())) {
    status.holds.push_back({.source = pauses.Text(0),
                            .endpoint = pauses.Text(1),
                            .role = pauses.Text(2),
                            .reason = pauses.Text(3),
                            .by = pauses.Text(4),
                            .since = pauses.Time(5),
                            .until = pauses.OptionalTime(6)});
  }
  auto fuses = PATRA_TRY(connection.Query(kFuses));
  while (PATRA_TRY(fuses.Next())) {
    status.holds.push_back({.is_fuse = true,
                            .source = fuses.Text(0),
                            .endpoint = fuses.Text(1),
                            .role = "ALL",
                            .reason = fuses.Text(2),
                            .by = "patra",
                            .since = fuses.Time(3),
                            .until = std::nullopt});
  }
  return {};
}

}  // namespace

Result<contract::StoreStatus> StatusQueries::Status(Instant now) {
  return store_.Read([&](Connection& connection) -> Result<contract::StoreStatus> {
    contract::StoreStatus status{.now = now};
    for (const auto& known : PATRA_TRY(KnownEndpoints(connection, "", ""))) {
      status.endpoints.push_back(PATRA_TRY(StatusOf(connection, known, now)));
    }
    PATRA_TRY(AddParked(connection, status));
    PATRA_TRY(AddLastDay(connection, status));
    PATRA_TRY(AddHolds(connection, status));
    status.executors = PATRA_TRY(connection.Integer(kCountExecutors, now - kAliveWithin));
    status.alerts = PATRA_TRY(connection.Integer(kCountAlerts));
    return status;
  });
}

}  // namespace patra::infra::sqlite
