// Executors, a network and a strict provider on virtual time, around the gate's decisions. The provider keeps
// every arrival, so that afterwards every window it could count by can be counted.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <queue>
#include <vector>

#include "base/random.h"
#include "domain/gate/gate_decision.h"

namespace patra::testing {

struct GateScenario {
  domain::GateRules rules;
  int executors = 4;
  Duration length = std::chrono::minutes(10);
  Duration delay_max = std::chrono::milliseconds(5);  // from the permit to the provider
  Duration latency = std::chrono::milliseconds(200);
  double latency_spread = 0.5;                                 // so much of it comes and goes
  Duration late_usually_max = std::chrono::microseconds(200);  // of waking up
  double very_late = 0;    // chance to oversleep by up to a second
  double clock_drift = 0;  // executors sleep up to this much too long or too short
  double crash = 0;        // chance to die instead of taking the next step
  double state_lost = 0;   // chance, per step, that the gate forgets everything
  std::int64_t cost_max = 1;
};

struct GateArrival {
  Duration at;
  Duration done;
  std::int64_t cost;
};

struct GateModelResult {
  std::vector<GateArrival> arrivals;  // in the order of arrival
  std::int64_t acquires = 0;
  std::int64_t crashes = 0;
  std::int64_t losses = 0;
  Duration guard{};  // of the first limit, at the end
};

class GateModel {
 public:
  GateModel(const GateScenario& scenario, std::uint64_t seed) : scenario_(scenario), random_(seed) {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      cells_[i] = std::make_unique<domain::GateCell>();
      view_.of[i] = cells_[i].get();
    }
    Forget(Duration::zero());
    for (int i = 0; i < scenario.executors; ++i) {
      executors_.push_back({.drift = 1 + scenario.clock_drift * (2 * random_.Fraction() - 1)});
      events_.push({UpTo(std::chrono::milliseconds(100)), static_cast<std::size_t>(i)});
    }
  }

  GateModelResult Run() {
    while (!events_.empty() && events_.top().at < scenario_.length) {
      const auto event = events_.top();
      events_.pop();
      Step(executors_[event.executor], event.executor, event.at);
    }
    std::ranges::sort(result_.arrivals, {}, &GateArrival::at);
    const auto& first = scenario_.rules.limits.front();
    result_.guard = view_.At(first.scope).GuardOf(first);
    return std::move(result_);
  }

 private:
  struct Event {
    Duration at;
    std::size_t executor;
    bool operator<(const Event& other) const { return at > other.at; }
  };
  struct Executor {
    double drift = 1;
    domain::GateAsk ask;
    domain::LeaseId holds = 0;
    bool is_in_flight = false;
    Duration sent_at{};
  };

  static constexpr Duration kClosesLateMax = std::chrono::milliseconds(20);

  Duration UpTo(Duration most) { return Duration(random_.Between(0, most.count())); }

  void Forget(Duration now) {
    for (auto& cell : cells_) domain::Claim(*cell, "cell", scenario_.rules, now);
  }

  void Step(Executor& executor, std::size_t number, Duration now) {
    const domain::GateTime time{now, Instant(now)};
    if (random_.Chance(scenario_.state_lost)) {
      ++result_.losses;
      Forget(now);
      domain::AssumeFull(scenario_.rules, view_, time);
    }
    if (random_.Chance(scenario_.crash)) {
      // Whatever it held is never given back; another takes its place after a while.
      ++result_.crashes;
      executor = {.drift = executor.drift};
      events_.push({now + UpTo(std::chrono::seconds(3)), number});
      return;
    }
    if (executor.is_in_flight) {
      executor.is_in_flight = false;
      domain::Release(view_, executor.holds, now);
      domain::Feed(scenario_.rules, view_,
                   {.sent_at = executor.sent_at, .delay = now - executor.sent_at}, time, 0.5);
      executor.ask = {};
    }
    if (executor.ask.task == 0) {
      executor.ask = {.cost = random_.Between(1, scenario_.cost_max),
                      .deadline = std::chrono::hours(1),
                      .task = number + 1};
    }
    ++result_.acquires;
    const auto verdict = domain::Decide(scenario_.rules, view_, executor.ask, time, ++leases_);
    if (verdict.kind == domain::GateVerdict::Kind::kAllow)
      return Send(executor, number, verdict, now);
    executor.ask.booking = verdict.booking;
    auto slept = Duration(static_cast<std::int64_t>(
        static_cast<double>((verdict.until - now).count()) * executor.drift));
    slept += UpTo(scenario_.late_usually_max);
    if (random_.Chance(scenario_.very_late)) slept += UpTo(std::chrono::seconds(1));
    events_.push({now + std::max(slept, Duration(1)), number});
  }

