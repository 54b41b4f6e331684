#include "infra/sqlite/rollup_table.h"

namespace patra::infra::sqlite::rollup_table {
namespace {

constexpr std::string_view kAdd = R"sql(
    INSERT INTO ing_batch_rollup
        (minute, provenance_code, endpoint_name, operation_code, status_code, batches, records, inserted,
         updated, unchanged, stale, quarantined, filtered, bytes, latency_ms, retries, throttled,
         store_wait_us, last_at)
    VALUES (:minute, :provenance_code, :endpoint_name, :operation_code, 'SUCCEEDED', 1, :records, :inserted,
            :updated, :unchanged, :stale, :quarantined, :filtered, :bytes, :latency_ms, :retries, :throttled,
            :store_wait_us, :last_at)
    ON CONFLICT (minute, provenance_code, endpoint_name, operation_code, status_code)
    DO UPDATE SET batches = batches + 1, records = records + excluded.records,
        inserted = inserted + excluded.inserted, updated = updated + excluded.updated,
        unchanged = unchanged + excluded.unchanged, stale = stale + excluded.stale,
        quarantined = quarantined + excluded.quarantined, filtered = filtered + excluded.filtered,
        bytes = bytes + excluded.bytes, latency_ms = latency_ms + excluded.latency_ms,
        retries = retries + excluded.retries, throttled = throttled + excluded.throttled,
        store_wait_us = store_wait_us + excluded.store_wait_us, last_at = excluded.last_at)sql";

constexpr std::string_view kAddWasted = R"sql(
    INSERT INTO ing_batch_rollup
        (minute, provenance_code, endpoint_name, operation_code, status_code, retries, throttled)
    VALUES (:minute, :provenance_code, :endpoint_name, :operation_code, 'FAILED', :retries, :throttled)
    ON CONFLICT (minute, provenance_code, endpoint_name, operation_code, status_code)
    DO UPDATE SET retries = retries + excluded.retries, throttled = throttled + excluded.throttled)sql";

constexpr std::string_view kSizes = R"sql(
    SELECT sum(bytes), sum(records), sum(batches) FROM ing_batch_rollup
    WHERE minute >= :since AND provenance_code = :provenance_code AND endpoint_name = :endpoint_name
      AND operation_code = :operation_code AND status_code = 'SUCCEEDED')sql";

}  // namespace

Result<Sizes> SizesSince(Connection& connection, const domain::Partition& partition,
                         Instant since) {
  auto rows = PATRA_TRY(connection.Query(kSizes, since, partition.provenance, partition.endpoint,
                                         Code(partition.operation)));
  if (!PATRA_TRY(rows.Next())) return Sizes{};
  return Sizes{.bytes = rows.Integer(0), .records = rows.Integer(1), .batches = rows.Integer(2)};
}

Result<void> Add(Connection& connection, const app::BatchCommit& batch,
                 const domain::RecordCounts& counts, Duration waited, Instant now) {
  const Instant minute = std::chrono::floor<std::chrono::minutes>(now);
  const auto& partition = batch.task.partition;
  PATRA_TRY(connection.Run(kAdd, minute, partition.provenance, partition.endpoint,
                           Code(partition.operation), counts.received, counts.inserted,
                           counts.updated, counts.unchanged, counts.stale, counts.quarantined,
                           counts.filtered, batch.raw_page_bytes(), batch.latency_ms, batch.retries,
                           batch.throttled, waited.count(), now));
  return {};
}

Result<void> AddWasted(Connection& connection, const domain::Partition& partition, int requests,
                       int throttled, Instant now) {
  if (requests == 0) return {};
  const Instant minute = std::chrono::floor<std::chrono::minutes>(now);
  PATRA_TRY(connection.Run(kAddWasted, minute, partition.provenance, partition.endpoint,
                           Code(partition.operation), requests, throttled));
  return {};
}

}  // namespace patra::infra::sqlite::rollup_table
