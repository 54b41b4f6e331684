// The ledger as people look at it: what was triggered, planned, cut, queued, run and committed. Codes are
// those of the tables (docs/ledger.md); an id of 0 means that there is none. Under each row stands what its members are
// called where they are shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/id.h"
#include "base/time.h"
#include "contract/facts.h"

namespace patra::contract {

// Which provider, which of its record sets, and what is done with it.
struct Scope {
  std::string source;
  std::string endpoint;
  std::string operation;

  std::string Name() const { return source + "/" + endpoint; }
};

Facts FactsOf(const Scope& scope);

// Source time, [from, to).
struct Stretch {
  Instant from;
  Instant to;

  std::string Describe() const;
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

Facts FactsOf(const std::optional<Stretch>& window);

// I14: announced = received = inserted + updated + unchanged + stale + quarantined + filtered.
struct RecordSums {
  std::optional<std::int64_t> announced;  // none where the source announces no total
  std::int64_t received = 0;
  std::int64_t inserted = 0;
  std::int64_t updated = 0;
  std::int64_t unchanged = 0;
  std::int64_t stale = 0;
  std::int64_t quarantined = 0;
  std::int64_t filtered = 0;
  std::int64_t repeated = 0;  // of `received`, what came before

  std::int64_t accounted() const {
    return inserted + updated + unchanged + stale + quarantined + filtered;
  }
  // Announced and never received.
  std::int64_t missing() const;
  RecordSums& operator+=(const RecordSums& other);
  friend bool operator==(const RecordSums&, const RecordSums&) = default;
};

inline Facts FactsOf(const RecordSums& sums) {
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

struct TriggerRow {
  Id id = 0;
  Scope scope;
  std::string type;
  std::string scheduler;
  Instant fired_at;
  std::string params;         // JSON
  std::string remarks;        // JSON
  std::string correlation{};  // follows it through plans, tasks, runs, log lines and messages
};

inline Facts FactsOf(const TriggerRow& row) {
  return Joined({{{"id", IdFact(row.id)}},
                 FactsOf(row.scope),
                 {{"type", row.type},
                  {"scheduler", row.scheduler},
                  {"firedAt", TimeFact(row.fired_at)},
                  {"correlation", row.correlation},
                  {"params", JsonFact(row.params)},
                  {"remarks", JsonFact(row.remarks)}}});
}

struct PlanRow {
  Id id = 0;
  Id trigger = 0;
  Scope scope;
  std::string status;
  std::optional<Stretch> window;
  std::optional<Instant> sliced_to;  // what lies beyond is not cut yet
  std::string strategy;
  std::int64_t priority = 0;
  std::string query_hash;
  std::string fingerprint;  // of the snapshot
  std::string remarks;      // JSON
  Instant created_at;
  Instant updated_at;
  std::string correlation{};
  std::string config{};       // JSON: the source's configuration, without what shapes requests
  std::string config_hash{};  // of it
};

inline Facts FactsOf(const PlanRow& row) {
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
                  {"config", DigestFact(row.config)},
                  {"configHash", row.config_hash},
                  {"remarks", JsonFact(row.remarks)},
                  {"createdAt", TimeFact(row.created_at)},
                  {"updatedAt", TimeFact(row.updated_at)}}});
}

// Where a value of a plan's snapshot came from.
struct OriginRow {
  std::string path;   // "window.safety_lag"
  std::string value;  // as written
  std::string level;  // platform, source, endpoint, sub-config or trigger
  std::string place;  // file:line:column, or the option of the command; empty where nobody knows
};

inline Facts FactsOf(const OriginRow& row) {
  return {{"path", row.path}, {"value", row.value}, {"level", row.level}, {"place", row.place}};
}

struct SliceRow {
  Id id = 0;
  Id plan = 0;
  Id parent = 0;
  Id task = 0;
  Scope scope;
  std::int64_t number = 0;
  std::string status;
  std::optional<Stretch> window;
  RecordSums sums;
  std::optional<std::string> gap;
  std::string query_hash;
  std::string expr_hash;
  std::string
      expression;  // JSON: the templates of its requests, and the values that it gives to them
  Instant created_at;
  Instant updated_at;
  std::optional<Instant> closed_at;
  std::optional<Instant> provable_to{};  // what comes after that was read too early
  std::string remarks = "[]";            // JSON: what happened to it that its state does not tell
  // Of one that was cut: what it announced then, where its parts have to announce as many; what they did; and what it announced
  // after they were read, where that was less.
  std::optional<std::int64_t> cut_total{};
  std::optional<std::int64_t> parts_total{};
  std::optional<std::int64_t> whole_total{};

  // There are records that none of its parts was given.
  bool falls_short() const { return whole_total && parts_total && *whole_total > *parts_total; }
};

inline Facts FactsOf(const SliceRow& row) {
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
                  {"cutTotal", CountFact(row.cut_total)},
                  {"partsTotal", CountFact(row.parts_total)},
                  {"wholeTotal", CountFact(row.whole_total)},
                  {"queryHash", row.query_hash},
                  {"exprHash", row.expr_hash},
                  {"expression", DigestFact(row.expression)},
                  {"createdAt", TimeFact(row.created_at)},
                  {"updatedAt", TimeFact(row.updated_at)},
                  {"closedAt", TimeFact(row.closed_at)}}});
}

