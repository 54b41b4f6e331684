// How much of an allowance is used when processes that share it die.
#include <gtest/gtest.h>

#include "tests/simulation/process.h"

namespace patra::allowance_test {

using namespace std::chrono_literals;

const Instant kNow = testing::kModelBegin + std::chrono::days(60);
constexpr Duration kLatency = 200ms;

// A provider that takes a while for an answer. From `dies_at` on, whoever asks is never heard of again: as in a process
// that was killed, nothing is given back, and no lease is renewed.
class KilledAt final : public app::Transport {
 public:
  KilledAt(testing::Stage& stage, testing::ModelProvider& provider, std::vector<Instant>& arrivals,
           Instant dies_at)
      : stage_(stage), provider_(provider), arrivals_(arrivals), dies_at_(dies_at) {}

  Result<app::HttpResponse> Send(const app::HttpRequest& request) override {
    if (stage_.Now() >= dies_at_) stage_.Sleep(std::chrono::days(1));
    arrivals_.push_back(stage_.Now());
    stage_.Sleep(kLatency);
    return provider_.Send(request);
  }

 private:
  testing::Stage& stage_;
  testing::ModelProvider& provider_;
  std::vector<Instant>& arrivals_;
  const Instant dies_at_;
};

struct Case {
  const char* name;
  domain::LimitSpec limit;
  int executors = 4;
  std::vector<Duration> deaths{};  // of the first, the second, … after the start
};

class AllowanceAfterKills : public ::testing::TestWithParam<Case> {};

INSTANTIATE_TEST_SUITE_P(
    Limits, AllowanceAfterKills,
    ::testing::Values(
        Case{.name = "Rate",
             .limit = {.rate = domain::RateSpec{.requests = 5, .per = 1s}},
             .deaths = {20s, 40s}},
        Case{.name = "Minute",
             .limit = {.rate = domain::RateSpec{.requests = 300, .per = 60s}, .burst = 300},
             .deaths = {20s, 40s}},
        Case{.name = "RateAndPlaces",
             .limit = {.rate = domain::RateSpec{.requests = 5, .per = 1s}, .concurrency = 4},
             .executors = 5,
             .deaths = {20s, 40s}}),
    [](const auto& c) { return std::string(c.param.name); });

TEST_P(AllowanceAfterKills, IsUsedByThoseWhoLive) {
  const auto& param = GetParam();
  testing::TemporaryFolder folder;
  const auto database = testing::EmptyStoreIn(folder);
  testing::Stage stage(1, kNow);
  testing::StageClock clock(stage);
  testing::ModelProvider provider(stage, testing::RecordsEvery(10min, 60 * 24 * 6), 0);
  std::vector<Instant> arrivals;
  auto spec = testing::SourceIn("page");
  spec.limits = {param.limit};
  constexpr auto kLength = 120s;

  stage.Add([&] {
    testing::Process planner(database, stage, clock, provider, 1);
    ASSERT_TRUE(planner.plan.Run({.spec = spec}));
  });
  stage.Run();
  const auto begun = stage.Now();
  for (std::size_t i = 0; i < static_cast<std::size_t>(param.executors); ++i) {
    stage.Add([&, i] {
      const auto dies_at = i < param.deaths.size() ? begun + param.deaths[i] : Instant::max();
      KilledAt transport(stage, provider, arrivals, dies_at);
      testing::Process process(database, stage, clock, transport, 2 + i);
      const auto stops = [&](const auto&) {
        if (stage.Now() > begun + kLength) process.stop.Ask();
      };
      EXPECT_TRUE(process.work.Run({.workers = 0}, stops));
    });
  }
  stage.Run();

  const auto& rate = *param.limit.rate;
  const auto used =
      std::ranges::count_if(arrivals, [&](Instant at) { return at < begun + kLength; });
  const auto allowed = rate.requests * (kLength / rate.per);
  EXPECT_GE(static_cast<double>(used) / static_cast<double>(allowed), 0.97)
      << used << " of " << allowed;
  std::ranges::sort(arrivals);
  for (std::size_t i = static_cast<std::size_t>(rate.requests); i < arrivals.size(); ++i)
    EXPECT_GE(arrivals[i] - arrivals[i - static_cast<std::size_t>(rate.requests)], rate.per);
}

}  // namespace patra::allowance_test
