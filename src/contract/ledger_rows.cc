#include "contract/ledger_rows.h"

#include <algorithm>
#include <initializer_list>

#include <fmt/format.h>

namespace patra::contract {
namespace {

Facts Joined(std::initializer_list<Facts> parts) {
  Facts all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Facts FactsOf(const Scope& scope) {
  return {{"source", scope.source}, {"endpoint", scope.endpoint}, {"operation", scope.operation}};
}

Facts FactsOf(const std::optional<Stretch>& window) {
  return {{"windowFrom", window ? Value(FormatRfc3339(window->from)) : Value()},
          {"windowTo", window ? Value(FormatRfc3339(window->to)) : Value()}};
}

// A digest is empty until there is something to digest.
Value DigestFact(const std::string& json) { return json.empty() ? Value() : JsonFact(json); }

}  // namespace

std::string Stretch::Describe() const {
  return fmt::format("[{}, {})", FormatRfc3339(from), FormatRfc3339(to));
}

std::string CursorRow::Name() const {
  return fmt::format("{}/{}/{}/{}", scope.Name(), scope.operation, key, namespace_key);
}

std::int64_t RecordSums::missing() const {
  return announced ? std::max<std::int64_t>(*announced - received, 0) : 0;
}

RecordSums& RecordSums::operator+=(const RecordSums& other) {
  if (other.announced) announced = announced.value_or(0) + *other.announced;
  received += other.received;
  inserted += other.inserted;
  updated += other.updated;
  unchanged += other.unchanged;
  stale += other.stale;
  quarantined += other.quarantined;
  filtered += other.filtered;
  repeated += other.repeated;
  return *this;
}

Facts FactsOf(const RecordSums& sums) {
  return {{"announced", CountFact(sums.announced)},
          {"received", sums.received},
          {"inserted", sums.inserted},
          {"updated", sums.updated},
          {"unchanged", sums.unchanged},
          {"stale", sums.stale},
          {"quarantined", sums.quarantined},
          {"filtered", sums.filtered},
          {"repeated", sums.repeated},
          {"missing", sums.missing()}};
}

Facts FactsOf(const TriggerRow& row) {
  return Joined({{{"id", IdFact(row.id)}},
                 FactsOf(row.scope),
                 {{"type", row.type},
                  {"scheduler", row.scheduler},
                  {"firedAt", TimeFact(row.fired_at)},
                  {"correlation", row.correlation},
                  {"params", JsonFact(row.params)},
                  {"remarks", JsonFact(row.remarks)}}});
}

Facts FactsOf(const PlanRow& row) {
  return Joined({{{"id", IdFact(row.id)}, {"status", row.status}},
                 FactsOf(row.scope),
                 FactsOf(row.window),
                 {{"slicedTo", TimeFact(row.sliced_to)},
                  {"strategy", row.strategy},
                  {"priority", row.priority},
                  {"trigger", IdFact(row.trigger)},
                  {"correlation", row.correlation},
                  {"queryHash", row.query_hash},
                  {"fingerprint", row.fingerprint},
                  {"configHash", row.config_hash},
                  {"remarks", JsonFact(row.remarks)},
                  {"createdAt", TimeFact(row.created_at)},
                  {"updatedAt", TimeFact(row.updated_at)}}});
}

Facts FactsOf(const OriginRow& row) {
  return {{"path", row.path}, {"value", row.value}, {"level", row.level}, {"place", row.place}};
}

Facts FactsOf(const SliceRow& row) {
  return Joined({{{"id", IdFact(row.id)}, {"status", row.status}},
                 FactsOf(row.scope),
                 FactsOf(row.window),
                 {{"number", row.number}},
                 FactsOf(row.sums),
                 {{"gap", TextFact(row.gap)},
                  {"remarks", JsonFact(row.remarks)},
                  {"plan", IdFact(row.plan)},
                  {"parent", IdFact(row.parent)},
                  {"task", IdFact(row.task)},
                  {"queryHash", row.query_hash},
                  {"exprHash", row.expr_hash},
                  {"createdAt", TimeFact(row.created_at)},
                  {"updatedAt", TimeFact(row.updated_at)},
                  {"closedAt", TimeFact(row.closed_at)}}});
}

Facts FactsOf(const TaskRow& row) {
  return Joined({{{"id", IdFact(row.id)}, {"status", row.status}},
                 FactsOf(row.scope),
                 {{"parked", row.parked},
                  {"waitReason", TextFact(row.wait_reason)},
                  {"scheduledAt", TimeFact(row.scheduled_at)},
                  {"priority", row.priority},
                  {"leaseOwner", TextFact(row.lease_owner)},
                  {"leasedUntil", TimeFact(row.leased_until)},
                  {"leaseCount", row.lease_count},
                  {"fence", row.fence},
                  {"retryCount", row.retry_count},
                  {"lastErrorCode", TextFact(row.last_error_code)},
                  {"lastError", TextFact(row.last_error)},
                  {"credential", TextFact(row.credential)},
                  {"params", JsonFact(row.params)},
                  {"remarks", JsonFact(row.remarks)},
                  {"correlation", row.correlation},
                  {"trigger", IdFact(row.trigger)},
                  {"plan", IdFact(row.plan)},
                  {"slice", IdFact(row.slice)},
                  {"createdAt", TimeFact(row.created_at)},
                  {"startedAt", TimeFact(row.started_at)},
                  {"finishedAt", TimeFact(row.finished_at)}}});
}

Facts FactsOf(const RunRow& row) {
  return Joined({{{"id", IdFact(row.id)}, {"status", row.status}},
                 FactsOf(row.scope),
                 FactsOf(row.window),
                 {{"attempt", row.attempt},
                  {"isReplay", row.is_replay},
                  {"stats", JsonFact(row.stats)},
                  {"error", TextFact(row.error)},
                  {"correlation", row.correlation},
                  {"plan", IdFact(row.plan)},
                  {"slice", IdFact(row.slice)},
                  {"task", IdFact(row.task)},
                  {"startedAt", TimeFact(row.started_at)},
                  {"finishedAt", TimeFact(row.finished_at)},
                  {"createdAt", TimeFact(row.created_at)}}});
}

Facts FactsOf(const BatchRow& row) {
  return Joined({{{"id", IdFact(row.id)}, {"status", row.status}},
                 FactsOf(row.scope),
                 {{"number", row.number},
                  {"page", CountFact(row.page)},
                  {"pageSize", CountFact(row.page_size)},
                  {"timeFrom", TimeFact(row.time_from)},
                  {"timeTo", TimeFact(row.time_to)},
                  {"beforeToken", TextFact(row.before_token)},
                  {"after", row.after ? JsonFact(*row.after) : Value()},
                  {"records", row.records},
                  {"stats", JsonFact(row.stats)},
                  {"request", DigestFact(row.request_digest)},
                  {"response", DigestFact(row.response_digest)},
                  {"error", TextFact(row.error)},
                  {"errorLevel", TextFact(row.error_level)},
                  {"rawBytes", CountFact(row.raw_bytes)},
                  {"plan", IdFact(row.plan)},
                  {"slice", IdFact(row.slice)},
                  {"task", IdFact(row.task)},
                  {"run", IdFact(row.run)},
                  {"createdAt", TimeFact(row.created_at)},
                  {"committedAt", TimeFact(row.committed_at)}}});
}

Facts FactsOf(const CursorRow& row) {
  return Joined({{{"id", IdFact(row.id)}},
                 FactsOf(row.scope),
                 {{"key", row.key},
                  {"type", row.type},
                  {"value", row.value},
                  {"observedMax", TextFact(row.observed_max)},
                  {"namespaceScope", row.namespace_scope},
                  {"namespaceKey", row.namespace_key},
                  {"plan", IdFact(row.plan)},
                  {"slice", IdFact(row.slice)},
                  {"task", IdFact(row.task)},
                  {"run", IdFact(row.run)},
                  {"batch", IdFact(row.batch)},
                  {"version", row.version},
                  {"createdAt", TimeFact(row.created_at)},
                  {"updatedAt", TimeFact(row.updated_at)}}});
}

Facts FactsOf(const CursorEventRow& row) {
  return Joined({{{"id", IdFact(row.id)}},
                 FactsOf(row.scope),
                 {{"key", row.key},
                  {"namespaceKey", row.namespace_key},
                  {"direction", row.direction},
                  {"before", TextFact(row.before)},
                  {"after", row.after},
                  {"refused", TextFact(row.refused)},
                  {"remarks", JsonFact(row.remarks)}},
                 FactsOf(row.window),
                 {{"plan", IdFact(row.plan)},
                  {"slice", IdFact(row.slice)},
                  {"task", IdFact(row.task)},
                  {"run", IdFact(row.run)},
                  {"at", TimeFact(row.at)}}});
}

Facts FactsOf(const DecisionRow& row) {
  return {{"id", IdFact(row.id)}, {"actor", row.actor},   {"way", row.way},
          {"action", row.action}, {"reason", row.reason}, {"at", TimeFact(row.at)}};
}

}  // namespace patra::contract
