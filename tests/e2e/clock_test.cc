// A clock that is ahead of the provider's, over real HTTP.
#include <gtest/gtest.h>

#include "tests/e2e/sim_world.h"
#include "tests/run_harvest.h"

namespace patra::clock_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 12 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class ClockEndToEnd : public testing::SimWorld, public ::testing::Test {
 protected:
  Result<testing::HarvestSummary> Harvest() {
    return testing::Harvest(*engine_, {.spec = boot::DemoSource(simulator_->url(), kBegin)},
                            {.workers = 0});
  }
  void PutProvidersClock(Duration behind) {
    simulator_->SetClockOffset(kNow - behind - SystemClock().Now());
  }
};

TEST_F(ClockEndToEnd, NothingAfterTheProvidersNowIsProvenAndNothingIsLostByIt) {
  Start({.seed = 3, .size = 500, .providers = {"rest"}, .begin = kBegin, .now = kNow});
  PutProvidersClock(5h);
  const auto early = Harvest();
  ASSERT_TRUE(early) << early.error().Describe();
  EXPECT_TRUE(early->complete()) << "nothing is missing that the provider could have";
  EXPECT_EQ(early->work.early, 1);
  EXPECT_FALSE(early->work.first_error);
  ASSERT_TRUE(early->watermark);
  EXPECT_LE(*early->watermark, kNow - 5h);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_alert WHERE alert_key = 'clock/demo/provider' AND "
                  "status_code = 'FIRING'"),
            1);

  PutProvidersClock(0h);
  const auto late = Harvest();
  ASSERT_TRUE(late) << late.error().Describe();
  EXPECT_TRUE(late->complete());
  EXPECT_GT(*late->watermark, kNow - 3h);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_alert WHERE status_code = 'FIRING'"), 0);
  const auto difference = boot::CompareWithTruth(*simulator_, engine_->store().read().items(),
                                                 kBegin, *late->watermark);
  ASSERT_TRUE(difference);
  EXPECT_TRUE(difference->empty());
}

}  // namespace patra::clock_test
