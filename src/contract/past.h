// What was sent and done, step by step, as pictures of time need it: every step is there, also where nothing happened.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contract/facts.h"
#include "contract/ledger_rows.h"

namespace patra::contract {

// Steps of whole minutes.
struct PastSteps {
  Instant from;
  Duration step = std::chrono::minutes(1);
  std::size_t count = 1;

  // So many at most, which cover the stretch.
  // REQUIRES: it is longer than nothing
  static PastSteps Of(const Stretch& within, int steps_max);

  Instant At(std::size_t number) const { return from + static_cast<std::int64_t>(number) * step; }
  Instant to() const { return At(count); }
};

// Under one key of the gate.
struct GateStep {
  std::int64_t requests = 0;
  std::int64_t throttled = 0;
  std::int64_t failures = 0;
  std::int64_t cuts = 0;  // times that the rate went down
  std::int64_t cool_downs = 0;
  std::int64_t openings = 0;       // of the breaker
  std::int64_t share_ppm_sum = 0;  // of the limit that was allowed, over the requests
  std::int64_t limit_per_day = 0;  // at full rate; 0: it has none, or nothing was sent
  std::optional<Instant> stopped_until{};

  // What the limit allowed, and what the gate made of it after complaints; nothing where nothing was sent.
  std::optional<double> limit_per_second() const;
  std::optional<double> allowed_per_second() const;
  GateStep& operator+=(const GateStep& other);
};

struct GatePast {
  std::string key;
  std::vector<GateStep> steps;
};

struct GateHistory {
  PastSteps steps;
  std::vector<GatePast> keys;  // by name
  bool is_cut = false;         // there are more
};

struct WorkStep {
  std::int64_t claims = 0;
  std::int64_t batches_succeeded = 0;
  std::int64_t batches_failed = 0;
  std::int64_t records = 0;
  std::int64_t requests = 0;
  std::int64_t retries = 0;
  std::int64_t throttled = 0;
  std::int64_t latency_ms = 0;  // of all batches that were stored

  WorkStep& operator+=(const WorkStep& other);
};

struct WorkPast {
  std::string source;
  std::string endpoint;
  std::vector<WorkStep> steps;
};

struct WorkHistory {
  PastSteps steps;
  std::vector<WorkStep> all;
  std::vector<WorkPast> endpoints;     // by source and endpoint; those that did something
  std::optional<Instant> claims_from;  // earlier ones were not counted
};

// Members of lists, one entry a step: smaller than lists of objects, and what pictures are drawn from.
Value ToValue(const GateHistory& history);
Value ToValue(const WorkHistory& history);

// How much of what it may send an endpoint sends, over the last whole minute: of the limits that its requests have to keep to, the
// one that is used most.
struct RateInUse {
  std::string key;
  double requests_per_second = 0;  // of all who share the limit
  double allowed_per_second = 0;

  double share() const {
    return allowed_per_second > 0 ? requests_per_second / allowed_per_second : 0;
  }
};
Facts FactsOf(const RateInUse& rate);

}  // namespace patra::contract