  void Send(Executor& executor, std::size_t number, const domain::GateVerdict& verdict,
            Duration now) {
    const auto arrival = now + UpTo(scenario_.delay_max);
    const auto spread = Duration(static_cast<std::int64_t>(
        static_cast<double>(scenario_.latency.count()) * scenario_.latency_spread));
    const auto done = arrival + scenario_.latency - UpTo(spread);
    // The provider closes its books on a request a little after its last byte has left.
    const auto closed = done + UpTo(std::min<Duration>(scenario_.delay_max, kClosesLateMax));
    result_.arrivals.push_back({arrival, closed, executor.ask.cost});
    executor.is_in_flight = true;
    executor.holds = verdict.booking->lease;
    executor.sent_at = now;
    executor.ask.booking.reset();
    events_.push({done + UpTo(scenario_.delay_max), number});
  }

  const GateScenario scenario_;
  SeededRandom random_;
  std::array<std::unique_ptr<domain::GateCell>, domain::kScopes> cells_;
  domain::GateCells view_;
  std::vector<Executor> executors_;
  std::priority_queue<Event> events_;
  GateModelResult result_;
  domain::LeaseId leases_ = 0;
};

// The most that arrived in any stretch of `window`, whenever it begins.
inline std::int64_t PeakInAnyWindow(const std::vector<GateArrival>& arrivals, Duration window) {
  std::int64_t inside = 0;
  std::int64_t peak = 0;
  std::size_t oldest = 0;
  for (const auto& arrival : arrivals) {
    inside += arrival.cost;
    while (arrivals[oldest].at <= arrival.at - window) inside -= arrivals[oldest++].cost;
    peak = std::max(peak, inside);
  }
  return peak;
}

// The most that arrived in a window of a clock that is `ahead` of ours.
inline std::int64_t PeakInFixedWindows(const std::vector<GateArrival>& arrivals, Duration window,
                                       Duration ahead) {
  std::int64_t number = -1;
  std::int64_t inside = 0;
  std::int64_t peak = 0;
  for (const auto& arrival : arrivals) {
    const auto of = (arrival.at + ahead + window) / window;
    inside = of == number ? inside + arrival.cost : arrival.cost;
    number = of;
    peak = std::max(peak, inside);
  }
  return peak;
}

// How often a bucket of `size` that fills at count / window would have said no.
inline std::int64_t RejectedByBucket(const std::vector<GateArrival>& arrivals, std::int64_t count,
                                     Duration window, std::int64_t size) {
  std::int64_t rejected = 0;
  double tokens = static_cast<double>(size);
  Duration last{};
  for (const auto& arrival : arrivals) {
    tokens += static_cast<double>((arrival.at - last).count()) * static_cast<double>(count) /
              static_cast<double>(window.count());
    tokens = std::min(tokens, static_cast<double>(size));
    last = arrival.at;
    if (tokens + 1e-6 < static_cast<double>(arrival.cost)) {
      ++rejected;
    } else {
      tokens -= static_cast<double>(arrival.cost);
    }
  }
  return rejected;
}

inline std::int64_t PeakAtTheSameTime(const std::vector<GateArrival>& arrivals) {
  std::vector<std::pair<Duration, int>> changes;
  for (const auto& arrival : arrivals) {
    changes.emplace_back(arrival.at, 1);
    changes.emplace_back(arrival.done, -1);
  }
  std::ranges::sort(changes);
  std::int64_t now = 0;
  std::int64_t peak = 0;
  for (const auto& [at, change] : changes) peak = std::max(peak, now += change);
  return peak;
}

}  // namespace patra::testing
