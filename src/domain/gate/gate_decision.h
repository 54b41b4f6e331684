// The gate's decisions, as functions of state, rules and time: whoever keeps the state (a mapped file, a
// test, a script in a server) decides alike.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>

#include "domain/gate/gate_cell.h"

namespace patra::domain {

// Smaller is more urgent. The lower ones get what the higher ones leave.
enum class GatePriority : std::uint8_t { kHarvest, kUpdate, kBackfill };

// Of a task in the queue: its number decides and not its operation, so that whoever changes the one changes the other.
GatePriority UrgencyOf(int task_priority);

// A place in line that is paid for. It is good from `slot` on for as long as a slot lives, unless the
// provider stops everything in between.
struct Booking {
  Duration slot{};
  Duration life{};
  std::uint64_t stops = 0;
  std::uint64_t booked = 0;  // of the feedback's cell, this one included
  LeaseId lease = 0;         // held in every limit on concurrency; 0 without one
};

struct GateAsk {
  std::int64_t cost = 1;
  Duration deadline = std::chrono::seconds(10);  // the longest wait that is worth it
  GatePriority priority = GatePriority::kHarvest;
  std::uint64_t task = 0;
  bool is_retry = false;
  std::optional<Booking> booking;  // from the answer that told to wait
  // At least so far ahead a slot is booked, whatever the urgency: for whoever pays for every look at the state.
  Duration book_ahead{};
};

// A piece of a quota that has to come from the store before anything can be decided.
struct QuotaNeed {
  LimitScope scope;
  std::size_t index;    // among the scope's limits
  std::int64_t window;  // its number
  Instant from;
  Instant to;
  std::int64_t allowed;  // in the whole window
  std::int64_t keep;     // of which the asker leaves so much untouched
  std::int64_t piece;
};

// How much of a quota its asker leaves untouched at that time of day.
std::int64_t KeptBack(const Limit& limit, Instant wall);

struct GateVerdict {
  enum class Kind : std::uint8_t { kAllow, kWait, kReject, kNeedsQuota };

  Kind kind = Kind::kAllow;
  WaitReason reason = WaitReason::kNone;
  Duration until{};          // kWait: ask again then; kReject: hopeless before
  bool leaves_rest = false;  // kQuota: some of it is left, for more urgent askers or for later
  std::optional<Booking> booking;  // kAllow, and kWait where a slot is kept
  std::optional<QuotaNeed> need;
};

// The cells that a target's requests touch, one per scope that the rules name. Not owned.
struct GateCells {
  std::array<GateCell*, kScopes> of{};

  GateCell& At(LimitScope scope) const { return *of[static_cast<std::size_t>(scope)]; }
};

// `new_lease` names the concurrency lease, should one be taken; not 0, and never used before.
// REQUIRES: valid rules; a cell for every scope that they name.
GateVerdict Decide(const GateRules& rules, const GateCells& cells, const GateAsk& ask,
                   const GateTime& time, LeaseId new_lease);

// What a booking is worth: kAllow while its slot lives, kWait before; nothing where it is void or comes too late.
std::optional<GateVerdict> WorthOf(const GateRules& rules, const GateCells& cells,
                                   const Booking& booking, const GateTime& time);

// A request that went, or will go, without being booked in these cells.
struct Unbooked {
  Duration at{};
  std::int64_t cost = 1;
  std::int64_t share = 1'000'000;  // of the rate that its sender kept to, in parts per million
  LeaseId lease = 0;               // while it is under way
};
void Charge(const GateRules& rules, const GateCells& cells, const Unbooked& request,
            const GateTime& time);

void AddQuota(const GateCells& cells, const QuotaNeed& need, std::int64_t granted);

// The request that held `lease` has ended. Its places are free a little later.
void Release(const GateCells& cells, LeaseId lease, Duration now);

// The processes that are gone hold places still. A provider may go on for a moment with what nobody waits for any more.
void ReleaseGone(const GateCells& cells, Duration now,
                 const std::function<bool(LeaseOwner)>& is_gone);

// Limits that were never used count as used up at `time`: what is right when their past was lost.
void AssumeFull(const GateRules& rules, const GateCells& cells, const GateTime& time);

// What a request came to.
struct GateSignal {
  enum class Kind : std::uint8_t {
    kOk,
    kThrottled,  // 429, or whatever the source says means the same
    kTransient,  // 5xx, timeouts, broken connections
    kRefused,    // the credential is not accepted
    kRejected,   // the request was wrong; the provider is fine
    // Not what a request came to, but what self-healing wants after many of them.
    kSlowDown,     // no faster than `share` of the configured rate, for `span`
    kOpenCircuit,  // no requests for `span`, then a probe
  };

  Kind kind = Kind::kOk;
  Duration sent_at = kLongAgo;        // when its permit was granted
  std::uint64_t booked = 0;           // of the request's permit
  std::optional<Duration> delay{};    // from the permit to the first byte of the answer
  std::optional<Duration> cool_down;  // as told, by Retry-After or in the body
  std::optional<std::int64_t> limit;  // of the limit that the rules say is meant
  std::optional<Duration> interval;
  std::optional<std::int64_t> concurrency;
  std::optional<std::int64_t> remaining;
  std::optional<Duration> reset_in;
  std::int64_t share = 0;  // kSlowDown: parts per million
  Duration span{};         // kSlowDown, kOpenCircuit
};

// What a signal made different for everybody who goes that way.
struct GateChange {
  bool is_slowed = false;  // the rate is less than before
  bool is_opened = false;  // the breaker: no requests for a while
  bool is_frozen = false;  // a cool-down begins, or gets longer
  Duration stopped_for{};  // by these two, from now on
  std::int64_t share =
      AdaptiveRate::kFull;  // of the rate that was allowed before, in parts per million

  friend bool operator==(const GateChange&, const GateChange&) = default;
};

// `chance` in [0, 1) is for the jitter of cool-downs.
GateChange Feed(const GateRules& rules, const GateCells& cells, const GateSignal& signal,
                const GateTime& time, double chance);

struct GateEstimate {
  std::int64_t permits = 0;      // that can be had within the horizon
  std::int64_t concurrency = 1;  // workers that are worth having, for a latency of a second
  Duration blocked_until = kLongAgo;
  WaitReason reason = WaitReason::kNone;
  std::optional<Instant>
      more_from{};  // where a quota bounds the permits: when its next window begins
};

GateEstimate Estimate(const GateRules& rules, const GateCells& cells, const GateTime& time,
                      Duration horizon);

}  // namespace patra::domain
