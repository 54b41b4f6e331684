#include "sim/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>

#include "base/duration.h"

namespace patra::sim {
namespace {

std::string ScopeKey(const LimitRule& rule, std::size_t index, const Caller& caller) {
  switch (rule.scope) {
    case LimitRule::Scope::kKey:
      return fmt::format("{}|{}", index, caller.key);
    case LimitRule::Scope::kAddress:
      return fmt::format("{}|{}", index, caller.address);
    case LimitRule::Scope::kEndpoint:
      return fmt::format("{}|{}", index, caller.endpoint);
    case LimitRule::Scope::kKeyAndEndpoint:
      break;
  }
  return fmt::format("{}|{}|{}", index, caller.key, caller.endpoint);
}

}  // namespace

struct LimitGate::Counters {
  struct Bucket {
    std::deque<Duration> arrivals;    // of a sliding window
    std::int64_t window_number = -1;  // of a fixed window
    std::int64_t count = 0;           // of a fixed window, or requests in flight
  };
  static constexpr std::size_t kBucketsMax = 10'000;

  mutable std::mutex mutex;
  std::vector<LimitRule> rules;
  std::map<std::string, Bucket> buckets;
  std::int64_t generation = 0;  // places from before a change of rules give nothing back

  // Requests that count against the rule right now.
  std::int64_t Used(const LimitRule& rule, Bucket& bucket, Duration now) {
    switch (rule.kind) {
      case LimitRule::Kind::kSlidingWindow:
        while (!bucket.arrivals.empty() && bucket.arrivals.front() <= now - rule.window) {
          bucket.arrivals.pop_front();
        }
        return static_cast<std::int64_t>(bucket.arrivals.size());
      case LimitRule::Kind::kFixedWindow:
        if (bucket.window_number != now / rule.window) {
          bucket.window_number = now / rule.window;
          bucket.count = 0;
        }
        return bucket.count;
      case LimitRule::Kind::kConcurrency:
        break;
    }
    return bucket.count;
  }

  static void Take(const LimitRule& rule, Bucket& bucket, Duration now) {
    if (rule.kind == LimitRule::Kind::kSlidingWindow) {
      bucket.arrivals.push_back(now);
    } else {
      ++bucket.count;
    }
  }

  static Duration Wait(const LimitRule& rule, const Bucket& bucket, Duration now) {
    if (rule.kind == LimitRule::Kind::kFixedWindow) return rule.window - now % rule.window;
    if (rule.kind == LimitRule::Kind::kConcurrency || bucket.arrivals.empty()) {
      return std::chrono::seconds(1);
    }
    return bucket.arrivals.front() + rule.window - now;
  }

