// Ways of cutting, sent to the simulator and answered: by a second date where a day has more than paging
// reaches, and by pages where a list knows no time.
#include <gtest/gtest.h>

#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"

namespace patra::cutting_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 6 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class Cutting : public testing::SimWorld, public ::testing::Test {
 protected:
  void StartWith(const char* provider, std::int64_t size) {
    Start({.seed = 5, .size = size, .providers = {provider}, .begin = kBegin, .now = kNow});
  }

  void HarvestAndCompare(const domain::SpecSnapshot& spec, const boot::TruthOf& truth) {
    const auto summary = testing::Harvest(*engine_, {.spec = spec}, {.workers = 0});
    ASSERT_TRUE(summary) << summary.error().Describe();
    EXPECT_TRUE(summary->complete())
        << summary->work.failed << " failed, " << summary->work.partial
        << " partial: " << (summary->work.first_error ? summary->work.first_error->Describe() : "");
    ASSERT_TRUE(summary->watermark);
    const auto difference = boot::CompareWithTruth(*simulator_, engine_->store().read().items(),
                                                   spec.window.start, *summary->watermark, truth);
    ASSERT_TRUE(difference) << difference.error().Describe();
    EXPECT_TRUE(difference->empty()) << difference->missing << " missing, " << difference->wrong
                                     << " wrong of " << difference->truth;
  }
};

TEST_F(Cutting, ADayBeyondThePageWallIsCutByTheDateOfCreation) {
  StartWith("pubmed", 1'500);
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
    StartWith("rest", 3'000);
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

TEST_F(Cutting, TwentyYearsOfAFewRecordsAreAFewSlices) {
  StartWith("rest", 300);
  auto spec = testing::SimRest("items", simulator_->url(), kNow - std::chrono::days(7'300));
  spec.window.width = spec.window.width_max = 1h;
  spec.paging.size = 100;
  HarvestAndCompare(spec, {.truth = "rest/deleted", .provenance = "sim-rest", .endpoint = "items"});
  EXPECT_LE(Count("SELECT count(*) FROM ing_plan_slice"), 50);
  EXPECT_LE(Count("SELECT count(*) FROM ing_task_run_batch"), 150);
}

TEST_F(Cutting, TwentyYearsOfManyRecordsAreCutByWhatFirstPagesAnnounce) {
  StartWith("rest", 6'000);
  auto spec = testing::SimRest("items", simulator_->url(), kNow - std::chrono::days(7'300));
  spec.window.width = spec.window.width_max = 24h;
  spec.paging.size = 10;
  HarvestAndCompare(spec, {.truth = "rest/deleted", .provenance = "sim-rest", .endpoint = "items"});
  EXPECT_GT(Count("SELECT count(*) FROM ing_plan_slice WHERE status_code = 'SUCCEEDED' AND "
                  "received > 0"),
            5)
      << "several workers have something to do";
  EXPECT_LT(Count("SELECT count(*) FROM ing_plan_slice"), 2'000)
      << "and nobody asked for every day";
}

// Whoever reads the plan and whoever ran it are told the same.
TEST_F(Cutting, APlanThatWasCutTooOftenSaysSoEverywhere) {
  StartWith("rest", 1'500);
  auto spec = testing::SimRest("items", simulator_->url(), kBegin);
  spec.paging.size = 10;
  spec.paging.reach = 20;
  spec.window.width = spec.window.width_max = std::chrono::days(400);
  const auto planned = app::PlanHarvest(engine_->plan_ports()).Run({.spec = spec});
  ASSERT_TRUE(planned) << planned.error().Describe();
  const auto numbered =
      testing::DatabaseOf(engine_->store()).Write([](infra::sql::Session& connection) {
        return connection.Run("UPDATE ing_plan_slice SET slice_no = 1000100000 WHERE slice_no = 1");
      });
  ASSERT_TRUE(numbered) << numbered.error().Describe();
  const auto worked = engine_->work().Run({.workers = 0}, [](const auto&) {});
  ASSERT_TRUE(worked) << worked.error().Describe();
  EXPECT_EQ(worked->failed, planned->slices);
  EXPECT_EQ(worked->recut, 0);
  ASSERT_TRUE(worked->first_error);
  EXPECT_NE(worked->first_error->message.find("100000 pieces"), std::string::npos)
      << worked->first_error->Describe();
  for (const auto* where :
       {"ing_plan_slice WHERE status_code = 'FAILED' AND gap LIKE '%100000 pieces%'",
        "ing_task WHERE status_code = 'FAILED' AND last_error_msg LIKE '%100000 pieces%'",
        "ing_task_run WHERE status_code = 'FAILED' AND stats NOT LIKE '%online-reslice%'"}) {
    EXPECT_EQ(Count(std::string("SELECT count(*) FROM ") + where), planned->slices) << where;
  }
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice"), planned->slices);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE status_code = 'COMPLETED'"), 0);
}

TEST_F(Cutting, PagingByTimeAsksFromTheNewestRecordOn) {
  StartWith("rest", 1'500);
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

}  // namespace patra::cutting_test
