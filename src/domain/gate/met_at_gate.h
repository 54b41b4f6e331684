// How often requests met what holds them back, or made the gate hold back others.
#pragma once

#include "base/value.h"
#include "domain/gate/gate_decision.h"

namespace patra::domain {

struct MetAtGate {
  int retry_after = 0;  // answers that said when to come again
  int slowed = 0;       // the rate went down
  int opened = 0;       // the breaker opened
  int soft_quota = 0;   // what is left of a quota was not for this request, or not yet
  int hard_quota = 0;   // nothing was left of it

  void Add(const GateChange& change) {
    slowed += change.is_slowed ? 1 : 0;
    opened += change.is_opened ? 1 : 0;
  }

  MetAtGate& operator+=(const MetAtGate& other) {
    retry_after += other.retry_after;
    slowed += other.slowed;
    opened += other.opened;
    soft_quota += other.soft_quota;
    hard_quota += other.hard_quota;
    return *this;
  }

  MetAtGate& operator-=(const MetAtGate& other) {
    retry_after -= other.retry_after;
    slowed -= other.slowed;
    opened -= other.opened;
    soft_quota -= other.soft_quota;
    hard_quota -= other.hard_quota;
    return *this;
  }

  // As the ledger keeps them, beside other members of the account of a run or batch.
  void AddTo(Value::Object& stats) const {
    stats["retryAfterHits"] = std::int64_t{retry_after};
    stats["demoteEvents"] = std::int64_t{slowed};
    stats["circuitOpened"] = std::int64_t{opened};
    stats["quotaSoftHits"] = std::int64_t{soft_quota};
    stats["quotaHardHits"] = std::int64_t{hard_quota};
  }
};

}  // namespace patra::domain
