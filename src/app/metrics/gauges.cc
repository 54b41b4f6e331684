#include "app/metrics/gauges.h"

#include <chrono>

namespace patra::app {
namespace {

constexpr Duration kWindow = std::chrono::minutes(5);
constexpr auto kGauge = MeterKind::kGauge;

constexpr Meter kQueued{.name = "patra_ingest_tasks_queued",
                        .help = "Tasks that are ready for a worker",
                        .kind = kGauge};
constexpr Meter kParked{.name = "patra_ingest_tasks_parked",
                        .help = "Tasks that wait until a known moment",
                        .kind = kGauge};
constexpr Meter kRunning{.name = "patra_ingest_executor_concurrency",
                         .help = "Tasks that workers are at",
                         .kind = kGauge};
constexpr Meter kRate{.name = "patra_ingest_qps_effective",
                      .help = "Requests a second over the last five minutes",
                      .kind = kGauge};
constexpr Meter kLag{.name = "patra_ingest_cursor_lag_seconds",
                     .help = "How far the watermark is behind the present",
                     .kind = kGauge};
constexpr Meter kQuota{.name = "patra_ingest_budget_remaining",
                       .help = "Requests that are left of a quota",
                       .kind = kGauge};
constexpr Meter kUnproven{.name = "patra_ingest_slices_unproven",
                          .help = "Slices that ended FAILED or PARTIAL and nobody has taken over",
                          .kind = kGauge};
constexpr Meter kIsolated{.name = "patra_ingest_quarantine_open",
                          .help = "Records in quarantine that nobody decided about",
                          .kind = kGauge};
constexpr Meter kAlerts{.name = "patra_alerts_firing", .help = "Alerts that fire", .kind = kGauge};
constexpr Meter kExecutors{.name = "patra_executors_alive",
                           .help = "Executors that were seen within the last minute",
                           .kind = kGauge};
constexpr Meter kHolds{.name = "patra_sources_held",
                       .help = "Pauses and fuses that hold sources back",
                       .kind = kGauge};

MeterLabels LaneLabels(const std::string& source, const std::string& endpoint,
                       const std::string& operation) {
  return {{"source", source}, {"endpoint", endpoint}, {"op", operation}};
}

double AsNumber(std::int64_t count) { return static_cast<double>(count); }

}  // namespace

Result<void> SetGauges(Store& store, Meters& meters) {
  meters.ForgetGauges();
  const auto now = store.clock().Now();
  auto& read = store.read();
  const auto queue = PATRA_TRY(read.dashboard().Queue({}, {.from = now - kWindow, .to = now}));
  for (const auto& row : queue.rows) {
    const auto labels = LaneLabels(row.scope.source, row.scope.endpoint, row.scope.operation);
    meters.Add(kQueued, labels, AsNumber(row.ready));
    meters.Add(kParked, labels, AsNumber(row.parked));
    meters.Add(kRunning, labels, AsNumber(row.dispatched + row.executing));
    meters.Add(kRate, labels, AsNumber(row.requests) / (kWindow / std::chrono::seconds(1)));
  }
  for (const auto& cursor : PATRA_TRY(read.ledger().Cursors({.rows_max = 1'000}))) {
    if (!cursor.instant) continue;
    auto labels = LaneLabels(cursor.scope.source, cursor.scope.endpoint, cursor.scope.operation);
    labels.emplace_back("ns", cursor.namespace_scope);
    meters.Add(kLag, labels, AsNumber((now - *cursor.instant) / std::chrono::seconds(1)));
  }
  const auto status = PATRA_TRY(read.status().Status(now));
  for (const auto& endpoint : status.endpoints) {
    const MeterLabels labels{{"source", endpoint.source}, {"endpoint", endpoint.endpoint}};
    meters.Add(kUnproven, labels, AsNumber(endpoint.slices_failed + endpoint.slices_partial));
    meters.Add(kIsolated, labels, AsNumber(endpoint.quarantine_open));
  }
  for (const auto& quota : PATRA_TRY(store.gate_ledger().Quotas(now)))
    meters.Add(kQuota, {{"key", quota.key}}, AsNumber(quota.allowed - quota.reserved));
  meters.Add(kAlerts, {}, AsNumber(status.alerts));
  meters.Add(kExecutors, {}, AsNumber(status.executors));
  meters.Add(kHolds, {}, AsNumber(std::ssize(status.holds)));
  return {};
}

}  // namespace patra::app
