#include "infra/sql/rollup_table.h"

#include "infra/sql/batch_table.h"

namespace patra::infra::sql::rollup_table {
namespace {

constexpr std::string_view kAdd = R"sql(
    INSERT INTO ing_batch_rollup
        (minute, provenance_code, endpoint_name, operation_code, status_code, batches, records, inserted,
         updated, unchanged, stale, quarantined, filtered, bytes, latency_ms, requests, retries, throttled,
         store_wait_us, last_at)
    VALUES (:minute, :provenance_code, :endpoint_name, :operation_code, :status_code, 1, :records, :inserted,
            :updated, :unchanged, :stale, :quarantined, :filtered, :bytes, :latency_ms, :requests, :retries, :throttled,
            :store_wait_us, :last_at)
    ON CONFLICT (minute, provenance_code, endpoint_name, operation_code, status_code)
    DO UPDATE SET batches = batches + 1, records = records + excluded.records,
        inserted = inserted + excluded.inserted, updated = updated + excluded.updated,
        unchanged = unchanged + excluded.unchanged, stale = stale + excluded.stale,
        quarantined = quarantined + excluded.quarantined, filtered = filtered + excluded.filtered,
        bytes = bytes + excluded.bytes, latency_ms = latency_ms + excluded.latency_ms,
        requests = requests + excluded.requests, retries = retries + excluded.retries, throttled = throttled + excluded.throttled,
        store_wait_us = store_wait_us + excluded.store_wait_us, last_at = excluded.last_at)sql";

constexpr std::string_view kAddUnbrought = R"sql(
    INSERT INTO ing_batch_rollup
        (minute, provenance_code, endpoint_name, operation_code, status_code, batches, requests, retries, throttled)
    VALUES (:minute, :provenance_code, :endpoint_name, :operation_code, :status_code, :batches, :requests, :retries,
            :throttled)
    ON CONFLICT (minute, provenance_code, endpoint_name, operation_code, status_code)
    DO UPDATE SET batches = batches + excluded.batches, requests = requests + excluded.requests,
        retries = retries + excluded.retries, throttled = throttled + excluded.throttled)sql";

constexpr std::string_view kSizes = R"sql(
    SELECT sum(bytes) AS bytes, sum(records) AS records, sum(batches) AS batches FROM ing_batch_rollup
    WHERE minute >= :read_from AND minute + span_minutes * 60000000 > :since AND provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code AND status_code = 'SUCCEEDED')sql";

constexpr std::string_view kLatencies = R"sql(
    SELECT provenance_code || '/' || endpoint_name || '/' || operation_code AS lane_key,
           sum(latency_ms) AS latency_ms, sum(batches) AS batches
    FROM ing_batch_rollup
    WHERE minute >= :read_from AND minute + span_minutes * 60000000 > :since AND latency_ms > 0 AND batches > 0
    GROUP BY provenance_code, endpoint_name, operation_code LIMIT 10000)sql";

}  // namespace

Result<Sizes> SizesSince(Session& session, const domain::Lane& lane, Instant since) {
  auto rows = PATRA_TRY(session.Query(kSizes, {{"read_from", ReadFrom(since)},
                                               {"since", since},
                                               {"provenance_code", lane.provenance},
                                               {"endpoint_name", lane.endpoint},
                                               {"operation_code", Code(lane.operation)}}));
  if (!PATRA_TRY(rows.Next())) return Sizes{};
  return Sizes{.bytes = rows.Integer("bytes"),
               .records = rows.Integer("records"),
               .batches = rows.Integer("batches")};
}

Result<app::LaneLatencies> LatenciesSince(Session& session, Instant since) {
  app::LaneLatencies latencies;
  auto rows =
      PATRA_TRY(session.Query(kLatencies, {{"read_from", ReadFrom(since)}, {"since", since}}));
  while (PATRA_TRY(rows.Next())) {
    latencies.emplace(rows.Text("lane_key"), std::chrono::milliseconds(rows.Integer("latency_ms")) /
                                                 rows.Integer("batches"));
  }
  return latencies;
}

Result<void> Add(Session& session, const app::BatchCommit& batch,
                 const domain::RecordCounts& counts, Duration waited, Instant now) {
  const Instant minute = std::chrono::floor<std::chrono::minutes>(now);
  const auto& lane = batch.task.lane;
  PATRA_TRY(session.Run(kAdd, {{"minute", minute},
                               {"provenance_code", lane.provenance},
                               {"endpoint_name", lane.endpoint},
                               {"operation_code", Code(lane.operation)},
                               {"status_code", Code(batch_table::StatusOf(batch, counts))},
                               {"records", counts.received},
                               {"inserted", counts.inserted},
                               {"updated", counts.updated},
                               {"unchanged", counts.unchanged},
                               {"stale", counts.stale},
                               {"quarantined", counts.quarantined},
                               {"filtered", counts.filtered},
                               {"bytes", batch.raw_page_bytes()},
                               {"latency_ms", batch.latency_ms},
                               {"requests", batch.requests()},
                               {"retries", batch.retries},
                               {"throttled", batch.throttled},
                               {"store_wait_us", waited.count()},
                               {"last_at", now}}));
  return {};
}

Result<void> AddUnbrought(Session& session, const domain::Lane& lane, const Unbrought& unbrought,
                          Instant now) {
  const auto& sent = unbrought.sent;
  if (unbrought.batches == 0 && sent.requests == 0) return {};
  const Instant minute = std::chrono::floor<std::chrono::minutes>(now);
  PATRA_TRY(session.Run(kAddUnbrought, {{"minute", minute},
                                        {"provenance_code", lane.provenance},
                                        {"endpoint_name", lane.endpoint},
                                        {"operation_code", Code(lane.operation)},
                                        {"status_code", Code(unbrought.status)},
                                        {"batches", unbrought.batches},
                                        {"requests", sent.requests},
                                        {"retries", sent.retries},
                                        {"throttled", sent.throttled}}));
  return {};
}

}  // namespace patra::infra::sql::rollup_table
