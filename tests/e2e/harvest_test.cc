// Harvests of the simulator, compared with its truth: after any scenario the difference is empty, or
// the ledger names what is missing.
#include <gtest/gtest.h>

#include "boot/demo_source.h"
#include "boot/engine.h"
#include "infra/sqlite/connection.h"
#include "sim/simulator.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"
#include "tests/world_clock.h"

namespace patra::harvest_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 1 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class HarvestEndToEnd : public ::testing::Test {
 protected:
  void Start(std::int64_t size, Value faults = {}) {
    auto simulator = sim::Simulator::Start({.seed = 7,
                                            .size = size,
                                            .providers = {"rest"},
                                            .begin = kBegin,
                                            .now = kNow,
                                            .late_by = boot::kDemoLatestArrival,
                                            .enforce_limits = false,
                                            .faults = std::move(faults)});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
    clock_ = std::make_unique<testing::WorldClock>(*simulator_);
    auto engine = boot::Engine::Open(
        {.database = stores_.At(folder_.Path("patra.db")), .allow_loopback = true}, *clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
  }

  Result<testing::HarvestSummary> Harvest() {
    return testing::Harvest(*engine_, {.spec = boot::DemoSource(simulator_->url(), kBegin)},
                            {.workers = 0});
  }

  boot::Difference Difference(Instant to) {
    const auto difference =
        boot::CompareWithTruth(*simulator_, engine_->store().read().items(), kBegin, to);
    EXPECT_TRUE(difference);
    return difference.value_or(boot::Difference{.missing = -1});
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::unique_ptr<sim::Simulator> simulator_;
  std::unique_ptr<testing::WorldClock> clock_;
  std::unique_ptr<boot::Engine> engine_;
};

TEST_F(HarvestEndToEnd, AnEmptyStoreHoldsTheWholeTruthAfterwards) {
  Start(3000);
  const auto summary = Harvest();
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_TRUE(summary->complete());
  EXPECT_TRUE(summary->work.totals.counts.Balances());
  const auto difference = Difference(*summary->watermark);
  EXPECT_TRUE(difference.empty()) << difference.missing << " missing, " << difference.wrong
                                  << " wrong";
  EXPECT_GT(difference.truth, 2000);
}

TEST_F(HarvestEndToEnd, HealthySlicesAreNotCutWhileTheyRun) {
  Start(60'000);
  const auto summary = Harvest();
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_TRUE(summary->complete());
  EXPECT_EQ(summary->work.recut, 0);
  EXPECT_EQ(summary->work.totals.counts.unchanged, 0) << "nothing is read twice";
}

TEST_F(HarvestEndToEnd, TheNextHarvestBringsOnlyWhatChanged) {
  Start(3000);
  const auto first = Harvest();
  simulator_->Advance(std::chrono::days(10));
  const auto second = Harvest();
  ASSERT_TRUE(first && second);
  EXPECT_LT(second->work.totals.counts.received, first->work.totals.counts.received / 5);
  EXPECT_GT(second->work.totals.counts.received, 0);
  EXPECT_GT(*second->watermark, *first->watermark);
  EXPECT_TRUE(Difference(*second->watermark).empty());
}

TEST_F(HarvestEndToEnd, HarvestingTwiceInTheSameMomentDoesNothing) {
  Start(500);
  ASSERT_TRUE(Harvest());
  const auto again = Harvest();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->planned, app::HarvestPlanned::Kind::kNothingDue);
  EXPECT_EQ(again->work.totals.requests, 0);
}

TEST_F(HarvestEndToEnd, ASourceMayStayOutOfTheRawVault) {
  Start(500);
  auto spec = boot::DemoSource(simulator_->url(), kBegin);
  spec.keep_raw_pages = false;
  const auto summary = testing::Harvest(*engine_, {.spec = spec}, {.workers = 0});
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_TRUE(summary->complete());
  const auto pages =
      testing::DatabaseOf(engine_->store()).Read([](infra::sql::Session& connection) {
        return connection.Integer("SELECT count(*) FROM ing_raw_page");
      });
  EXPECT_EQ(pages, 0);
  EXPECT_TRUE(Difference(*summary->watermark).empty());
}

TEST_F(HarvestEndToEnd, AnEmptySourceIsAQuietSuccess) {
  Start(1);
  simulator_->Advance(std::chrono::days(1));
  const auto summary = Harvest();
  ASSERT_TRUE(summary);
  EXPECT_TRUE(summary->complete());
  EXPECT_TRUE(summary->watermark.has_value());
}

TEST_F(HarvestEndToEnd, AProviderThatIsGoneHoldsTheWatermark) {
  Start(500);
  const auto spec = boot::DemoSource(simulator_->url(), kBegin);
  simulator_->Stop();
  const auto summary = testing::Harvest(*engine_, {.spec = spec}, {.workers = 0});
  ASSERT_TRUE(summary);
  EXPECT_FALSE(summary->complete());
  EXPECT_FALSE(summary->watermark.has_value());
  ASSERT_TRUE(summary->work.first_error.has_value());
  EXPECT_EQ(summary->work.first_error->code, ErrorCode::kUnavailable);
}

}  // namespace patra::harvest_test
