// The ledger as people look at it: what was triggered, planned, cut, queued, run and committed. Codes are
// those of the tables (docs/ledger.md); an id of 0 means that there is none.
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

// Source time, [from, to).
struct Stretch {
  Instant from;
  Instant to;

  std::string Describe() const;
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

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
  std::string config_hash{};  // of the source's configuration, without what shapes requests
};

// Where a value of a plan's snapshot came from.
struct OriginRow {
  std::string path;   // "window.safety_lag"
  std::string value;  // as written
  std::string level;  // platform, source, endpoint, sub-config or trigger
  std::string place;  // file:line:column, or the option of the command; empty where nobody knows
};

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
  Instant created_at;
  Instant updated_at;
  std::optional<Instant> closed_at;
  std::optional<Instant> provable_to{};  // what comes after that was read too early
  std::string remarks = "[]";            // JSON: what happened to it that its state does not tell
};

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
  std::string remarks = "[]";  // JSON: what happened to it that its state does not tell
};

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

// A decision that a person took.
struct DecisionRow {
  Id id = 0;
  std::string actor;
  std::string way;  // "COMMAND_LINE"
  std::string action;
  std::string reason;
  Instant at;
};

Facts FactsOf(const RecordSums& sums);
Facts FactsOf(const TriggerRow& row);
Facts FactsOf(const PlanRow& row);
Facts FactsOf(const OriginRow& row);
Facts FactsOf(const SliceRow& row);
Facts FactsOf(const TaskRow& row);
Facts FactsOf(const RunRow& row);
Facts FactsOf(const BatchRow& row);
Facts FactsOf(const CursorRow& row);
Facts FactsOf(const CursorEventRow& row);
Facts FactsOf(const DecisionRow& row);

}  // namespace patra::contract