struct TaskRow {
  Id id = 0;
  Id trigger = 0;
  Id plan = 0;
  Id slice = 0;
  Scope scope;
  std::string status;
  bool parked = false;  // queued, but not before scheduled_at
  std::int64_t priority = 0;
  Instant scheduled_at;
  std::optional<std::string> wait_reason;
  std::optional<std::string> lease_owner;
  std::optional<Instant> leased_until;
  std::int64_t fence = 0;
  std::int64_t lease_count = 0;
  std::int64_t retry_count = 0;
  std::optional<std::string> last_error;
  Instant created_at;
  std::optional<Instant> started_at;
  std::optional<Instant> finished_at;
  std::optional<std::string> last_error_code{};
  std::optional<std::string>
      credential{};           // the name of the one that its last request went out with
  std::string params = "{}";  // JSON: what it walks, and what its trigger wished
  std::string correlation{};
  std::string remarks = "[]";             // JSON: what happened to it that its state does not tell
  std::optional<Instant> heartbeat_at{};  // when its worker was last known to live
};

inline Facts FactsOf(const TaskRow& row) {
  return Joined({{{"id", IdFact(row.id)}, {"status", row.status}},
                 FactsOf(row.scope),
                 {{"parked", row.parked},
                  {"waitReason", TextFact(row.wait_reason)},
                  {"scheduledAt", TimeFact(row.scheduled_at)},
                  {"priority", row.priority},
                  {"leaseOwner", TextFact(row.lease_owner)},
                  {"leasedUntil", TimeFact(row.leased_until)},
                  {"heartbeatAt", TimeFact(row.heartbeat_at)},
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

struct RunRow {
  Id id = 0;
  Id task = 0;
  Id slice = 0;
  Id plan = 0;
  Scope scope;
  std::int64_t attempt = 0;
  std::string status;
  bool is_replay = false;
  std::optional<Stretch> window;
  std::string stats;  // JSON
  std::optional<std::string> error;
  std::optional<Instant> started_at;
  std::optional<Instant> finished_at;
  Instant created_at;
  std::string correlation{};
};

inline Facts FactsOf(const RunRow& row) {
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

struct BatchRow {
  Id id = 0;
  Id run = 0;
  Id task = 0;
  Id slice = 0;
  Id plan = 0;
  Scope scope;
  std::int64_t number = 0;
  std::optional<std::int64_t> page;
  std::optional<std::string> before_token;
  std::optional<std::string> after;  // JSON: where the next one starts
  std::string status;
  std::int64_t records = 0;
  std::optional<std::string> error;
  std::optional<std::string> error_level;
  std::string request_digest;   // JSON, empty before the request
  std::string response_digest;  // JSON, empty before the response
  std::string stats;            // JSON
  Instant created_at;
  std::optional<Instant> committed_at;
  std::optional<std::int64_t> raw_bytes;    // of the page in the vault, where it is kept
  std::optional<std::int64_t> page_size{};  // that was asked for; of details, how many ids
  std::optional<Instant> time_from{};       // of a walk by time: from where it asked
  std::optional<Instant> time_to{};         // and up to where the answer goes
};

inline Facts FactsOf(const BatchRow& row) {
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

struct CursorRow {
  Id id = 0;
  Scope scope;
  std::string key;              // the watermark's field, such as updated_at
  std::string namespace_scope;  // GLOBAL, EXPR or CUSTOM
  std::string namespace_key;
  std::string type;  // TIME or ID
  std::string value;
  std::optional<std::string> observed_max;
  std::optional<Instant> instant;  // the value of a TIME cursor
  Id plan = 0;                     // what moved it last
  Id slice = 0;
  Id task = 0;
  Id run = 0;
  Id batch = 0;
  std::int64_t version = 0;
  Instant created_at;
  Instant updated_at;

  std::string Name() const;  // as the audit names it
};

inline Facts FactsOf(const CursorRow& row) {
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

struct CursorEventRow {
  Id id = 0;
  Scope scope;
  std::string key;
  std::string namespace_key;
  std::string direction;  // FORWARD, BACKFILL or MANUAL
  std::optional<std::string> before;
  std::string after;
  std::optional<Stretch> window;
  Id plan = 0;
  Id slice = 0;
  Id task = 0;
  Id run = 0;
  Instant at;
  std::optional<std::string> refused{};  // why the value stayed at `before`
  std::string remarks = "{}";            // JSON: what moved it, who, and why
};

inline Facts FactsOf(const CursorEventRow& row) {
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

// A decision that a person took.
struct DecisionRow {
  Id id = 0;
  std::string actor;
  std::string way;  // "COMMAND_LINE"
  std::string action;
  std::string reason;
  std::string details;  // JSON: what was decided on, and about what
  Instant at;
};

inline Facts FactsOf(const DecisionRow& row) {
  return {{"id", IdFact(row.id)},  {"actor", row.actor},   {"way", row.way},
          {"action", row.action},  {"reason", row.reason}, {"details", DigestFact(row.details)},
          {"at", TimeFact(row.at)}};
}

// One in the list of all decisions, which says what it is about.
// Batches that ended alike.
struct AnswerCount {
  std::string status;                       // of the batch
  std::optional<std::int64_t> http_status;  // none where no answer is kept
  std::int64_t batches = 0;
};

inline Facts FactsOf(const AnswerCount& row) {
  return {
      {"status", row.status}, {"httpStatus", CountFact(row.http_status)}, {"batches", row.batches}};
}

struct AuditRow {
  DecisionRow decision;
  std::string object_type;  // "TASK"
  std::string object;       // "42"
};

inline Facts FactsOf(const AuditRow& row) {
  return Joined({FactsOf(row.decision), {{"objectType", row.object_type}, {"object", row.object}}});
}

}  // namespace patra::contract
