// What a provider allows and how patra keeps to it. The rules are configuration and travel with every
// call; what has been used of them is state (gate_cell.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace patra::domain {

// Earlier than anything that is remembered, and far enough from the edge to be reckoned with.
inline constexpr Duration kLongAgo = Duration::min() / 4;

// Whose requests a limit counts together.
enum class LimitScope : std::uint8_t {
  kSource,    // everything sent to the source
  kEndpoint,  // one endpoint of it
  kCredential,
  kCredentialAndEndpoint,
  kAddress,    // everything that a provider sees coming from our address: all sources on its host
  kOperation,  // one operation at one endpoint: what patra itself allows it
};
inline constexpr int kScopes = 6;

enum class LimitKind : std::uint8_t {
  kPaced,          // `count` per `window`, evenly spaced: holds against every way of counting
  kSlidingWindow,  // `count` in any stretch of `window`, in bursts if need be
  kFixedWindow,    // `count` in each window of the provider's clock
  kConcurrency,    // `count` at the same time; `window` is how long a request may take
  kQuota,          // `count` in each calendar window; counted in the store, survives everything
};

struct Limit {
  LimitKind kind = LimitKind::kPaced;
  LimitScope scope = LimitScope::kSource;
  std::int64_t count = 1;
  Duration window = std::chrono::seconds(1);
  // How far the time between our sending and the provider's counting varies, until that was measured.
  Duration jitter = std::chrono::milliseconds(20);
  Duration offset{};  // where fixed and calendar windows begin, from midnight UTC
  // Of a quota. The reserve is a margin of safety: the most urgent asker may go into it, slowly, and nobody else. What is
  // kept for more urgent askers gets less as the window passes, so that none of it is left over in the end.
  std::int64_t reserve = 0;
  std::int64_t kept = 0;
  bool spends_reserve = false;

  friend bool operator==(const Limit&, const Limit&) = default;
};

inline constexpr std::size_t kLimitsPerScopeMax = 3;
inline constexpr std::int64_t kConcurrencyMax = 64;

// How the rate follows what the provider says (AIMD). A known limit is never exceeded: there it only
// brakes and returns. Numbers are parts per million of the configured rate.
struct AdaptRules {
  bool limit_is_known = true;
  std::int64_t start = 1'000'000;       // where an unknown limit begins
  std::int64_t ceiling = 1'000'000;     // how high an unknown limit may be pushed
  std::int64_t cut_to = 700'000;        // of the present rate, when the provider complains
  std::int64_t policy_floor = 300'000;  // where slowing down for errors other than 429 ends
  std::int64_t known_step = 100'000;    // back up, per clean window
  std::int64_t unknown_step = 10'000;
  double rate_min_per_second = 0.1;  // where slowing down for 429 ends

  friend bool operator==(const AdaptRules&, const AdaptRules&) = default;
};

struct BreakerRules {
  int failures_in_a_row = 3;
  Duration open_for = std::chrono::seconds(2);       // at first
  Duration open_for_max = std::chrono::seconds(60);  // when probes keep failing
  int probes = 1;
  Duration probe_timeout = std::chrono::seconds(60);

  friend bool operator==(const BreakerRules&, const BreakerRules&) = default;
};

// What a response header is about. Its limit is GateRules::told_limit.
enum class HeaderMeaning : std::uint8_t {
  kLimit,        // a count
  kInterval,     // the window of that count: "1s", or a number of seconds
  kConcurrency,  // how many at the same time
  kRemaining,    // what is left in this window
  kReset,        // its end: seconds from now, or seconds since 1970 where the number is that large
};

struct HeaderRule {
  std::string name;  // lower case
  HeaderMeaning meaning;

  friend bool operator==(const HeaderRule&, const HeaderRule&) = default;
};

// X-RateLimit-*, RateLimit-*, and Crossref's names.
std::vector<HeaderRule> UsualHeaderRules();

struct GateRules {
  std::vector<Limit> limits;
  LimitScope feedback_scope = LimitScope::kSource;  // what a cool-down stops
  LimitScope breaker_scope = LimitScope::kSource;   // what failures stop
  std::int64_t cost_max = 1;                        // of a single request
  // Of the rate, in parts per million: what harvests get while they have to wait; the others share the rest.
  std::int64_t urgent_rate = 0;
  Duration warm_up{};           // after a cold start the rate climbs from a tenth for this long
  int told_limit = 0;           // the limit that response headers speak of
  bool told_may_raise = false;  // headers may raise what is configured, too: that was a guess
  std::vector<HeaderRule> headers = UsualHeaderRules();
  AdaptRules adapt;
  BreakerRules breaker;
  Duration cool_down_default = std::chrono::seconds(1);  // after a 429 that names no time
  Duration probe_every =
      std::chrono::hours(24);          // of a longer cool-down: one request asks whether it holds
  int quantum = 10;                    // slots in a row for one task while others wait
  std::int64_t retry_share = 200'000;  // of all requests, in parts per million
  std::int64_t retry_burst = 10;       // retries that a quiet source may make at once

  // How long a slot may be used after its time has come: as long as it costs little.
  Duration SlotLife() const;

  // By how much a limit's window is stretched before anything was measured, so that what we send inside the
  // stretched window arrives as no more than the limit in the provider's.
  Duration Guard(const Limit& limit) const { return limit.jitter + SlotLife(); }

  // The scopes that they name, each once: whose cells a decision needs.
  std::vector<LimitScope> Scopes() const;

  // How many of the dearest requests the limits of that scope allow in a day at full rate; 0: it has none on the rate.
  std::int64_t RequestsPerDay(LimitScope scope) const;

  friend bool operator==(const GateRules&, const GateRules&) = default;
};

// Every number in its bounds; else says which is not.
Result<void> Validate(const GateRules& rules);

}  // namespace patra::domain
