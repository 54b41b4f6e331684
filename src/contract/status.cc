#include "contract/status.h"

namespace patra::contract {
namespace {

Value LagFact(const std::optional<Instant>& reached, Instant now) {
  if (!reached) return {};
  return (now - *reached) / std::chrono::seconds(1);
}

Value FreshnessFact(const std::optional<Freshness>& freshness) {
  if (!freshness) return {};
  return Value::Object{{"withinSeconds", freshness->within / std::chrono::seconds(1)},
                       {"oldestLook", TimeFact(freshness->oldest)},
                       {"overdue", freshness->overdue}};
}

}  // namespace

std::int64_t EndpointStatus::tasks_parked() const {
  std::int64_t tasks = 0;
  for (const auto& waiting : parked) tasks += waiting.tasks;
  return tasks;
}

Facts FactsOf(const EndpointStatus& endpoint, Instant now) {
  Value::Array parked;
  for (const auto& [reason, until, tasks] : endpoint.parked) {
    parked.push_back(
        Value::Object{{"reason", reason}, {"until", TimeFact(until)}, {"tasks", tasks}});
  }
  const auto& day = endpoint.last_day;
  return {{"source", endpoint.source},
          {"endpoint", endpoint.endpoint},
          {"watermark", TimeFact(endpoint.watermark)},
          {"skippedFrom",
           TimeFact(endpoint.skipped ? std::optional(endpoint.skipped->from) : std::nullopt)},
          {"skippedTo",
           TimeFact(endpoint.skipped ? std::optional(endpoint.skipped->to) : std::nullopt)},
          {"lagSeconds", LagFact(endpoint.watermark, now)},
          {"observedMax", TimeFact(endpoint.observed_max)},
          {"observedLagSeconds", LagFact(endpoint.observed_max, now)},
          {"running", endpoint.running},
          {"queued", endpoint.queued},
          {"parked", std::move(parked)},
          {"slicesFailed", endpoint.slices_failed},
          {"slicesPartial", endpoint.slices_partial},
          {"quarantineOpen", endpoint.quarantine_open},
          {"freshness", FreshnessFact(endpoint.freshness)},
          {"lastDay", Value::Object{{"requests", day.requests},
                                    {"received", day.received},
                                    {"inserted", day.inserted},
                                    {"updated", day.updated},
                                    {"quarantined", day.quarantined},
                                    {"filtered", day.filtered},
                                    {"bytes", day.bytes}}},
          {"rate", endpoint.rate ? ToObject(FactsOf(*endpoint.rate)) : Value()},
          {"lastRun", endpoint.last_run ? ToObject(FactsOf(*endpoint.last_run)) : Value()}};
}

Facts FactsOf(const HoldRow& hold) {
  return {{"kind", hold.is_fuse ? "FUSE" : "PAUSE"},
          {"source", hold.source},
          {"endpoint", hold.endpoint},
          {"role", hold.role},
          {"reason", hold.reason},
          {"by", hold.by},
          {"since", TimeFact(hold.since)},
          {"until", TimeFact(hold.until)}};
}

Value ToValue(const StoreStatus& status) {
  Value::Array endpoints, holds;
  for (const auto& endpoint : status.endpoints)
    endpoints.push_back(ToObject(FactsOf(endpoint, status.now)));
  for (const auto& hold : status.holds) holds.push_back(ToObject(FactsOf(hold)));
  Value::Array alerts;
  for (const auto& alert : status.newest_alerts)
    alerts.push_back(Value::Object{{"key", alert.key}, {"message", alert.message}});
  Value::Array shared;
  for (const auto& row : status.shared_credentials)
    shared.push_back(Value::Object{{"credential", row.credential},
                                   {"store", row.store},
                                   {"otherName", row.other_name},
                                   {"usedAt", TimeFact(row.used_at)}});
  return Value::Object{{"now", TimeFact(status.now)},
                       {"endpoints", std::move(endpoints)},
                       {"holds", std::move(holds)},
                       {"parkedIsCut", status.parked_is_cut},
                       {"executors", status.executors},
                       {"alerts", status.alerts},
                       {"newestAlerts", std::move(alerts)},
                       {"sharedCredentials", std::move(shared)},
                       {"sharingUnknown", status.sharing_unknown},
                       {"gateCounts", status.gate_counts}};
}

}  // namespace patra::contract
