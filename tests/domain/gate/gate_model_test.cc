// Never over the limit: millions of acquires by executors that oversleep, drift, crash and lose the gate's
// state, against providers that count in every way we know of.
#include <gtest/gtest.h>

#include "tests/domain/gate/gate_model.h"

namespace patra::testing::gate_model_test {

using namespace std::chrono_literals;
using domain::Limit;
using domain::LimitKind;

struct NamedLimit {
  const char* name;
  Limit limit;
};

const std::vector<NamedLimit> kLimits = {
    {"5 per second", {.count = 5, .window = 1s}},
    {"10 per second", {.count = 10, .window = 1s}},
    {"50 per second", {.count = 50, .window = 1s}},
    {"1 per 3 s", {.count = 1, .window = 3s}},
    {"600 per minute", {.count = 600, .window = 60s}},
    {"195 in any minute", {.kind = LimitKind::kSlidingWindow, .count = 195, .window = 60s}},
    {"3000 in any 5 minutes", {.kind = LimitKind::kSlidingWindow, .count = 3'000, .window = 300s}},
    {"20 in any second", {.kind = LimitKind::kSlidingWindow, .count = 20, .window = 1s}},
    {"60 in each minute", {.kind = LimitKind::kFixedWindow, .count = 60, .window = 60s}},
    {"40 in each second", {.kind = LimitKind::kFixedWindow, .count = 40, .window = 1s}},
};

// Everything that can go wrong, drawn from the seed.
GateScenario Trouble(const Limit& limit, SeededRandom& random) {
  GateScenario scenario;
  scenario.delay_max = Duration(random.Between(0, (limit.window / 12).count()));
  scenario.executors = static_cast<int>(random.Between(1, 32));
  scenario.latency = Duration(random.Between(1'000, 800'000));
  scenario.late_usually_max = Duration(random.Between(0, 5'000));
  scenario.very_late = 0.1 * random.Fraction();
  scenario.clock_drift = 0.2 * random.Fraction();
  scenario.crash = random.Chance(0.5) ? 0.02 * random.Fraction() : 0;
  scenario.state_lost = random.Chance(0.3) ? 0.0005 * random.Fraction() : 0;
  scenario.cost_max = limit.count >= 10 && random.Chance(0.3) ? random.Between(2, 4) : 1;
  // Long enough for tens of thousands of requests, or many windows.
  scenario.length =
      std::clamp<Duration>(limit.window * (20'000 / limit.count), 10 * limit.window, 4h);
  scenario.rules.limits = {limit};
  scenario.rules.limits[0].jitter = scenario.delay_max;
  scenario.rules.cost_max = scenario.cost_max;
  return scenario;
}

TEST(GateModel, NoProviderEverCountsMoreThanItAllows) {
  std::int64_t acquires = 0;
  std::int64_t crashes = 0;
  std::int64_t losses = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    for (const auto& [name, limit] : kLimits) {
      SeededRandom random = SeededRandom(seed).Fork(name);
      auto scenario = Trouble(limit, random);
      const bool is_fixed = limit.kind == LimitKind::kFixedWindow;
      // The provider's clock is off by up to what remains of the jitter.
      const auto ahead = is_fixed ? Duration(random.Between(0, scenario.delay_max.count())) : 0us;
      if (is_fixed) scenario.rules.limits[0].jitter += ahead;
      ASSERT_TRUE(domain::Validate(scenario.rules)) << name;

      const auto result = GateModel(scenario, seed).Run();
      acquires += result.acquires;
      crashes += result.crashes;
      losses += result.losses;
      const auto peak = is_fixed ? PeakInFixedWindows(result.arrivals, limit.window, ahead)
                                 : PeakInAnyWindow(result.arrivals, limit.window);
      ASSERT_LE(peak, limit.count) << name << ", seed " << seed;
      if (is_fixed) {
        ASSERT_LE(PeakInFixedWindows(result.arrivals, limit.window, -ahead), limit.count)
            << name << ", seed " << seed;
      }
    }
  }
  RecordProperty("acquires", std::to_string(acquires));
  std::printf("%lld acquires, %lld crashes, %lld lost states\n", static_cast<long long>(acquires),
              static_cast<long long>(crashes), static_cast<long long>(losses));
  EXPECT_GT(acquires, 2'000'000);
  EXPECT_GT(crashes, 1'000);
  EXPECT_GT(losses, 10);
}

TEST(GateModel, SeesWhatAGuardThatIsTooShortDoes) {
  GateScenario scenario{.executors = 16, .delay_max = 100ms};
  scenario.rules.limits = {{.count = 50, .window = 1s, .jitter = 0s}};
  EXPECT_GT(PeakInAnyWindow(GateModel(scenario, 1).Run().arrivals, 1s), 50);
  scenario.rules.limits[0].jitter = 100ms;
  EXPECT_LE(PeakInAnyWindow(GateModel(scenario, 1).Run().arrivals, 1s), 50);
}

TEST(GateModel, TheGuardBecomesTheJitterThatIsReallyThere) {
  GateScenario scenario{.executors = 16, .latency_spread = 0};
  scenario.rules.limits = {{.count = 50, .window = 1s}};
  const auto life = scenario.rules.SlotLife();
  const auto assumed = scenario.rules.limits[0].jitter;

  scenario.delay_max = 2ms;
  const auto calm = GateModel(scenario, 1).Run();
  EXPECT_GE(calm.guard, 2ms + life);
  EXPECT_LT(calm.guard, assumed + life);
  EXPECT_LE(PeakInAnyWindow(calm.arrivals, 1s), 50);

  scenario.delay_max = 60ms;
  auto rough = GateModel(scenario, 1).Run();
  EXPECT_GE(rough.guard, 60ms + life);
  // What was sent before enough was known had the guard that was assumed.
  std::erase_if(rough.arrivals, [](const auto& arrival) { return arrival.at < 10s; });
  EXPECT_LE(PeakInAnyWindow(rough.arrivals, 1s), 50);
}

TEST(GateModel, PacedSlotsHoldAgainstFixedWindowsAndSmallBucketsToo) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SeededRandom random(seed);
    const Limit limit{.count = 100, .window = 10s};
    auto scenario = Trouble(limit, random);
    scenario.cost_max = scenario.rules.cost_max = 1;
    // A bucket of a tenth forgives a delay of less than its own size.
    scenario.delay_max = std::min<Duration>(scenario.delay_max, 100ms);
    scenario.rules.limits[0].jitter = scenario.delay_max;
    const auto result = GateModel(scenario, seed).Run();
    for (int phase = 0; phase < 8; ++phase)
      ASSERT_LE(PeakInFixedWindows(result.arrivals, 10s, phase * 1'250ms), 100) << seed;
    ASSERT_EQ(RejectedByBucket(result.arrivals, 100, 10s, 100), 0) << seed;
    ASSERT_EQ(RejectedByBucket(result.arrivals, 100, 10s, 10), 0) << seed;
  }
}

TEST(GateModel, NoMoreAtTheSameTimeThanAllowedWhoeverDies) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SeededRandom random(seed);
    const auto count = random.Between(1, 5);
    auto scenario = Trouble({.count = 10, .window = 1s}, random);
    scenario.cost_max = scenario.rules.cost_max = 1;
    scenario.length = 5min;
    scenario.executors = std::min(scenario.executors, 10);
    // Those who wait ask often, so that each step counts for less.
    scenario.crash /= 20;
    scenario.state_lost /= 100;
    // A lost state forgets who is under way; the file's lease time covers that, which is ten seconds here.
    scenario.rules.limits.push_back(
        {.kind = LimitKind::kConcurrency, .count = count, .window = 10s, .jitter = 0s});
    const auto result = GateModel(scenario, seed).Run();
    ASSERT_LE(PeakAtTheSameTime(result.arrivals), count) << seed;
    ASSERT_LE(PeakInAnyWindow(result.arrivals, 1s), 10) << seed;
    ASSERT_GT(result.arrivals.size(), 50U) << seed;
  }
}

TEST(GateModel, WithoutTroubleTheAllowanceIsUsedToThePromisedShare) {
  for (const auto& [name, limit] : kLimits) {
    if (limit.count < 3) continue;
    GateScenario scenario;
    scenario.executors = 16;
    scenario.length = 10min;
    scenario.latency_spread = 0;
    scenario.rules.limits = {limit};
    scenario.rules.limits[0].jitter = scenario.delay_max;
    const auto result = GateModel(scenario, 1).Run();
    const auto allowed = static_cast<double>(limit.count * (scenario.length / limit.window));
    const auto promised = static_cast<double>(limit.window.count()) /
                          static_cast<double>((limit.window + result.guard).count());
    EXPECT_GE(static_cast<double>(result.arrivals.size()) / allowed, promised - 0.01) << name;
  }
}

}  // namespace patra::testing::gate_model_test
