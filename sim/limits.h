// Enforced limits, and counters of what a provider saw.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "base/value.h"

namespace patra::sim {

struct Caller {
  std::string key;       // API key, token or, without one, the address
  std::string address;   // IP address
  std::string pool;      // the provider's class of callers ("polite"); rules may differ by it
  std::string endpoint;  // what is being asked for, as far as rules tell endpoints apart
};

struct LimitRule {
  enum class Kind { kSlidingWindow, kFixedWindow, kConcurrency };
  enum class Scope { kKey, kAddress, kEndpoint, kKeyAndEndpoint };

  Kind kind = Kind::kSlidingWindow;
  Scope scope = Scope::kKey;
  std::string pool;  // empty: every caller
  std::int64_t count_max = 0;
  Duration window = std::chrono::seconds(1);  // meaningless for kConcurrency
};

struct Rejection {
  LimitRule rule;
  std::int64_t count = 0;  // including this request
  Duration retry_after{};
};

// The tightest window rule that applied to an admitted request, for headers.
struct LimitState {
  std::optional<LimitRule> rule;
  std::optional<LimitRule> concurrency;
  std::int64_t remaining = 0;
};

// Thread-safe.
class LimitGate {
 public:
  explicit LimitGate(std::vector<LimitRule> rules);

  struct Decision {
    std::optional<Rejection> rejection;
    LimitState state;
    std::shared_ptr<void> place;  // in the concurrency limits; given back when it dies
  };
  // A rejected request costs nothing, except at providers that punish; none of ours does.
  Decision Enter(const Caller& caller, Duration now);

  void SetRules(std::vector<LimitRule> rules);
  std::vector<LimitRule> rules() const;

 private:
  struct Counters;
  std::shared_ptr<Counters> counters_;  // shared with the places that are given out
};

// What one provider saw, per caller's key. Thread-safe.
class ArrivalLog {
 public:
  void Count(const Caller& caller, Duration now, bool permitted);
  Value Describe() const;
  void Clear();

 private:
  struct Peak {
    explicit Peak(Duration length) : window(length) {}
    void Add(Duration now);

    Duration window;
    std::vector<Duration> recent;  // a ring of the arrivals inside the window
    std::size_t head = 0;
    std::int64_t peak = 0;
  };
  struct PerKey {
    std::int64_t permitted = 0;
    std::int64_t rejected = 0;
    Peak per_second{std::chrono::seconds(1)};
    Peak per_minute{std::chrono::minutes(1)};
    Peak permitted_per_second{std::chrono::seconds(1)};
    Peak permitted_per_minute{std::chrono::minutes(1)};
    std::map<std::string, std::int64_t> by_endpoint;
  };
  static constexpr std::size_t kKeysMax = 1'000;
  static constexpr std::size_t kEndpointsMax = 100;

  mutable std::mutex mutex_;
  std::map<std::string, PerKey> keys_;
  std::int64_t keys_dropped_ = 0;
};

// {"kind":"sliding","scope":"key","count":3,"window":"1s"} and back.
Result<LimitRule> ParseLimitRule(const Value& value);
Value DescribeRule(const LimitRule& rule);

}  // namespace patra::sim
