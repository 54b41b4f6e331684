// Each of the gate's state machines alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>

#include "base/random.h"
#include "domain/gate/adaptive_rate.h"
#include "domain/gate/breaker.h"
#include "domain/gate/credential_choice.h"
#include "domain/gate/delay_spread.h"
#include "domain/gate/fair_turns.h"
#include "domain/gate/fixed_window.h"
#include "domain/gate/gate_key.h"
#include "domain/gate/paced_slots.h"
#include "domain/gate/permit_leases.h"
#include "domain/gate/quota_share.h"
#include "domain/gate/retry_budget.h"
#include "domain/gate/sliding_log.h"
#include "domain/gate/slot_life.h"

namespace patra::domain::gate_machines_test {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::Ge;
using ::testing::Le;

constexpr std::int64_t kFull = AdaptiveRate::kFull;

TEST(GateKey, NamesExactlyWhatCountsTogether) {
  const GateTarget target{"crossref", "works", "key-1", "api.crossref.org:443"};
  EXPECT_EQ(GateKey(LimitScope::kSource, target), "crossref");
  EXPECT_EQ(GateKey(LimitScope::kEndpoint, target), "crossref/works");
  EXPECT_EQ(GateKey(LimitScope::kCredential, target), "crossref#key-1");
  EXPECT_EQ(GateKey(LimitScope::kCredentialAndEndpoint, target), "crossref/works#key-1");
  EXPECT_EQ(GateKey(LimitScope::kAddress, target), "@api.crossref.org:443");
}

TEST(AdaptiveRate, IsCappedForAWhileHoweverWellRequestsGo) {
  AdaptiveRate rate;
  rate.Cap(10s, 300'000, 70s);
  rate.Raise(30s, 1s, true, {});
  EXPECT_EQ(rate.ShareAt(69s), 300'000);
  EXPECT_EQ(rate.ShareAt(70s), kFull);
  rate.Cap(20s, 500'000, 90s);
  EXPECT_EQ(rate.ShareAt(60s), 300'000) << "the lower one stands while it lasts";
  rate.Cap(100s, 500'000, 110s);
  EXPECT_EQ(rate.ShareAt(105s), 500'000) << "the old one is over";
}

TEST(Breaker, OpensOnDemandAndProbesAfterwards) {
  Breaker breaker;
  const BreakerRules rules;
  EXPECT_TRUE(breaker.Open(10s, 90s));
  EXPECT_EQ(breaker.Earliest(11s, rules), 100s);
  EXPECT_FALSE(breaker.Open(20s, 60s)) << "it is open for longer already";
  EXPECT_EQ(breaker.Earliest(100s, rules), 100s);
  breaker.Enter(100s, rules);
  EXPECT_TRUE(breaker.Succeed(101s, 100s));
  EXPECT_EQ(breaker.Earliest(102s, rules), 102s);
}

TEST(GateKey, LongNamesAreCutAndStayDifferent) {
  const std::string long_name(300, 'x');
  const auto a = GateKey(LimitScope::kSource, {.provenance = long_name + "a"});
  const auto b = GateKey(LimitScope::kSource, {.provenance = long_name + "b"});
  EXPECT_EQ(a.size(), kGateKeyBytesMax);
  EXPECT_NE(a, b);
}

TEST(PacedSlots, FractionalRatesNeverRoundUp) {
  EXPECT_EQ(Pace::Of(3, 1, 1s, 0s).step, 333'334us);
  EXPECT_EQ(Pace::Of(195, 1, 60s, 0s).step, 307'693us);
  EXPECT_EQ(Pace::Of(1, 1, 3s, 0s).step, 3s);
  EXPECT_EQ(Pace::Of(10, 3, 1s, 0s).step, 125ms) << "the most expensive request has to fit on top";
}

TEST(PacedSlots, SpacesByCostAndShare) {
  PacedSlots slots;
  slots.Adopt(0s, Pace::Of(10, 1, 1s, 0s));
  EXPECT_EQ(slots.Earliest(5s), 5s) << "the first slot is at once";
  slots.Book(5s, 1, kFull);
  EXPECT_EQ(slots.Earliest(5s), 5'100ms);
  slots.Book(5'100ms, 3, kFull);
  EXPECT_EQ(slots.Earliest(5s), 5'400ms);
  slots.Book(5'400ms, 1, kFull / 10);
  EXPECT_THAT(slots.Earliest(5s), AllOf(Ge(6'400ms), Le(6'401ms)));
}

TEST(PacedSlots, ALowerLimitWaitsUntilTheWindowHasPassed) {
  PacedSlots slots;
  slots.Adopt(0s, Pace::Of(100, 1, 1s, 0s));
  slots.Book(0s, 1, kFull);
  slots.Adopt(500ms, Pace::Of(10, 1, 1s, 0s));
  EXPECT_EQ(slots.Earliest(500ms), 1'500ms);
}

TEST(PacedSlots, WhereUsersDisagreeTheSlowerPaceHolds) {
  PacedSlots slots;
  slots.Adopt(0s, Pace::Of(1, 1, 1s, 0s));
  slots.Book(0s, 1, kFull);
  slots.Adopt(1s, Pace::Of(100, 1, 1s, 0s));
  slots.Book(1s, 1, kFull);
  EXPECT_EQ(slots.Earliest(1s), 2s);
  slots.Adopt(90s, Pace::Of(100, 1, 1s, 0s));
  slots.Book(90s, 1, kFull);
  EXPECT_EQ(slots.Earliest(90s), 90'010ms) << "nobody has asked for the slower one for long";
}

// The least code that is right: every send is kept, every window is counted.
class PlainLog {
 public:
  Duration Earliest(Duration from, std::int64_t cost, std::int64_t count, Duration span) const {
    auto at = sent_.empty() ? from : std::max(from, sent_.back().first);
    while (Used(at, span) + cost > count) at = NextLeaving(at, span);
    return at;
  }
  void Book(Duration at, std::int64_t cost) { sent_.emplace_back(at, cost); }

 private:
  std::int64_t Used(Duration at, Duration span) const {
    std::int64_t used = 0;
    for (const auto& [sent, cost] : sent_) used += sent > at - span ? cost : 0;
    return used;
  }
  Duration NextLeaving(Duration at, Duration span) const {
    for (const auto& [sent, cost] : sent_) {
      if (sent > at - span) return sent + span;
    }
    return at;
  }
  std::deque<std::pair<Duration, std::int64_t>> sent_;
};

TEST(SlidingLog, AgreesWithAPlainListOfEverythingSent) {
  SeededRandom random(11);
  for (int round = 0; round < 50; ++round) {
    SlidingLog log;
    PlainLog plain;
    const auto count = random.Between(3, 40);
    const auto span = Duration(random.Between(1'000, 2'000'000));
    Duration now{};
    for (int i = 0; i < 200; ++i) {
      now += Duration(random.Between(0, span.count() / count));
      const auto cost = random.Between(1, 3);
      const auto at = log.Earliest(now, cost, count, span);
      ASSERT_EQ(at, plain.Earliest(now, cost, count, span)) << round << ' ' << i;
      log.Book(at, cost, count, span);
      plain.Book(at, cost);
    }
  }
}

TEST(SlidingLog, AllowsABurstAndThenNothingForAWindow) {
  SlidingLog log;
  for (int i = 0; i < 195; ++i) {
    ASSERT_EQ(log.Earliest(1s, 1, 195, 60s), 1s);
    log.Book(1s, 1, 195, 60s);
  }
  EXPECT_EQ(log.Earliest(2s, 1, 195, 60s), 61s);
}

TEST(SlidingLog, LargeCountsErrOnTheSafeSideAndByLittle) {
  SlidingLog log;
  PlainLog plain;
  constexpr std::int64_t kCount = 2'000;
  Duration at{};
  std::deque<Duration> sent;
  for (int i = 0; i < 10'000; ++i) {
    at = log.Earliest(at, 1, kCount, 1s);
    log.Book(at, 1, kCount, 1s);
    sent.push_back(at);
    while (sent.front() <= at - 1s) sent.pop_front();
    ASSERT_LE(sent.size(), static_cast<std::size_t>(kCount));
  }
  EXPECT_LE(at, 4'100ms) << "five bursts of 2,000, hardly more than a second apart";
}

TEST(FixedWindow, CountsPerWindowOfTheWallClock) {
  FixedWindow window;
  const WindowShape shape{.count = 2, .window = 60s, .guard = 1s};
  window.Observe(0s, 30s, shape);  // half a minute past
  window.Book(window.Earliest(0s, 1, shape), 1, shape);
  window.Book(window.Earliest(0s, 1, shape), 1, shape);
  EXPECT_EQ(window.Earliest(0s, 1, shape), 31s) << "the minute begins in 30 s, and a guard later";
}

TEST(FixedWindow, ARequestNearTheBoundaryCountsInBoth) {
  FixedWindow window;
  const WindowShape shape{.count = 1, .window = 60s, .guard = 1s};
  window.Observe(0s, 0s, shape);
  window.Book(59'500ms, 1, shape);
  EXPECT_EQ(window.Earliest(62s, 1, shape), 121s);
}

TEST(FixedWindow, AJumpOfTheClockMakesTheWindowFull) {
  FixedWindow window;
  const WindowShape shape{.count = 10, .window = 60s, .guard = 1s};
  window.Observe(0s, 0s, shape);
  EXPECT_EQ(window.Earliest(1s, 1, shape), 1s);
  window.Observe(2s, 3'600s + 2s, shape);
  EXPECT_EQ(window.Earliest(2s, 1, shape), 61s);
  window.Observe(3s, 3'600s + 3s, shape);
  EXPECT_EQ(window.Earliest(3s, 1, shape), 61s) << "and stays so";
}

TEST(FixedWindow, AnotherLengthOfTheWindowKeepsTheCountAndShutsNothing) {
  FixedWindow window;
  const Duration wall = 24h * 20'000;
  const WindowShape minute{.count = 10, .window = 60s, .guard = 1s};
  window.Observe(2s, wall + 2s, minute);
  window.Book(window.Earliest(2s, 1, minute), 1, minute);
  const WindowShape hour{.count = 10, .window = 3'600s, .guard = 1s};
  window.Observe(3s, wall + 3s, hour);
  EXPECT_EQ(window.Earliest(3s, 1, hour), 3s);
  EXPECT_EQ(window.Earliest(3s, 10, hour), 3'601s) << "one of ten is used";
}

TEST(FixedWindow, TheProvidersCountGoesFirst) {
  FixedWindow window;
  const WindowShape shape{.count = 10, .window = 60s, .guard = 1s};
  window.Observe(10s, 10s, shape);
  window.Cap(10s, 1, shape);
  window.Book(window.Earliest(10s, 1, shape), 1, shape);
  EXPECT_EQ(window.Earliest(10s, 1, shape), 61s);
}

TEST(PermitLeases, ADeadHoldersPlaceComesBackWhenItsLeaseEnds) {
  PermitLeases leases;
  EXPECT_NE(leases.Take(0s, 2, 30s, 1), 0U);
  EXPECT_NE(leases.Take(1s, 2, 30s, 2), 0U);
  EXPECT_EQ(leases.Take(2s, 2, 30s, 3), 0U);
  leases.Release(2, 3s);
  EXPECT_EQ(leases.Take(2500ms, 2, 30s, 4), 0U) << "the place is free at 3 s";
  EXPECT_NE(leases.Take(3s, 2, 30s, 4), 0U);
  EXPECT_EQ(leases.Take(29s, 2, 30s, 5), 0U);
  EXPECT_NE(leases.Take(30s, 2, 30s, 6), 0U) << "the first lease is over";
}

TEST(QuotaShare, AsksForMoreUntilThereIsNone) {
  QuotaShare quota;
  EXPECT_EQ(quota.For(7, 1, 0), QuotaShare::State::kNeedsMore);
  quota.Add(7, 2, false, 0);
  quota.Spend(2);
  EXPECT_EQ(quota.For(7, 1, 0), QuotaShare::State::kNeedsMore);
  quota.Add(7, 1, true, 0);
  EXPECT_EQ(quota.For(7, 1, 0), QuotaShare::State::kEnough);
  EXPECT_EQ(quota.For(7, 2, 0), QuotaShare::State::kExhausted);
  EXPECT_EQ(quota.For(8, 2, 0), QuotaShare::State::kNeedsMore) << "another window";
  EXPECT_EQ(QuotaShare::PieceOf(10'000, 1), 50) << "half a percent";
}

TEST(QuotaShare, WhoeverHasToLeaveMoreIsAtItsEndFirst) {
  QuotaShare quota;
  quota.Add(7, 1, true, 30);
  EXPECT_EQ(quota.For(7, 1, 30), QuotaShare::State::kEnough) << "the last piece is theirs";
  quota.Spend(1);
  EXPECT_EQ(quota.For(7, 1, 30), QuotaShare::State::kExhausted);
  EXPECT_EQ(quota.For(7, 1, 10), QuotaShare::State::kNeedsMore);
  quota.Add(7, 5, false, 10);
  EXPECT_EQ(quota.For(7, 1, 10), QuotaShare::State::kEnough);
  EXPECT_EQ(quota.For(7, 1, 30), QuotaShare::State::kExhausted) << "that piece is not theirs";
  EXPECT_EQ(quota.For(7, 1, 29), QuotaShare::State::kEnough) << "less is kept back by now";
}

TEST(AdaptiveRate, AKnownLimitBrakesOncePerRoundTripAndReturns) {
  AdaptiveRate rate;
  const AdaptRules rules;
  EXPECT_TRUE(rate.Cut(10s, 9s, rules, 0));
  EXPECT_EQ(rate.share(), 700'000);
  EXPECT_FALSE(rate.Cut(11s, 9'500ms, rules, 0)) << "sent before the cut";
  EXPECT_EQ(rate.share(), 700'000);
  for (int i = 0; i < 10; ++i) rate.Raise(12s + i * 1s, 1s, false, rules);
  EXPECT_EQ(rate.share(), kFull) << "and never above";
}

TEST(AdaptiveRate, StopsAtItsFloor) {
  AdaptiveRate rate;
  for (int i = 0; i < 50; ++i) rate.Cut(i * 1s, i * 1s, {}, 300'000);
  EXPECT_EQ(rate.share(), 300'000);
}

TEST(AdaptiveRate, AnUnknownLimitIsPushedOnlyWhileItIsUsedAndCreepsNearTheLastComplaint) {
  AdaptRules rules{.limit_is_known = false, .start = 100'000, .ceiling = 10 * kFull};
  AdaptiveRate rate;
  rate.Start(rules);
  rate.Raise(10s, 1s, false, rules);
  EXPECT_EQ(rate.share(), 100'000);
  rate.Raise(10s, 1s, true, rules);
  EXPECT_EQ(rate.share(), 110'000);
  rate.Raise(10'500ms, 1s, true, rules);
  EXPECT_EQ(rate.share(), 110'000) << "one step per window";
  rate.Cut(12s, 12s, rules, 0);
  EXPECT_EQ(rate.share(), 77'000);
  for (int i = 0; i < 3; ++i) rate.Raise(20s + i * 1s, 1s, true, rules);
  EXPECT_EQ(rate.share(), 107'000);
  rate.Raise(30s, 1s, true, rules);
  EXPECT_EQ(rate.share(), 108'000);
}

TEST(AdaptiveRate, StartsSlowlyAfterAStop) {
  AdaptiveRate rate;
  rate.SlowStart(10s, 10s);
  EXPECT_EQ(rate.ShareAt(5s), 100'000);
  EXPECT_EQ(rate.ShareAt(10s), 100'000);
  EXPECT_EQ(rate.ShareAt(15s), 550'000);
  EXPECT_EQ(rate.ShareAt(20s), kFull);
}

TEST(Breaker, OpensAfterSoManyFailuresInARow) {
  Breaker breaker;
  const BreakerRules rules;
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(breaker.Fail(1s, 1s, rules, 0));
  breaker.Succeed(1s, 1s);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(breaker.Fail(1s, 1s, rules, 0));
  EXPECT_TRUE(breaker.Fail(2s, 2s, rules, 0));
  EXPECT_EQ(breaker.Earliest(2s, rules), 4s);
  EXPECT_THAT(Breaker(breaker).Earliest(100s, rules), 100s);
}

TEST(Breaker, TheEndOfAnOutageIsNoticedWithinHalfOfWhatItLasted) {
  for (const double chance : {0.0, 0.5, 0.999}) {
    Breaker breaker;
    const BreakerRules rules{.failures_in_a_row = 1};
    Duration now{};
    while (now < 1h) {
      ASSERT_TRUE(breaker.Fail(now, now, rules, chance));
      const auto pause = breaker.until() - now;
      EXPECT_THAT(pause, AllOf(Ge(2s), Le(now <= 10s ? 5s : now <= 2min ? 65s : 66s)));
      now = breaker.until();
      breaker.Enter(now, rules);
    }
    EXPECT_GE(breaker.until() - now, 60s) << "a provider that is down for long is left alone";
  }
}

TEST(Breaker, ProbesAreBoundedAndALostOneDoesNotShutItForGood) {
  Breaker breaker;
  const BreakerRules rules{.failures_in_a_row = 1, .probes = 2, .probe_timeout = 30s};
  breaker.Fail(0s, 0s, rules, 0);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(breaker.Earliest(60s, rules), 60s);
    breaker.Enter(60s, rules);
  }
  EXPECT_EQ(breaker.Earliest(60s, rules), 60s + 500ms) << "both probes are under way";
  EXPECT_EQ(breaker.Earliest(89s + 800ms, rules), 90s) << "and may be lost";
  breaker.Enter(90s, rules);
  EXPECT_TRUE(breaker.Succeed(91s, 90s));
  EXPECT_EQ(breaker.state(), Breaker::State::kClosed);
}

TEST(Breaker, LateAnswersToOldRequestsChangeNothing) {
  Breaker breaker;
  const BreakerRules rules{.failures_in_a_row = 1};
  breaker.Fail(10s, 9s, rules, 0);
  EXPECT_FALSE(breaker.Succeed(11s, 9s));
  EXPECT_EQ(breaker.state(), Breaker::State::kOpen);
  breaker.Enter(70s, rules);
  EXPECT_FALSE(breaker.Fail(71s, 9s, rules, 0)) << "a timeout from before the pause";
  EXPECT_EQ(breaker.state(), Breaker::State::kHalfOpen);
}

TEST(SlotLife, LatenessMakesItLongerAndCalmShortAgainButTheGuardStaysAWhile) {
  SlotLife life;
  life.Use(0s, 4ms, 1s);
  EXPECT_EQ(life.Of(4ms), 4ms);
  EXPECT_EQ(life.Longest(), 4ms);
  life.Late(1s, 10ms, 4ms, 125ms);
  EXPECT_EQ(life.Of(4ms), 15ms);
  life.Late(2s, 10s, 4ms, 125ms);
  EXPECT_EQ(life.Of(4ms), 125ms);
  life.Use(30s, 4ms, 1s);
  EXPECT_EQ(life.Of(4ms), 125ms);
  life.Use(63s, 4ms, 1s);
  EXPECT_EQ(life.Of(4ms), 4ms);
  EXPECT_EQ(life.Longest(), 125ms) << "slots with a long life are still about";
  life.Use(80s, 4ms, 1s);
  EXPECT_EQ(life.Longest(), 4ms);
}

TEST(RetryBudget, RetriesAreAFifthOfAllRequests) {
  RetryBudget budget;
  const GateRules rules{.retry_burst = 3};
  int retries = 0;
  for (int i = 0; i < 1'000; ++i) {
    budget.FirstTry(rules);
    if (!budget.MayRetry(rules)) continue;
    budget.Retry();
    ++retries;
  }
  EXPECT_THAT(retries, AllOf(Ge(200), Le(204)));
}

TEST(FairTurns, ATaskYieldsAfterItsQuantumWhileAnotherWaits) {
  FairTurns turns;
  for (int i = 0; i < 10; ++i) turns.Takes(1);
  EXPECT_FALSE(turns.MustYield(1, 0s, 10)) << "nobody waits";
  turns.Waits(2, 5s, 1s);
  EXPECT_TRUE(turns.MustYield(1, 5s, 10));
  EXPECT_FALSE(turns.MustYield(2, 5s, 10));
  EXPECT_FALSE(turns.MustYield(1, 7s, 10)) << "the other did not come back";
  turns.Waits(2, 8s, 1s);
  turns.Takes(2);
  EXPECT_FALSE(turns.MustYield(1, 8s, 10));
}

TEST(DelaySpread, KnowsNothingBeforeItHasSeenEnough) {
  DelaySpread delays;
  for (int i = 0; i < 99; ++i) delays.Saw(1s, 10ms);
  EXPECT_EQ(delays.Spread(), std::nullopt);
  delays.Saw(1s, 14ms);
  EXPECT_EQ(delays.Spread(), 5ms);
}

TEST(DelaySpread, IsWidenedAtOnceAndForgetsAfterAnHour) {
  DelaySpread delays;
  for (int i = 0; i < 100; ++i) delays.Saw(1s, 10ms);
  delays.Saw(2s, 50ms);
  EXPECT_EQ(delays.Spread(), 50ms);
  for (auto at = Duration(3s); at < 30min; at += 10s) delays.Saw(at, 10ms);
  EXPECT_EQ(delays.Spread(), 50ms);
  for (auto at = Duration(30min); at < 65min; at += 10s) delays.Saw(at, 10ms);
  EXPECT_EQ(delays.Spread(), 0ms);
}

TEST(ChooseCredential, AsListedTakesTheFirstThatNeitherCoolsDownNorIsSpent) {
  using States = std::vector<CredentialState>;
  const CredentialState free{.estimate = {.permits = 5}, .quota_left = 5};
  const CredentialState paced{
      .estimate = {.permits = 5, .blocked_until = 12s, .reason = WaitReason::kPace},
      .quota_left = 5};
  const CredentialState cooling{
      .estimate = {.permits = 5, .blocked_until = 60s, .reason = WaitReason::kCoolDown},
      .quota_left = 5};
  const CredentialState spent{.estimate = {.permits = 0}, .quota_left = 0};
  const CredentialState rich{.estimate = {.permits = 900}, .quota_left = 900};
  const auto choose = [](const States& states) {
    return ChooseCredential(states, 10s, CredentialOrder::kListed);
  };
  EXPECT_EQ(choose({free, rich}), 0U);
  EXPECT_EQ(choose({paced, rich}), 0U) << "its turn comes";
  EXPECT_EQ(choose({cooling, rich}), 1U);
  EXPECT_EQ(choose({spent, rich}), 1U);
  EXPECT_EQ(choose({cooling, spent}), 0U) << "it serves again sooner";
}

TEST(ChooseCredential, SpreadsByWhatIsLeftAndSkipsTheRefused) {
  const auto free = [](std::int64_t left) {
    return CredentialState{.estimate = {.permits = 10}, .quota_left = left};
  };
  const CredentialState refused{.estimate = {.reason = WaitReason::kRefused}, .quota_left = 999};
  const CredentialState frozen{.estimate = {.permits = 10, .blocked_until = 20s},
                               .quota_left = 500};
  using States = std::vector<CredentialState>;
  EXPECT_EQ(
      ChooseCredential(States{free(10), refused, free(30), frozen}, 10s, CredentialOrder::kEvenly),
      2U);
  EXPECT_EQ(ChooseCredential(States{free(0), frozen}, 10s, CredentialOrder::kEvenly), 1U);
  EXPECT_EQ(ChooseCredential(States{refused}, 10s, CredentialOrder::kEvenly), std::nullopt);
}

}  // namespace patra::domain::gate_machines_test
