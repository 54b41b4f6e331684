#include "contract/dashboard.h"

namespace patra::contract {

bool QueueRow::is_empty() const {
  return ready + parked + dispatched + executing + claims + runs_succeeded + runs_failed +
             runs_partial + batches_succeeded + batches_failed + batches_skipped + requests ==
         0;
}

Facts FactsOf(const QueueRow& row, Duration window) {
  const auto seconds = std::chrono::duration<double>(window).count();
  const auto per_second = [&](std::int64_t count) {
    return Value(seconds > 0 ? static_cast<double>(count) / seconds : 0.0);
  };
  const auto part = [](std::int64_t of, std::int64_t all) {
    return all > 0 ? Value(static_cast<double>(of) / static_cast<double>(all)) : Value();
  };
  const auto batches = row.batches_succeeded + row.batches_failed;
  return Joined({FactsOf(row.scope),
                 {{"ready", row.ready},
                  {"parked", row.parked},
                  {"dispatched", row.dispatched},
                  {"executing", row.executing},
                  {"claims", row.claims},
                  {"claimsPerSecond", per_second(row.claims)},
                  {"runsSucceeded", row.runs_succeeded},
                  {"runsFailed", row.runs_failed},
                  {"runsPartial", row.runs_partial},
                  {"batchesSucceeded", row.batches_succeeded},
                  {"batchesFailed", row.batches_failed},
                  {"batchesSkipped", row.batches_skipped},
                  {"failureShare", part(row.batches_failed, batches)},
                  {"records", row.records},
                  {"requests", row.requests},
                  {"requestsPerSecond", per_second(row.requests)},
                  {"retries", row.retries},
                  {"throttled", row.throttled},
                  {"throttledShare", part(row.throttled, row.requests)},
                  {"meanLatencyMs", part(row.latency_ms, row.batches_succeeded)},
                  {"waitMs", row.wait_ms},
                  {"backoffMs", row.backoff_ms},
                  {"retryAfter", row.retry_after},
                  {"slowed", row.slowed},
                  {"circuitOpened", row.circuit_opened},
                  {"quotaSoft", row.soft_quota},
                  {"quotaHard", row.hard_quota},
                  {"failedL1", row.failed[0]},
                  {"failedL2", row.failed[1]},
                  {"failedL3", row.failed[2]},
                  {"failedL4", row.failed[3]}}});
}

Facts FactsOf(const ErrorRow& row) {
  return Joined({FactsOf(row.scope),
                 {{"level", row.level},
                  {"error", row.error},
                  {"batches", row.batches},
                  {"newestBatch", IdFact(row.newest)},
                  {"firstAt", TimeFact(row.first_at)},
                  {"lastAt", TimeFact(row.last_at)}}});
}

}  // namespace patra::contract
