// Harvests of a provider that enforces its limits and counts for itself.
#include <gtest/gtest.h>

#include "boot/demo_source.h"
#include "boot/engine.h"
#include "sim/simulator.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::gate_harvest_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 1 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2025} / 7 / 1}};

// The world's calendar stands still, everything else takes its real time: the provider counts by that.
class StandingCalendar final : public Clock {
 public:
  Instant Now() const override { return kNow; }
  Duration Elapsed() const override { return real_.Elapsed(); }
  void SleepFor(Duration duration) override { real_.SleepFor(duration); }

 private:
  SystemClock real_;
};

class GateHarvest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto simulator = sim::Simulator::Start({.seed = 3,
                                            .size = 4'000,
                                            .providers = {"rest"},
                                            .begin = kBegin,
                                            .now = kNow,
                                            .late_by = boot::kDemoLatestArrival});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
    auto engine = boot::Engine::Open(
        {.database = stores_.At(folder_.Path("patra.db")), .allow_loopback = true}, clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
  }

  std::int64_t Counted(std::string_view what) {
    const auto stats = simulator_->Stats();
    return *stats.Find("sources")->Find("rest")->Find(what)->AsInteger();
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  StandingCalendar clock_;
  std::unique_ptr<sim::Simulator> simulator_;
  std::unique_ptr<boot::Engine> engine_;
};

TEST_F(GateHarvest, AProviderThatCountsNeverHasToSayNo) {
  // Four more than configured: a busy machine may hold a request up for longer than the guard covers. How
  // exact the gate is, the model and the bench show.
  ASSERT_TRUE(simulator_->SetLimits(
      "rest", *ParseJson(R"([{"kind":"sliding","scope":"key","count":24,"window":"1s"}])")));
  auto spec = boot::DemoSource(simulator_->url(), kBegin);
  spec.limits = {{.rate = domain::RateSpec{.requests = 20, .per = 1s}}};
  const auto summary = testing::Harvest(*engine_, {.spec = spec}, {.workers = 0});
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_TRUE(summary->complete());
  EXPECT_EQ(Counted("rejected"), 0);
  EXPECT_GT(Counted("permitted"), 30);
}

TEST_F(GateHarvest, AProviderThatAllowsLessThanItSaysParksTheRest) {
  ASSERT_TRUE(simulator_->SetLimits(
      "rest", *ParseJson(R"([{"kind":"fixed","scope":"key","count":3,"window":"1h"}])")));
  const auto spec = boot::DemoSource(simulator_->url(), kBegin);
  const auto summary = testing::Harvest(*engine_, {.spec = spec}, {.workers = 0});
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_FALSE(summary->complete());
  EXPECT_EQ(Counted("rejected"), 1) << "one complaint stops everybody";
  ASSERT_TRUE(summary->work.parked);
  EXPECT_EQ(summary->work.parked->reason, domain::WaitReason::kCoolDown);
  EXPECT_GT(summary->work.parked->until, kNow);
  const auto gate = engine_->gate().List();
  ASSERT_TRUE(gate);
  EXPECT_EQ(gate->at(0).counts.throttled, 1);
}

TEST_F(GateHarvest, ASecondKeyServesWhileTheFirstIsToldToWaitForLong) {
  ::setenv("PATRA_TEST_FIRST", "secret-number-one", 1);
  ::setenv("PATRA_TEST_SECOND", "secret-number-two", 1);
  for (const auto order : {domain::KeyOrder::kListed, domain::KeyOrder::kEvenly}) {
    SetUp();
    ASSERT_TRUE(simulator_->SetLimits(
        "rest", *ParseJson(R"([{"kind":"fixed","scope":"key","count":3,"window":"1h"}])")));
    auto spec = boot::DemoSource(simulator_->url(), kBegin);
    spec.provenance = order == domain::KeyOrder::kListed ? "listed" : "evenly";
    spec.auth = {.type = domain::AuthType::kApiKey,
                 .location = domain::AuthLocation::kHeader,
                 .name = "X-Api-Key",
                 .credentials = {"env:PATRA_TEST_FIRST", "env:PATRA_TEST_SECOND"},
                 .key_order = order};
    spec.limits[0].per = domain::RateScope::kCredential;
    // One slice: it is the task that was told to wait that goes on, and not another one.
    spec.paging.size = 2;
    const auto summary = testing::Harvest(
        *engine_, {.spec = spec, .to = kBegin + std::chrono::days(1)}, {.workers = 0});
    ASSERT_TRUE(summary) << summary.error().Describe();
    EXPECT_EQ(Counted("permitted"), 6) << "three with each";
    EXPECT_EQ(Counted("rejected"), 2);
  }
}

}  // namespace patra::gate_harvest_test
