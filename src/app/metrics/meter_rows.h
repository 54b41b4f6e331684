// Which events are counted, and as what. What happens is told once, to the log; whoever counts reads it there.
#pragma once

#include <array>
#include <string_view>

#include "app/port/meters.h"

namespace patra::app {

struct MeterRow {
  std::string_view event;  // of the log
  Meter meter;
  std::string_view amount{};  // the detail that says how much; empty: one
  // A label of its own beside source, endpoint and op: its name, and the detail that it takes, or what it always says.
  std::string_view label{};
  std::string_view detail{};
  std::string_view fixed{};
  bool by_lane = true;  // source, endpoint and op
};

inline constexpr Meter kBatches{.name = "patra_ingest_batches_total",
                                .help = "Batches that were committed"};
inline constexpr Meter kItems{.name = "patra_ingest_items_total",
                              .help = "Records that came, by what became of them"};
inline constexpr Meter kErrors{.name = "patra_ingest_errors_total",
                               .help = "Requests and records that were wrong, by level"};
inline constexpr Meter kTasks{.name = "patra_ingest_task_releases_total",
                              .help = "Tasks that a worker was done with, by what became of them"};

// Of no event: a log that told of spans would make more of them.
inline constexpr Meter kTracesDropped{.name = "patra_traces_dropped_total",
                                      .help = "Spans that the collector of traces did not get"};

inline constexpr auto kMeterRows = std::to_array<MeterRow>({
    {.event = "batch.committed", .meter = kBatches},
    {.event = "batch.committed",
     .meter = kItems,
     .amount = "inserted",
     .label = "action",
     .fixed = "insert"},
    {.event = "batch.committed",
     .meter = kItems,
     .amount = "updated",
     .label = "action",
     .fixed = "update"},
    {.event = "batch.committed",
     .meter = kItems,
     .amount = "skipped",
     .label = "action",
     .fixed = "skip"},
    {.event = "batch.committed",
     .meter = {.name = "patra_ingest_batch_latency_ms",
               .help = "From the request of a batch to its commit",
               .kind = MeterKind::kHistogram},
     .amount = "tookMs"},
    {.event = "batch.committed",
     .meter = {.name = "patra_ingest_permit_wait_ms_total",
               .help = "How long batches waited for the rate gate"},
     .amount = "waitedMs"},
    {.event = "batch.committed",
     .meter = kErrors,
     .amount = "quarantined",
     .label = "level",
     .fixed = "L3"},
    {.event = "batch.committed",
     .meter = {.name = "patra_ingest_items_repeated_total",
               .help = "Records that came more often than the provider announced them"},
     .amount = "repeated"},
    {.event = "batch.committed",
     .meter = {.name = "patra_ingest_items_late_total",
               .help = "Records that came into a stretch of time after it was proven complete"},
     .amount = "late"},
    {.event = "key.met",
     .meter = {.name = "patra_ingest_idempotency_hits_total",
               .help = "Plans, slices and batches that were there already when they were written"},
     .amount = "count",
     .label = "key",
     .detail = "kind"},
    {.event = "request.settled",
     .meter = {.name = "patra_ingest_requests_total", .help = "Requests on the wire"},
     .amount = "requests"},
    {.event = "request.settled",
     .meter = {.name = "patra_ingest_http_latency_ms",
               .help = "From a request to the last byte of its answer",
               .kind = MeterKind::kHistogram},
     .amount = "latencyMs"},
    {.event = "request.settled",
     .meter = {.name = "patra_ingest_429_total", .help = "Answers that told us to slow down"},
     .amount = "throttled"},
    {.event = "request.settled",
     .meter = {.name = "patra_ingest_retry_after_total",
               .help = "Answers that said when to come again"},
     .amount = "retryAfter"},
    {.event = "request.settled", .meter = kErrors, .label = "level", .detail = "level"},
    {.event = "request.retry",
     .meter = {.name = "patra_ingest_retries_total", .help = "Requests that were tried again"}},
    {.event = "gate.slowed",
     .meter = {.name = "patra_ingest_rate_decreases_total",
               .help = "How often complaints of providers made the rate lower"}},
    {.event = "gate.opened",
     .meter = {.name = "patra_ingest_circuit_opens_total",
               .help = "How often failures of providers shut the gate for a while"}},
    {.event = "quota.reached",
     .meter = {.name = "patra_ingest_quota_hits_total",
               .help = "Requests for which a quota had nothing: soft where it keeps the rest for "
                       "others or for later, hard where nothing is left"},
     .label = "kind",
     .detail = "kind"},
    {.event = "heal.acted",
     .meter = {.name = "patra_ingest_self_heal_events_total", .help = "What self-healing did"},
     .label = "type",
     .detail = "did"},
    {.event = "cursor.moved",
     .meter = {.name = "patra_ingest_cursor_advance_events_total",
               .help = "Watermarks that moved on"},
     .label = "direction",
     .detail = "direction"},
    {.event = "task.claimed",
     .meter = {.name = "patra_ingest_task_claims_total", .help = "Tasks that a worker took"}},
    {.event = "task.claim_lost",
     .meter = {.name = "patra_ingest_task_claims_lost_total",
               .help = "Tasks that another worker was faster to take"},
     .amount = "claims",
     .by_lane = false},
    {.event = "task.lease_lost",
     .meter = {.name = "patra_ingest_lease_losses_total",
               .help = "Tasks whose lease ran out under their worker"}},
    {.event = "task.released", .meter = kTasks, .label = "status", .detail = "status"},
    {.event = "task.released",
     .meter = {.name = "patra_ingest_task_duration_ms",
               .help = "From the claim of a task to its release",
               .kind = MeterKind::kHistogram},
     .amount = "tookMs"},
    {.event = "slice.unproven",
     .meter = {.name = "patra_ingest_ledger_gaps_total",
               .help = "Slices that were read to their end and are not proven"}},
    {.event = "slice.failed",
     .meter = {.name = "patra_ingest_slices_failed_total", .help = "Slices that ended FAILED"}},
    {.event = "slice.recut",
     .meter = {.name = "patra_ingest_slices_recut_total",
               .help = "Slices that smaller ones took over from"}},
    {.event = "fuse.blown",
     .meter = {.name = "patra_runtime_fuse_trigger_count_total", .help = "Fuses that blew"}},
    {.event = "api.answered",
     .meter = {.name = "patra_api_answers_total", .help = "Answers of the API, by their class"},
     .label = "class",
     .detail = "class",
     .by_lane = false},
    {.event = "api.answered",
     .meter = {.name = "patra_api_latency_ms",
               .help = "From a call of the API to its answer",
               .kind = MeterKind::kHistogram},
     .amount = "tookMs",
     .by_lane = false},
    {.event = "store.slow_statement",
     .meter = {.name = "patra_store_slow_statements_total",
               .help = "Statements of the store that took long"},
     .amount = "times",
     .by_lane = false},
    {.event = "service.failing",
     .meter = {.name = "patra_service_failures_total",
               .help = "Parts of the service that began to fail"},
     .label = "part",
     .detail = "part",
     .by_lane = false},
});

}  // namespace patra::app
