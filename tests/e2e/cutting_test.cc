// Ways of cutting, sent to the simulator and answered: by a second date where a day has more than paging
// reaches, and by pages where a list knows no time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "boot/demo_source.h"
#include "boot/engine.h"
#include "sim/simulator.h"
#include "tests/e2e/sim_rest.h"
#include "tests/temporary_folder.h"
#include "tests/world_clock.h"

namespace patra {
namespace {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 6 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class Cutting : public ::testing::Test {
 protected:
  void Start(const char* provider, std::int64_t size) {
    auto simulator = sim::Simulator::Start({.seed = 5,
                                            .size = size,
                                            .providers = {provider},
                                            .begin = kBegin,
                                            .now = kNow,
                                            .late_by = boot::kDemoLatestArrival,
                                            .enforce_limits = false});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
    clock_ = std::make_unique<testing::WorldClock>(*simulator_);
    auto engine =
        boot::Engine::Open({.database_file = folder_.Path(fmt::format("patra{}.db", ++stores_)),
                            .allow_loopback = true},
                           *clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
  }

  void HarvestAndCompare(const domain::SpecSnapshot& spec, const boot::TruthOf& truth) {
    const auto summary = engine_->harvest().Run({.spec = spec}, {.workers = 0}, [](const auto&) {});
    ASSERT_TRUE(summary) << summary.error().Describe();
    EXPECT_TRUE(summary->complete())
        << summary->work.failed << " failed, " << summary->work.partial
        << " partial: " << (summary->work.first_error ? summary->work.first_error->Describe() : "");
    ASSERT_TRUE(summary->watermark);
    const auto difference = boot::CompareWithTruth(*simulator_, engine_->store(), spec.window.start,
                                                   *summary->watermark, truth);
    ASSERT_TRUE(difference) << difference.error().Describe();
    EXPECT_TRUE(difference->empty()) << difference->missing << " missing, " << difference->wrong
                                     << " wrong of " << difference->truth;
  }

  std::int64_t Count(const std::string& sql) {
    return engine_->store()
        .Read([&](infra::sqlite::Connection& connection) { return connection.Integer(sql); })
        .value_or(-1);
  }

  testing::TemporaryFolder folder_;
  int stores_ = 0;
  std::unique_ptr<sim::Simulator> simulator_;
  std::unique_ptr<testing::WorldClock> clock_;
  std::unique_ptr<boot::Engine> engine_;
};

TEST_F(Cutting, ADayBeyondThePageWallIsCutByTheDateOfCreation) {
  Start("pubmed", 1'500);
  const auto from = kNow - std::chrono::days(45);
  auto spec = testing::Shipped("pubmed/articles", simulator_->url() + "/pubmed", from);
  spec.paging.size = 12;  // of the 13 to 15 records of some days, up to 12 were created on that day
  spec.paging.reach = 12;
  HarvestAndCompare(spec, {.truth = "pubmed", .provenance = "pubmed", .endpoint = "articles"});
  EXPECT_GT(Count("SELECT count(*) FROM ing_plan_slice WHERE status_code = 'SUCCEEDED' AND "
                  "received > 0 AND json_extract(slice_spec, '$.bounds.split[0].name') = 'crdt'"),
            10);
}

TEST_F(Cutting, AListWithoutTimeIsCutByPagesOnceItsSizeIsKnown) {
  for (const auto* endpoint : {"whole", "whole-by-offset"}) {
    Start("rest", 3'000);
    auto spec = testing::SimRest(endpoint, simulator_->url(), kBegin);
    spec.paging.size = 4;  // 200 pages a slice are 800 records
    const boot::TruthOf truth{
        .truth = "rest/deleted", .provenance = "sim-rest", .endpoint = endpoint};
    HarvestAndCompare(spec, truth);
    EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice"), 1) << "nobody knew how long it is";
    simulator_->Advance(24h);
    HarvestAndCompare(spec, truth);
    const auto slices = Count("SELECT count(*) FROM ing_plan_slice") - 1;
    EXPECT_GE(slices, 3) << endpoint;
    EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE slice_strategy_code = 'PAGE' AND "
                    "json_extract(record_remarks, '$.enumerator') = 'ScanByCursor' AND "
                    "json_extract(record_remarks, '$.sliceWidth') LIKE '200 pages a slice%'"),
              1);
    EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE json_extract(slice_spec, "
                    "'$.dimension') <> 'PAGE' OR received - repeated <> announced"),
              0)
        << "each range of pages accounts for its share of the total";
  }
}

TEST_F(Cutting, PagingByTimeAsksFromTheNewestRecordOn) {
  Start("rest", 1'500);
  auto spec = testing::SimRest("by-time", simulator_->url(), kBegin);
  spec.paging.size = 60;
  HarvestAndCompare(spec,
                    {.truth = "rest/deleted", .provenance = "sim-rest", .endpoint = "by-time"});
  EXPECT_GT(Count("SELECT count(*) FROM ing_task_run_batch WHERE status_code = 'SUCCEEDED' AND "
                  "batch_no > 1"),
            10);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE status_code = 'SUCCEEDED' AND "
                  "received - repeated <> announced"),
            0);
}

}  // namespace
}  // namespace patra
