// Decisions over all limits at once, and what answers do to them.
#include "domain/gate/gate_decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "domain/gate/provider_signal.h"

namespace patra::domain::gate_decision_test {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;
using Kind = GateVerdict::Kind;
using Signal = GateSignal::Kind;

const Instant kDay{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// A gate of one source on a clock that is moved by hand.
class Gate {
 public:
  explicit Gate(GateRules rules) : rules_(std::move(rules)) {
    EXPECT_TRUE(Validate(rules_));
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      cells_[i] = std::make_unique<GateCell>();
      Claim(*cells_[i], "cell", rules_, 0s);
      view_.of[i] = cells_[i].get();
    }
  }

  GateVerdict Ask(Duration now, GateAsk ask = {}) {
    return Decide(rules_, view_, ask, At(now), ++leases_);
  }

  // Asks, sleeps and asks again until the permit is there. When that was.
  Duration Wait(Duration now, GateAsk ask = {}) {
    for (int i = 0; i < 1'000; ++i) {
      const auto verdict = Ask(now, ask);
      if (verdict.kind == Kind::kAllow) {
        booking_ = *verdict.booking;
        return now;
      }
      EXPECT_EQ(verdict.kind, Kind::kWait);
      now = std::max(now, verdict.until);
      ask.booking = verdict.booking;
    }
    ADD_FAILURE() << "waits for ever";
    return now;
  }

  GateChange Tell(Duration now, GateSignal signal, double chance = 0) {
    if (signal.sent_at == kLongAgo) signal.sent_at = now;
    signal.booked = main().booked;
    return Feed(rules_, view_, signal, At(now), chance);
  }
  GateChange Tell(Duration now, Signal kind) { return Tell(now, GateSignal{.kind = kind}); }

  GateCell& main() { return view_.At(rules_.feedback_scope); }
  GateRules& rules() { return rules_; }
  const GateCells& cells() const { return view_; }
  const Booking& booking() const { return booking_; }
  static GateTime At(Duration now) { return {now, kDay + now}; }

 private:
  GateRules rules_;
  std::array<std::unique_ptr<GateCell>, kScopes> cells_;
  GateCells view_;
  LeaseId leases_ = 0;
  Booking booking_;
};

Limit Paced(std::int64_t count, Duration window) {
  return {.count = count, .window = window, .jitter = 0s};
}
GateRules TenPerSecond() { return {.limits = {Paced(10, 1s)}}; }
Limit Daily(std::int64_t count, std::int64_t reserve = 0) {
  return {
      .kind = LimitKind::kQuota, .count = count, .window = 24h, .jitter = 0s, .reserve = reserve};
}

TEST(GateDecision, TheFirstRequestGoesAtOnceTheNextHasItsSlot) {
  Gate gate(TenPerSecond());
  EXPECT_EQ(gate.Ask(1s).kind, Kind::kAllow);
  const auto second = gate.Ask(1s);
  EXPECT_EQ(second.kind, Kind::kWait);
  EXPECT_EQ(second.reason, WaitReason::kPace);
  EXPECT_EQ(second.until, 1s + 100'400us) << "a tenth of the window and of the slot's life";
  EXPECT_EQ(gate.Ask(second.until, {.booking = second.booking}).kind, Kind::kAllow);
}

TEST(GateDecision, ABookingTooEarlyWaitsAndTooLateIsLost) {
  Gate gate(TenPerSecond());
  gate.Ask(0s);
  const auto booked = gate.Ask(0s);
  EXPECT_EQ(gate.Ask(50ms, {.booking = booked.booking}).until, booked.until);
  const auto late = gate.Ask(booked.until + 5ms, {.booking = booked.booking});
  EXPECT_EQ(late.kind, Kind::kWait) << "4 ms is a slot's life here";
  EXPECT_EQ(gate.main().counts.lost_slots, 1);
}

TEST(GateDecision, WhatTakesLongerThanTheDeadlineIsRejectedWithItsTime) {
  Gate gate({.limits = {Paced(1, 60s)}});
  gate.Ask(0s);
  const auto verdict = gate.Ask(0s, {.deadline = 5s});
  EXPECT_EQ(verdict.kind, Kind::kReject);
  EXPECT_THAT(verdict.until, AllOf(Ge(60s), Le(61s)));
}

TEST(GateDecision, TheStrictestOfSeveralLimitsDecides) {
  GateRules rules{.limits = {Paced(100, 1s),
                             {.kind = LimitKind::kSlidingWindow,
                              .scope = LimitScope::kCredential,
                              .count = 3,
                              .window = 10s,
                              .jitter = 0s}}};
  Gate gate(rules);
  Duration now{};
  for (int i = 0; i < 3; ++i) now = gate.Wait(now);
  EXPECT_LT(now, 1s);
  const auto verdict = gate.Ask(now);
  EXPECT_EQ(verdict.reason, WaitReason::kWindow);
  EXPECT_THAT(gate.Wait(now, {.deadline = 30s}), Ge(10s));
}

TEST(GateDecision, ExpensiveRequestsNeverCrossTheLimitInAnyWindow) {
  Gate gate({.limits = {Paced(10, 1s)}, .cost_max = 4});
  std::vector<std::pair<Duration, std::int64_t>> sent;
  Duration now{};
  for (int i = 0; i < 300; ++i) {
    const std::int64_t cost = i % 4 + 1;
    now = gate.Wait(now, {.cost = cost});
    sent.emplace_back(now, cost);
    std::int64_t inside = 0;
    for (const auto& [at, c] : sent) inside += at > now - 1s ? c : 0;
    ASSERT_LE(inside, 10);
  }
}

TEST(GateDecision, ConcurrencyIsHeldUntilReleased) {
  Gate gate(
      {.limits = {Paced(1'000, 1s), {.kind = LimitKind::kConcurrency, .count = 1, .window = 60s}}});
  gate.Wait(0s);
  const auto verdict = gate.Ask(1s);
  EXPECT_EQ(verdict.reason, WaitReason::kConcurrency);
  EXPECT_FALSE(verdict.booking);
  Release(gate.cells(), gate.booking().lease, 1s);
  EXPECT_EQ(gate.Ask(1s).kind, Kind::kWait) << "the provider may not have closed its books yet";
  EXPECT_EQ(gate.Ask(1'050ms).kind, Kind::kAllow);
  EXPECT_EQ(gate.Ask(2s).kind, Kind::kWait);
  EXPECT_EQ(gate.Ask(62s).kind, Kind::kAllow) << "the holder never came back";
}

TEST(GateDecision, RetryAfterStopsEverybodyOnceAndStartsSlowly) {
  Gate gate(TenPerSecond());
  gate.Ask(0s);
  const auto booked = gate.Ask(0s);
  gate.Tell(50ms, {.kind = Signal::kThrottled, .cool_down = 4s}, 0.5);
  const auto verdict = gate.Ask(booked.until, {.booking = booked.booking});
  EXPECT_EQ(verdict.kind, Kind::kWait) << "what was booked before the stop is void";
  EXPECT_EQ(verdict.reason, WaitReason::kCoolDown);
  EXPECT_EQ(verdict.until, 50ms + 4s + 400ms) << "and a tenth longer, by chance";

  const auto first = gate.Wait(verdict.until);
  EXPECT_EQ(first, verdict.until);
  EXPECT_THAT(gate.Wait(first) - first, Ge(1s)) << "a tenth of the rate at first";
}

TEST(GateDecision, CoolDownsAreObeyedAndNeverShortened) {
  Gate gate(TenPerSecond());
  gate.Tell(0s, {.kind = Signal::kTransient, .cool_down = 24h * 3'650});
  EXPECT_THAT(gate.main().frozen_until, Ge(24h * 3'650));
  const auto until = gate.main().frozen_until;
  gate.Tell(1s, {.kind = Signal::kThrottled, .cool_down = 1s});
  EXPECT_EQ(gate.main().frozen_until, until);
  EXPECT_EQ(gate.main().counts.cool_downs, 1);
}

TEST(GateDecision, ALongCoolDownLetsOneRequestADayAskWhetherItStillHolds) {
  Gate gate(TenPerSecond());
  gate.Tell(0s, {.kind = Signal::kThrottled, .cool_down = 24h * 30});
  int sent = 0;
  for (Duration at = 1h; at < 24h * 10; at += 1h) {
    const auto verdict = gate.Ask(at);
    if (verdict.kind == Kind::kAllow) ++sent;
    if (verdict.kind != Kind::kReject) continue;
    EXPECT_EQ(verdict.reason, WaitReason::kCoolDown);
  }
  EXPECT_THAT(sent, AllOf(Ge(8), Le(9)));
  EXPECT_THAT(gate.main().frozen_until, Ge(24h * 30)) << "nobody said that it is over";
}

TEST(GateDecision, AnAnsweredProbeEndsTheCoolDownAndAnOlderAnswerDoesNot) {
  Gate gate(TenPerSecond());
  gate.Tell(1s, {.kind = Signal::kThrottled, .cool_down = 24h * 30});
  gate.Tell(2s, {.kind = Signal::kOk, .sent_at = 500ms});
  EXPECT_EQ(gate.Ask(3s).kind, Kind::kReject) << "it was under way before";
  ASSERT_EQ(gate.Ask(25h).kind, Kind::kAllow);
  gate.Tell(25h + 1s, {.kind = Signal::kOk, .sent_at = 25h});
  EXPECT_NE(gate.Ask(25h + 10s).reason, WaitReason::kCoolDown);
}

TEST(GateDecision, AStormOfComplaintsIsOneStopAndOneCut) {
  Gate gate(TenPerSecond());
  for (int i = 0; i < 4; ++i) gate.Tell(10s + i * 1ms, {.kind = Signal::kThrottled, .sent_at = 9s});
  EXPECT_EQ(gate.main().counts.cool_downs, 1);
  EXPECT_EQ(gate.main().counts.cuts, 1);
  EXPECT_EQ(gate.main().rate.share(), 700'000);
}

TEST(GateDecision, WhoTellsTheGateHearsWhatThatChanged) {
  Gate gate(TenPerSecond());
  gate.rules().breaker.failures_in_a_row = 2;
  EXPECT_EQ(gate.Tell(9s, Signal::kOk), GateChange{});
  EXPECT_EQ(gate.Tell(10s, Signal::kThrottled),
            (GateChange{.is_slowed = true, .is_frozen = true, .stopped_for = 1050ms}));
  EXPECT_EQ(gate.Tell(10s + 1ms, {.kind = Signal::kThrottled, .sent_at = 9s}),
            (GateChange{.is_opened = true, .stopped_for = 2s, .share = 700'000}))
      << "one cut for one round trip, and the second failure in a row";
  EXPECT_EQ(gate.Tell(11s, Signal::kRejected), (GateChange{.share = 700'000}));
  EXPECT_EQ(gate.Tell(60s, {.kind = Signal::kSlowDown, .share = 500'000, .span = 1h}),
            (GateChange{.is_slowed = true, .share = 700'000}));
  EXPECT_EQ(gate.Tell(60s, {.kind = Signal::kOpenCircuit, .span = 1h}),
            (GateChange{.is_opened = true, .stopped_for = 1h, .share = 500'000}));
  EXPECT_EQ(gate.Tell(61s, {.kind = Signal::kOpenCircuit, .span = 1min}),
            (GateChange{.share = 500'000}));
  EXPECT_EQ(gate.Tell(62s, {.kind = Signal::kOk, .cool_down = 10s}),
            (GateChange{.is_frozen = true, .stopped_for = 10500ms, .share = 500'000}));
}

TEST(GateDecision, ComplaintsNeverSlowBelowATenthPerSecond) {
  Gate gate(TenPerSecond());
  gate.rules().breaker.failures_in_a_row = 1'000;
  for (int i = 1; i < 100; ++i) gate.Tell(i * 10s, Signal::kThrottled);
  EXPECT_EQ(gate.main().rate.share(), 10'000) << "0.1/s of 10/s";
}

TEST(GateDecision, ErrorsSlowToThirtyPercentAtMostAndThenOpenTheBreaker) {
  Gate gate(TenPerSecond());
  gate.rules().breaker.failures_in_a_row = 20;
  for (int i = 1; i < 20; ++i) gate.Tell(i * 1s, Signal::kTransient);
  EXPECT_EQ(gate.main().rate.share(), 300'000);
  EXPECT_EQ(gate.main().counts.openings, 0);
  gate.Tell(20s, Signal::kTransient);
  const auto verdict = gate.Ask(21s);
  EXPECT_EQ(verdict.kind, Kind::kWait);
  EXPECT_EQ(verdict.reason, WaitReason::kBreaker);
  EXPECT_EQ(verdict.until, 22s) << "the first pause is short";
}

TEST(GateDecision, OneProbeGoesAfterThePauseTheOthersWaitForIt) {
  Gate gate(TenPerSecond());
  gate.rules().breaker.failures_in_a_row = 1;
  gate.Tell(0s, Signal::kTransient);
  EXPECT_EQ(gate.Ask(1s).kind, Kind::kWait);
  EXPECT_EQ(gate.Ask(3s).kind, Kind::kAllow);
  const auto other = gate.Ask(3s, {.deadline = 5s});
  EXPECT_EQ(other.kind, Kind::kWait);
  EXPECT_EQ(other.until, 3s + 500ms) << "the probe's answer may come at any moment";
  gate.Tell(4s, {.kind = Signal::kOk, .sent_at = 3s});
  EXPECT_THAT(gate.Wait(4s), Le(6s));
}

TEST(GateDecision, ARefusedCredentialIsOut) {
  Gate gate(TenPerSecond());
  gate.Tell(0s, Signal::kRefused);
  EXPECT_EQ(gate.Ask(1s).reason, WaitReason::kRefused);
  EXPECT_EQ(Estimate(gate.rules(), gate.cells(), Gate::At(1s), 1h).permits, 0);
}

TEST(GateDecision, RetriesBeyondTheirShareAreRejected) {
  Gate gate(TenPerSecond());
  gate.rules().retry_burst = 1;
  Duration now = gate.Wait(0s, {.is_retry = true});
  const auto verdict = gate.Ask(now + 1s, {.is_retry = true});
  EXPECT_EQ(verdict.kind, Kind::kReject);
  EXPECT_EQ(verdict.reason, WaitReason::kRetryBudget);
}

TEST(GateDecision, QuotasComeFromTheStoreInPiecesAndEndWithTheirWindow) {
  Gate gate({.limits = {Paced(1'000, 1s), Daily(1'000, 100)}});
  auto verdict = gate.Ask(1h);
  ASSERT_EQ(verdict.kind, Kind::kNeedsQuota);
  EXPECT_EQ(verdict.need->allowed, 1'000);
  EXPECT_EQ(verdict.need->keep, 100);
  EXPECT_EQ(verdict.need->piece, 5);
  EXPECT_EQ(verdict.need->from, kDay);
  EXPECT_EQ(verdict.need->to, kDay + 24h);
  AddQuota(gate.cells(), *verdict.need, 1);
  EXPECT_EQ(gate.Ask(1h).kind, Kind::kAllow);
  verdict = gate.Ask(2h);
  EXPECT_EQ(verdict.kind, Kind::kReject) << "the store gave less than it was asked for";
  EXPECT_EQ(verdict.reason, WaitReason::kQuota);
  EXPECT_THAT(verdict.until, AllOf(Ge(24h), Le(24h + 1s)));
  EXPECT_EQ(gate.Ask(24h + 1min).kind, Kind::kNeedsQuota);
}

TEST(GateDecision, TheProvidersCreditsCapTheQuota) {
  Gate gate({.limits = {Paced(1'000, 1s), Daily(10'000)}, .told_limit = 1});
  auto verdict = gate.Ask(1h);
  AddQuota(gate.cells(), *verdict.need, verdict.need->piece);
  gate.Wait(1h);
  gate.Tell(1h, {.kind = Signal::kOk, .remaining = 0});
  verdict = gate.Ask(2h);
  EXPECT_EQ(verdict.kind, Kind::kReject);
  EXPECT_EQ(verdict.reason, WaitReason::kQuota);
}

// Asks until the store is asked no more, which gives what `store` has left.
GateVerdict AskStore(Gate& gate, Duration now, std::int64_t& used, GateAsk ask = {}) {
  for (int i = 0; i < 10; ++i) {
    const auto verdict = gate.Ask(now, ask);
    if (verdict.kind != Kind::kNeedsQuota) return verdict;
    const auto& need = *verdict.need;
    const auto granted = std::clamp<std::int64_t>(need.allowed - need.keep - used, 0, need.piece);
    used += granted;
    AddQuota(gate.cells(), need, granted);
  }
  ADD_FAILURE() << "asks the store for ever";
  return {};
}

// Soft and hard ends of a quota.
TEST(GateDecision, HarvestsGoIntoTheReserveSlowlyAndStopAtItsEnd) {
  auto limit = Daily(100, 10);
  limit.spends_reserve = true;
  Gate gate({.limits = {limit}});
  std::int64_t used = 90;
  const auto soft = AskStore(gate, 12h, used, {.deadline = 5s});
  EXPECT_EQ(soft.kind, Kind::kAllow);
  const auto next = AskStore(gate, 12h + 1s, used, {.deadline = 5s});
  EXPECT_EQ(next.kind, Kind::kReject);
  EXPECT_EQ(next.reason, WaitReason::kQuota);
  EXPECT_TRUE(next.leaves_rest);
  EXPECT_THAT(next.until, AllOf(Ge(13h), Le(13h + 15min))) << "ten requests for twelve hours";
  EXPECT_EQ(AskStore(gate, next.until, used, {.deadline = 5s}).kind, Kind::kAllow);
  used = 100;
  const auto hard = AskStore(gate, 20h, used, {.deadline = 5s});
  EXPECT_EQ(hard.kind, Kind::kReject);
  EXPECT_FALSE(hard.leaves_rest);
  EXPECT_THAT(hard.until, AllOf(Ge(24h), Le(24h + 1s)));
}

TEST(GateDecision, OthersStopAtTheReserve) {
  Gate gate({.limits = {Daily(100, 10)}});
  std::int64_t used = 90;
  const auto verdict = AskStore(gate, 12h, used, {.priority = GatePriority::kBackfill});
  EXPECT_EQ(verdict.kind, Kind::kReject);
  EXPECT_TRUE(verdict.leaves_rest) << "for harvests";
  EXPECT_THAT(verdict.until, AllOf(Ge(24h), Le(24h + 1s)));
}

TEST(GateDecision, WhatIsKeptForHarvestsBecomesFreeAsTheDayPasses) {
  auto limit = Daily(1'000);
  limit.kept = 200;
  Gate gate({.limits = {limit}});
  std::int64_t used = 850;
  const auto early = AskStore(gate, 6h, used, {.deadline = 5s});
  EXPECT_EQ(early.kind, Kind::kReject) << "150 of the 200 are kept at that time";
  EXPECT_LT(early.until, 7h) << "a little of it is free soon";
  EXPECT_EQ(AskStore(gate, 18h, used, {.deadline = 5s}).kind, Kind::kAllow);
  EXPECT_EQ(KeptBack(limit, kDay), 200);
  EXPECT_EQ(KeptBack(limit, kDay + 12h), 100);
  EXPECT_EQ(Estimate(gate.rules(), gate.cells(), Gate::At(12h), 24h).permits, 900);
}

TEST(GateDecision, DaysBeginWhereTheProviderLives) {
  auto limit = Daily(100);
  limit.offset = -8h;  // China
  Gate gate({.limits = {limit}});
  const auto before = gate.Ask(15h + 59min);
  ASSERT_EQ(before.kind, Kind::kNeedsQuota);
  EXPECT_EQ(before.need->to, kDay + 16h);
  const auto after = gate.Ask(16h + 1min);
  ASSERT_EQ(after.kind, Kind::kNeedsQuota);
  EXPECT_EQ(after.need->from, kDay + 16h);
}

TEST(GateDecision, WhatIsLeftUntilTheResetHoldsForPacedLimits) {
  Gate gate({.limits = {Paced(60, 60s)}});
  gate.Wait(0s);
  gate.Tell(100ms, GateSignal{.remaining = 2, .reset_in = 40s});
  const auto first = gate.Wait(100ms);
  const auto second = gate.Wait(first);
  EXPECT_LT(second, 3s);
  EXPECT_THAT(gate.Wait(second, {.deadline = 60s}), AllOf(Ge(40s), Le(42s)))
      << "somebody else uses the same credential";
}

TEST(GateDecision, AWindowOfASecondIsKnownBetterThanHeadersInWholeSecondsTell) {
  Gate gate(TenPerSecond());
  gate.Wait(0s);
  gate.Tell(10ms, GateSignal{.remaining = 0, .reset_in = 1s});
  EXPECT_LT(gate.Wait(10ms), 200ms);
  gate.Tell(300ms, GateSignal{.remaining = 0, .reset_in = 30s});
  EXPECT_GE(gate.Wait(300ms, {.deadline = 60s}), 30s) << "of a longer window nobody knew";
}

TEST(GateDecision, WhileHarvestsWaitOthersGetNoMoreThanTheirPart) {
  const auto backfills_of = [](std::int64_t urgent_rate) {
    auto rules = TenPerSecond();
    rules.urgent_rate = urgent_rate;
    Gate gate(rules);
    Duration harvest_at{};
    Duration backfill_at{};
    int backfills = 0;
    // One worker each, which asks again as soon as its request has gone.
    while (std::min(harvest_at, backfill_at) < 20s) {
      if (backfill_at <= harvest_at) {
        backfill_at = gate.Wait(backfill_at, {.priority = GatePriority::kBackfill, .task = 2});
        if (backfill_at < 20s) ++backfills;
        backfill_at += 1ms;
      } else {
        harvest_at = gate.Wait(harvest_at, {.priority = GatePriority::kHarvest, .task = 1}) + 1ms;
      }
    }
    return backfills;
  };
  EXPECT_LE(backfills_of(800'000), 50) << "a fifth of two hundred, and the first second";
  EXPECT_GT(backfills_of(0), 70);
}

TEST(GateDecision, WithoutHarvestsOthersHaveTheWholeRate) {
  auto rules = TenPerSecond();
  rules.urgent_rate = 900'000;
  Gate gate(rules);
  Duration now{};
  for (int i = 0; i < 100; ++i) now = gate.Wait(now, {.priority = GatePriority::kBackfill});
  EXPECT_LT(now, 10s);
}

TEST(GateDecision, AnUnknownLimitIsApproachedFromBelowAndNotBeyondItsCeiling) {
  auto rules = TenPerSecond();
  rules.adapt.limit_is_known = false;
  rules.adapt.ceiling = 2'000'000;
  Gate gate(rules);
  Duration now{};
  const auto run = [&](int requests) {
    const auto from = now;
    for (int i = 0; i < requests; ++i) {
      now = gate.Wait(now);
      gate.Wait(now);  // somebody else asks, too
      gate.Tell(now, Signal::kOk);
    }
    return std::chrono::duration<double>(now - from).count() / requests;
  };
  run(5'000);
  EXPECT_NEAR(2 / run(100), 20, 1) << "twice what it began with";
  gate.Tell(now, Signal::kThrottled);
  EXPECT_LT(gate.main().rate.share(), 1'500'000);
}

TEST(GateDecision, ALowerLimitInTheHeadersIsKeptAHigherOneOnlyWhereItMay) {
  Gate gate(
      {.limits = {Paced(50, 1s), {.kind = LimitKind::kConcurrency, .count = 8, .window = 60s}}});
  gate.Wait(0s);
  Release(gate.cells(), gate.booking().lease, 0s);
  gate.Tell(0s, {.kind = Signal::kOk, .limit = 5, .interval = 1s, .concurrency = 1});
  auto now = gate.Wait(2s, {.deadline = 90s});
  Release(gate.cells(), gate.booking().lease, now);
  EXPECT_EQ(gate.main().limits[1].told_count, 1);
  EXPECT_THAT(gate.Wait(now) - now, Ge(200ms));
  Release(gate.cells(), gate.booking().lease, now);

  gate.Tell(now, {.kind = Signal::kOk, .limit = 150, .interval = 1s});
  EXPECT_EQ(gate.main().limits[0].told_count, 5) << "150 per second were not configured";
  gate.rules().told_may_raise = true;
  gate.Tell(now, {.kind = Signal::kOk, .limit = 10'000});
  EXPECT_EQ(gate.main().limits[0].told_count, 5) << "10,000 of what?";
  gate.Tell(now, {.kind = Signal::kOk, .limit = 150, .interval = 1s});
  EXPECT_EQ(gate.main().limits[0].told_count, 150);
}

TEST(GateDecision, HarvestsGoBeforeBackfillsWhichGetTheRest) {
  Gate gate(TenPerSecond());
  struct Worker {
    GatePriority priority;
    Duration ready{};
    std::optional<Booking> booking;
    int done = 0;
  };
  std::vector<Worker> workers(16);
  for (std::size_t i = 0; i < workers.size(); ++i)
    workers[i].priority = i < 8 ? GatePriority::kHarvest : GatePriority::kBackfill;
  const auto run = [&](Duration from, Duration to, bool with_harvests) {
    for (auto& worker : workers) {
      worker.ready = std::max(worker.ready, from);
      worker.done = 0;
    }
    while (true) {
      Worker* next = nullptr;
      for (auto& worker : workers) {
        if (!with_harvests && worker.priority == GatePriority::kHarvest) continue;
        if (next == nullptr || worker.ready < next->ready) next = &worker;
      }
      if (next->ready >= to) break;
      const auto verdict =
          gate.Ask(next->ready, {.priority = next->priority,
                                 .task = static_cast<std::uint64_t>(next - workers.data()),
                                 .booking = next->booking});
      next->booking = verdict.kind == Kind::kWait ? verdict.booking : std::nullopt;
      if (verdict.kind == Kind::kAllow) ++next->done;
      next->ready = verdict.kind == Kind::kWait ? verdict.until : next->ready + 200ms;
    }
  };
  const auto done = [&](GatePriority priority) {
    int sum = 0;
    for (const auto& worker : workers) sum += worker.priority == priority ? worker.done : 0;
    return sum;
  };
  run(0s, 60s, true);
  EXPECT_GE(done(GatePriority::kHarvest), 590);
  EXPECT_LE(done(GatePriority::kBackfill), 8) << "the harvests leave nothing";
  run(60s, 120s, false);
  EXPECT_GE(done(GatePriority::kBackfill), 590) << "now they do";
}

TEST(GateDecision, WhatWasLostCountsAsUsed) {
  for (const auto kind : {LimitKind::kPaced, LimitKind::kSlidingWindow, LimitKind::kFixedWindow}) {
    Gate gate({.limits = {{.kind = kind, .count = 10, .window = 60s, .jitter = 0s}}});
    AssumeFull(gate.rules(), gate.cells(), Gate::At(10s));
    EXPECT_THAT(gate.Wait(11s, {.deadline = 90s}), Ge(60s)) << static_cast<int>(kind);
  }
}

TEST(GateDecision, TheEstimateIsWhatTheLimitsAllow) {
  Gate gate(
      {.limits = {Paced(10, 1s), {.kind = LimitKind::kConcurrency, .count = 3, .window = 60s}}});
  const auto estimate = Estimate(gate.rules(), gate.cells(), Gate::At(0s), 60s);
  EXPECT_THAT(estimate.permits, AllOf(Ge(590), Le(600)));
  EXPECT_EQ(estimate.concurrency, 3);
}

TEST(GateRules, SayWhatIsWrong) {
  EXPECT_FALSE(Validate(GateRules{}));
  EXPECT_FALSE(Validate(GateRules{.limits = {Paced(0, 1s)}}));
  EXPECT_FALSE(Validate(GateRules{.limits = {Paced(1, 0s)}}));
  EXPECT_FALSE(Validate(GateRules{.limits = {Paced(1, 1s)}, .cost_max = 2}));
  EXPECT_FALSE(Validate(GateRules{.limits = {Paced(1, 1s)}, .told_limit = 1}));
  EXPECT_FALSE(Validate(GateRules{.limits = std::vector<Limit>(4, Paced(1, 1s))}));
}

using Headers = std::vector<std::pair<std::string, std::string>>;

struct RetryAfterCase {
  Headers headers;
  std::optional<Duration> wait;
};

TEST(ProviderSignal, RetryAfterInAllItsForms) {
  const std::vector<RetryAfterCase> cases = {
      {{}, std::nullopt},
      {{{"Retry-After", "30"}}, 30s},
      {{{"retry-after", " 30 "}}, 30s},
      {{{"Retry-After", "0.5"}}, 1s},
      {{{"Retry-After", "-5"}}, std::nullopt},
      {{{"Retry-After", "soon"}}, std::nullopt},
      {{{"Retry-After", "400000000"}}, std::chrono::seconds(std::int64_t{10} * 366 * 86'400)},
      {{{"Retry-After", "99999999999999999999"}},
       std::chrono::seconds(std::int64_t{10} * 366 * 86'400)},
      {{{"Retry-After", "Thu, 01 Jan 2026 00:02:00 GMT"}}, 120s},
      // The sender's clock is an hour ahead of ours: its own Date tells.
      {{{"Date", "Thu, 01 Jan 2026 01:00:00 GMT"},
        {"Retry-After", "Thu, 01 Jan 2026 01:00:10 GMT"}},
       10s},
      {{{"Retry-After", "Wed, 31 Dec 2025 00:00:00 GMT"}}, 0s},
  };
  for (const auto& c : cases)
    EXPECT_EQ(RetryAfter(c.headers, kDay), c.wait)
        << (c.headers.empty() ? "" : c.headers.back().second);
}

TEST(ProviderSignal, ReadsTheProvidersHeaders) {
  const GateRules rules;
  const auto crossref = ReadSignal(200,
                                   Headers{{"X-Rate-Limit-Limit", "50"},
                                           {"X-Rate-Limit-Interval", "1s"},
                                           {"X-Concurrency-Limit", "3"}},
                                   kDay, rules);
  EXPECT_EQ(crossref.kind, Signal::kOk);
  EXPECT_EQ(crossref.limit, 50);
  EXPECT_EQ(crossref.interval, 1s);
  EXPECT_EQ(crossref.concurrency, 3);

  const auto openalex = ReadSignal(429,
                                   Headers{{"x-ratelimit-limit", "10000"},
                                           {"x-ratelimit-remaining", "0"},
                                           {"x-ratelimit-reset", "3600"}},
                                   kDay, rules);
  EXPECT_EQ(openalex.kind, Signal::kThrottled);
  EXPECT_EQ(openalex.remaining, 0);
  EXPECT_EQ(openalex.cool_down, 3600s) << "the window's end, where no Retry-After tells";

  const auto epoch = std::to_string(EpochSeconds(kDay) + 90);
  EXPECT_EQ(ReadSignal(200, Headers{{"ratelimit-reset", epoch}}, kDay, rules).reset_in, 90s);
  EXPECT_EQ(ReadSignal(200, Headers{{"ratelimit-limit", "100, 100;w=60"}}, kDay, rules).limit, 100);
  EXPECT_EQ(ReadSignal(200, Headers{{"x-ratelimit-limit", "many"}}, kDay, rules).limit,
            std::nullopt);
}

TEST(ProviderSignal, WindowOfMonthsIsNotBelieved) {
  const Headers headers{{"X-Rate-Limit-Limit", "5"}, {"X-Rate-Limit-Interval", "31385011"}};
  EXPECT_FALSE(ReadSignal(429, headers, kDay, GateRules{}).interval);
}

TEST(ProviderSignal, TuSharesTextsTellHowLongToWait) {
  const auto at = kDay + 10h + 20min + 15s;  // 18:20:15 in China
  EXPECT_EQ(WaitToldInText("抱歉，您每分钟最多访问该接口500次", at), 45s);
  EXPECT_EQ(WaitToldInText("抱歉，您访问接口(fina_indicator)频率超限(200次/分钟)", at), 45s);
  EXPECT_EQ(WaitToldInText("抱歉，您每小时最多访问该接口1次", at), 39min + 45s);
  EXPECT_EQ(WaitToldInText("抱歉，您每天最多访问该接口5次", at), 5h + 39min + 45s);
  EXPECT_EQ(WaitToldInText("抱歉，您没有接口访问权限", at), std::nullopt);
}

TEST(ProviderSignal, SortsStatuses) {
  const auto kind = [](int status) { return ReadSignal(status, {}, kDay, {}).kind; };
  EXPECT_EQ(kind(200), Signal::kOk);
  EXPECT_EQ(kind(304), Signal::kOk);
  EXPECT_EQ(kind(400), Signal::kRejected);
  EXPECT_EQ(kind(401), Signal::kRefused);
  EXPECT_EQ(kind(408), Signal::kTransient);
  EXPECT_EQ(kind(429), Signal::kThrottled);
  EXPECT_EQ(kind(503), Signal::kTransient);
}

}  // namespace patra::domain::gate_decision_test
