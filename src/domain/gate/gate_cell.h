// What the gate remembers about one key: how much of each limit is used, and how the provider has
// been answering. Plain bytes of a fixed size, so that it can lie in memory that processes share.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "domain/gate/adaptive_rate.h"
#include "domain/gate/breaker.h"
#include "domain/gate/delay_spread.h"
#include "domain/gate/fair_turns.h"
#include "domain/gate/fixed_window.h"
#include "domain/gate/gate_key.h"
#include "domain/gate/gate_rules.h"
#include "domain/gate/paced_slots.h"
#include "domain/gate/permit_leases.h"
#include "domain/gate/quota_share.h"
#include "domain/gate/retry_budget.h"
#include "domain/gate/sliding_log.h"
#include "domain/gate/slot_life.h"
#include "domain/word/wait_reason.h"

namespace patra::domain {

// The two clocks of a decision.
struct GateTime {
  Duration now;  // never jumps; the same for all who share the state
  Instant wall;  // UTC; for windows of the provider's clock
};

// The state of one limit. The machine that its kind needs is in use, the others lie idle; only the log
// is large.
struct LimitState {
  LimitKind kind = LimitKind::kPaced;
  bool is_set = false;
  std::int64_t told_count = 0;  // by the provider's headers; 0: nothing told
  Duration told_window{};
  std::int64_t told_left = 0;  // until told_until, as the provider counts
  Duration told_until = kLongAgo;
  PacedSlots slots;
  FixedWindow window;
  PermitLeases leases;
  QuotaShare quota;
  SlidingLog log;
};

struct GateCounts {
  std::int64_t permits = 0;
  std::int64_t waits = 0;    // answers that told to wait
  std::int64_t rejects = 0;  // answers that told to come back another day
  std::int64_t lost_slots = 0;
  std::int64_t throttled = 0;  // 429 and their like
  std::int64_t failures = 0;
  std::int64_t cool_downs = 0;
  std::int64_t cuts = 0;
  std::int64_t openings = 0;  // of the breaker
};

struct GateCell {
  std::array<char, kGateKeyBytesMax + 1> key{};  // ends with 0; empty: free
  Duration used_at = kLongAgo;
  std::array<LimitState, kLimitsPerScopeMax> limits;

  Duration frozen_until = kLongAgo;
  Duration frozen_at = kLongAgo;  // when the provider said so
  Duration probe_at =
      kLongAgo;  // of a long stop: from then on one request may ask whether it still holds
  std::uint64_t stops = 0;   // cool-downs and openings so far: what was booked before is void
  std::uint64_t booked = 0;  // cost of all bookings so far
  bool is_refused = false;
  Duration urgent_waited_at = kLongAgo;  // when a harvest last had to wait for others
  Duration less_urgent_next = kLongAgo;  // while it does: when the next of the others may go
  SlotLife life;
  DelaySpread delays;
  AdaptiveRate rate;
  Breaker breaker;
  RetryBudget retries;
  FairTurns turns;
  GateCounts counts;

  std::string_view name() const { return key.data(); }

  // How far delays vary, as measured, and as assumed by `limit` until then.
  Duration JitterOf(const Limit& limit) const;
  // By how much `limit` is stretched, for jitter and for the life of slots.
  Duration GuardOf(const Limit& limit) const { return JitterOf(limit) + life.Longest(); }
  // How much later than we the provider may see the end of a request.
  Duration EndSeenLaterBy() const;
};
static_assert(std::is_trivially_copyable_v<GateCell>);

// Changes with every change of the bytes, so that whoever keeps them knows whose they are.
inline constexpr std::uint64_t kGateCellLayout = 7;

// Makes a free cell the cell of `key`.
void Claim(GateCell& cell, std::string_view key, const GateRules& rules, Duration now);

// Ends cool-downs, the breaker's pause and slow-downs, and takes the credential back. What was used stays used.
void EndStops(GateCell& cell);

// What was used of the limits is not known any more, and what was booked is void; stops and what the provider told
// stay. AssumeFull says what that means.
void ForgetUse(GateCell& cell);

}  // namespace patra::domain
