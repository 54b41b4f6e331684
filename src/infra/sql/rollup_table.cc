#include "infra/sql/rollup_table.h"

#include "infra/sql/batch_table.h"

namespace patra::infra::sql::rollup_table {
namespace {

constexpr std::string_view kAdd = R"sql(
    INSERT INTO ing_batch_rollup
        (minute, provenance_code, endpoint_name, operation_code, status_code, batches, records, inserted,
         updated, unchanged, stale, quarantined, filtered, bytes, latency_ms, requests, retries, throttled,
         wait_ms, backoff_ms, retry_after, slowed, circuit_opened, soft_quota, hard_quota, failed_l1, failed_l2,
         failed_l3, failed_l4, store_wait_us, last_at)
    VALUES (:minute, :provenance_code, :endpoint_name, :operation_code, :status_code, 1, :records, :inserted,
            :updated, :unchanged, :stale, :quarantined, :filtered, :bytes, :latency_ms, :requests, :retries, :throttled,
            :wait_ms, :backoff_ms, :retry_after, :slowed, :circuit_opened, :soft_quota, :hard_quota, :failed_l1,
            :failed_l2, :failed_l3, :failed_l4, :store_wait_us, :last_at)
    ON CONFLICT (minute, provenance_code, endpoint_name, operation_code, status_code)
    DO UPDATE SET batches = batches + 1, records = records + excluded.records,
        inserted = inserted + excluded.inserted, updated = updated + excluded.updated,
        unchanged = unchanged + excluded.unchanged, stale = stale + excluded.stale,
        quarantined = quarantined + excluded.quarantined, filtered = filtered + excluded.filtered,
        bytes = bytes + excluded.bytes, latency_ms = latency_ms + excluded.latency_ms,
        requests = requests + excluded.requests, retries = retries + excluded.retries, throttled = throttled + excluded.throttled,
        wait_ms = wait_ms + excluded.wait_ms, backoff_ms = backoff_ms + excluded.backoff_ms,
        retry_after = retry_after + excluded.retry_after, slowed = slowed + excluded.slowed,
        circuit_opened = circuit_opened + excluded.circuit_opened,
        soft_quota = soft_quota + excluded.soft_quota, hard_quota = hard_quota + excluded.hard_quota,
        failed_l1 = failed_l1 + excluded.failed_l1, failed_l2 = failed_l2 + excluded.failed_l2,
        failed_l3 = failed_l3 + excluded.failed_l3, failed_l4 = failed_l4 + excluded.failed_l4,
        store_wait_us = store_wait_us + excluded.store_wait_us, last_at = excluded.last_at)sql";

constexpr std::string_view kAddUnbrought = R"sql(
    INSERT INTO ing_batch_rollup
        (minute, provenance_code, endpoint_name, operation_code, status_code, batches, requests, retries, throttled,
         wait_ms, backoff_ms, retry_after, slowed, circuit_opened, soft_quota, hard_quota, failed_l1, failed_l2,
         failed_l3, failed_l4)
    VALUES (:minute, :provenance_code, :endpoint_name, :operation_code, :status_code, :batches, :requests, :retries,
            :throttled, :wait_ms, :backoff_ms, :retry_after, :slowed, :circuit_opened, :soft_quota, :hard_quota,
            :failed_l1, :failed_l2, :failed_l3, :failed_l4)
    ON CONFLICT (minute, provenance_code, endpoint_name, operation_code, status_code)
    DO UPDATE SET batches = batches + excluded.batches, requests = requests + excluded.requests,
        retries = retries + excluded.retries, throttled = throttled + excluded.throttled,
        wait_ms = wait_ms + excluded.wait_ms, backoff_ms = backoff_ms + excluded.backoff_ms,
        retry_after = retry_after + excluded.retry_after, slowed = slowed + excluded.slowed,
        circuit_opened = circuit_opened + excluded.circuit_opened,
        soft_quota = soft_quota + excluded.soft_quota, hard_quota = hard_quota + excluded.hard_quota,
        failed_l1 = failed_l1 + excluded.failed_l1, failed_l2 = failed_l2 + excluded.failed_l2,
        failed_l3 = failed_l3 + excluded.failed_l3, failed_l4 = failed_l4 + excluded.failed_l4)sql";

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

// Of the row, and of what was sent.
std::vector<Parameter> ValuesOf(const domain::Lane& lane, domain::BatchStatus status,
                                const domain::RequestsSent& sent, Instant now) {
  const auto millis = [](Duration d) { return d / std::chrono::milliseconds(1); };
  const Instant minute = std::chrono::floor<std::chrono::minutes>(now);
  const auto& met = sent.met;
  return {{"minute", minute},
          {"provenance_code", lane.provenance},
          {"endpoint_name", lane.endpoint},
          {"operation_code", Code(lane.operation)},
          {"status_code", Code(status)},
          {"requests", sent.requests},
          {"retries", sent.retries},
          {"throttled", sent.throttled},
          {"wait_ms", millis(sent.waited)},
          {"backoff_ms", millis(sent.backed_off)},
          {"retry_after", met.retry_after},
          {"slowed", met.slowed},
          {"circuit_opened", met.opened},
          {"soft_quota", met.soft_quota},
          {"hard_quota", met.hard_quota},
          {"failed_l1", sent.failed[0]},
          {"failed_l2", sent.failed[1]},
          {"failed_l3", sent.failed[2]},
          {"failed_l4", sent.failed[3]}};
}

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
  auto values =
      ValuesOf(batch.task.lane, batch_table::StatusOf(batch, counts), batch.evidence.sent, now);
  const std::initializer_list<Parameter> brought = {{"records", counts.received},
                                                    {"inserted", counts.inserted},
                                                    {"updated", counts.updated},
                                                    {"unchanged", counts.unchanged},
                                                    {"stale", counts.stale},
                                                    {"quarantined", counts.quarantined},
                                                    {"filtered", counts.filtered},
                                                    {"bytes", batch.raw_page_bytes()},
                                                    {"latency_ms", batch.latency_ms},
                                                    {"store_wait_us", waited.count()},
                                                    {"last_at", now}};
  values.insert(values.end(), brought.begin(), brought.end());
  PATRA_TRY(session.Run(kAdd, Parameters(values)));
  return {};
}

Result<void> AddUnbrought(Session& session, const domain::Lane& lane, const Unbrought& unbrought,
                          Instant now) {
  const auto& sent = unbrought.sent;
  const bool is_nothing =
      unbrought.batches == 0 && sent.requests == 0 && sent.waited < std::chrono::milliseconds(1);
  if (is_nothing) return {};
  auto values = ValuesOf(lane, unbrought.status, sent, now);
  values.push_back({"batches", unbrought.batches});
  PATRA_TRY(session.Run(kAddUnbrought, Parameters(values)));
  return {};
}

}  // namespace patra::infra::sql::rollup_table