  // A simulator that runs for days must not grow with every key it ever saw.
  void ForgetIdle(Duration now) {
    if (buckets.size() < kBucketsMax) return;
    for (auto it = buckets.begin(); it != buckets.end();) {
      const auto index = static_cast<std::size_t>(std::stoul(it->first));
      const bool idle = index >= rules.size() || Used(rules[index], it->second, now) == 0;
      it = idle ? buckets.erase(it) : std::next(it);
    }
  }
};

LimitGate::LimitGate(std::vector<LimitRule> rules) : counters_(std::make_shared<Counters>()) {
  counters_->rules = std::move(rules);
}

LimitGate::Decision LimitGate::Enter(const Caller& caller, Duration now) {
  const std::lock_guard lock(counters_->mutex);
  counters_->ForgetIdle(now);
  Decision decision;
  std::vector<std::pair<const LimitRule*, Counters::Bucket*>> taken;
  std::vector<std::string> in_flight;
  for (std::size_t i = 0; i < counters_->rules.size(); ++i) {
    const auto& rule = counters_->rules[i];
    if (!rule.pool.empty() && rule.pool != caller.pool) continue;
    const auto key = ScopeKey(rule, i, caller);
    auto& bucket = counters_->buckets[key];
    const auto used = counters_->Used(rule, bucket, now);
    if (used >= rule.count_max) {
      decision.rejection = Rejection{rule, used + 1, Counters::Wait(rule, bucket, now)};
      decision.state.rule = rule;
      return decision;
    }
    taken.emplace_back(&rule, &bucket);
    if (rule.kind == LimitRule::Kind::kConcurrency) {
      in_flight.push_back(key);
      decision.state.concurrency = rule;
    } else if (const auto left = rule.count_max - used - 1;
               !decision.state.rule || left < decision.state.remaining) {
      decision.state.rule = rule;
      decision.state.remaining = left;
    }
  }
  for (const auto& [rule, bucket] : taken) Counters::Take(*rule, *bucket, now);
  if (!in_flight.empty()) {
    const auto give_back = [counters = counters_, in_flight,
                            generation = counters_->generation](void*) {
      const std::lock_guard give_lock(counters->mutex);
      if (counters->generation != generation) return;
      for (const auto& key : in_flight) {
        const auto found = counters->buckets.find(key);
        if (found != counters->buckets.end()) --found->second.count;
      }
    };
    decision.place = std::shared_ptr<void>(counters_.get(), give_back);
  }
  return decision;
}

void LimitGate::SetRules(std::vector<LimitRule> rules) {
  const std::lock_guard lock(counters_->mutex);
  counters_->rules = std::move(rules);
  counters_->buckets.clear();
  ++counters_->generation;
}

std::vector<LimitRule> LimitGate::rules() const {
  const std::lock_guard lock(counters_->mutex);
  return counters_->rules;
}

// The ring grows while the window holds more than it can, up to a bound that no honest test
// reaches; beyond it the peak stays at the bound.
void ArrivalLog::Peak::Add(Duration now) {
  constexpr std::size_t kRecentMax = 1u << 20;
  while (head < recent.size() && recent[head] <= now - window) ++head;
  if (head > 1'024 && head * 2 > recent.size()) {
    recent.erase(recent.begin(), recent.begin() + static_cast<std::ptrdiff_t>(head));
    head = 0;
  }
  if (recent.size() - head < kRecentMax) recent.push_back(now);
  peak = std::max(peak, static_cast<std::int64_t>(recent.size() - head));
}

void ArrivalLog::Count(const Caller& caller, Duration now, bool permitted) {
  const std::lock_guard lock(mutex_);
  auto found = keys_.find(caller.key);
  if (found == keys_.end()) {
    if (keys_.size() == kKeysMax) {
      ++keys_dropped_;
      return;
    }
    found = keys_.try_emplace(caller.key).first;
  }
  auto& key = found->second;
  ++(permitted ? key.permitted : key.rejected);
  key.per_second.Add(now);
  key.per_minute.Add(now);
  if (permitted) {
    key.permitted_per_second.Add(now);
    key.permitted_per_minute.Add(now);
  }
  if (key.by_endpoint.contains(caller.endpoint) || key.by_endpoint.size() < kEndpointsMax) {
    ++key.by_endpoint[caller.endpoint];
  }
}

Value ArrivalLog::Describe() const {
  const std::lock_guard lock(mutex_);
  Value::Object keys;
  std::int64_t permitted = 0;
  std::int64_t rejected = 0;
  for (const auto& [name, key] : keys_) {
    permitted += key.permitted;
    rejected += key.rejected;
    Value::Object endpoints;
    for (const auto& [endpoint, count] : key.by_endpoint) endpoints[endpoint] = count;
    keys[name] = Value::Object{
        {"requests", key.permitted + key.rejected},
        {"permitted", key.permitted},
        {"rejected", key.rejected},
        {"peakPerSecond", key.per_second.peak},
        {"peakPerMinute", key.per_minute.peak},
        {"peakPermittedPerSecond", key.permitted_per_second.peak},
        {"peakPermittedPerMinute", key.permitted_per_minute.peak},
        {"endpoints", std::move(endpoints)},
    };
  }
  return Value::Object{{"requests", permitted + rejected},
                       {"permitted", permitted},
                       {"rejected", rejected},
                       {"uncounted", keys_dropped_},
                       {"keys", std::move(keys)}};
}

void ArrivalLog::Clear() {
  const std::lock_guard lock(mutex_);
  keys_.clear();
  keys_dropped_ = 0;
}

namespace {

template <typename Enum>
struct Named {
  std::string_view name;
  Enum value;
};

constexpr auto kKinds = std::to_array<Named<LimitRule::Kind>>({
    {"sliding", LimitRule::Kind::kSlidingWindow},
    {"fixed", LimitRule::Kind::kFixedWindow},
    {"concurrency", LimitRule::Kind::kConcurrency},
});
constexpr auto kScopes = std::to_array<Named<LimitRule::Scope>>({
    {"key", LimitRule::Scope::kKey},
    {"ip", LimitRule::Scope::kAddress},
    {"endpoint", LimitRule::Scope::kEndpoint},
    {"key+endpoint", LimitRule::Scope::kKeyAndEndpoint},
});

template <typename Table>
auto FindByName(const Table& table, const Value& value, std::string_view member)
    -> Result<decltype(table[0].value)> {
  const auto* found = value.Find(member);
  if (!found) return table[0].value;
  const auto* text = found->AsString();
  for (const auto& named : table) {
    if (text && *text == named.name) return named.value;
  }
  std::string known;
  for (const auto& named : table)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", named.name);
  return Fail(ErrorCode::kInvalidInput, fmt::format("unknown {} of a limit", member), {},
              "use one of: " + known);
}

template <typename Table, typename Enum>
std::string NameIn(const Table& table, Enum value) {
  for (const auto& named : table) {
    if (named.value == value) return std::string(named.name);
  }
  return {};
}

}  // namespace

Result<LimitRule> ParseLimitRule(const Value& value) {
  if (!value.AsObject()) return Fail(ErrorCode::kInvalidInput, "a limit must be an object");
  for (const auto& [name, member] : *value.AsObject()) {
    static constexpr auto kMembers =
        std::to_array<std::string_view>({"kind", "scope", "pool", "count", "window"});
    if (std::ranges::find(kMembers, name) == kMembers.end()) {
      return Fail(ErrorCode::kInvalidInput, fmt::format("a limit has no member '{}'", name));
    }
  }
  LimitRule rule;
  rule.kind = PATRA_TRY(FindByName(kKinds, value, "kind"));
  rule.scope = PATRA_TRY(FindByName(kScopes, value, "scope"));
  const auto* count = value.Find("count");
  if (!count || !count->AsInteger() || *count->AsInteger() < 0) {
    return Fail(ErrorCode::kInvalidInput, "a limit needs a 'count' of at least 0");
  }
  rule.count_max = *count->AsInteger();
  if (const auto* pool = value.Find("pool"); pool && pool->AsString()) {
    rule.pool = *pool->AsString();
  }
  if (const auto* window = value.Find("window")) {
    if (!window->AsString()) return Fail(ErrorCode::kInvalidInput, "'window' must be a text");
    rule.window = PATRA_TRY(ParseDuration(*window->AsString()));
    if (rule.window <= Duration::zero()) {
      return Fail(ErrorCode::kInvalidInput, "'window' must be longer than nothing");
    }
  }
  return rule;
}

Value DescribeRule(const LimitRule& rule) {
  Value::Object described{{"kind", NameIn(kKinds, rule.kind)},
                          {"scope", NameIn(kScopes, rule.scope)},
                          {"count", rule.count_max}};
  if (!rule.pool.empty()) described["pool"] = rule.pool;
  if (rule.kind != LimitRule::Kind::kConcurrency) {
    described["window"] = fmt::format("{}ms", rule.window / std::chrono::milliseconds(1));
  }
  return described;
}

}  // namespace patra::sim
