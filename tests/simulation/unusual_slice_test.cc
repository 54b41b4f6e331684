// A slice that brings far more records than its kind usually does is cut.

#include <gtest/gtest.h>

#include "tests/simulation/process.h"

namespace patra::unusual_slice_test {

using namespace std::chrono_literals;

struct Outcome {
  std::int64_t children = 0;
  std::int64_t items = 0;
  std::string gap;
};

// Ten slices that bring about as many records each, and then one with `burst`; spread over their slices, for an end that is empty
// beside many records would be asked for alone.
Outcome Harvest(int burst) {
  testing::TemporaryFolder folder;
  const auto database = testing::EmptyStoreIn(folder);
  testing::Stage stage(1, testing::kModelBegin + 23h);
  std::vector<testing::ModelRecord> records;
  for (int slice = 0; slice < 10; ++slice) {
    for (int i = 0; i < 10 + slice % 3; ++i)
      records.push_back(
          {fmt::format("r{}-{}", slice, i), testing::kModelBegin + slice * 2h + i * 10min});
  }
  for (int i = 0; i < burst; ++i)
    records.push_back({fmt::format("b{}", i), testing::kModelBegin + 20h + i * (7200s / burst)});
  testing::ModelProvider provider(stage, records, 0);
  testing::StageClock clock(stage);
  const auto spec = testing::SourceIn("page");
  stage.Add([&] {
    testing::Process process(database, stage, clock, provider, 1);
    for (const auto to : {20h, 22h}) {
      const auto summary = process.harvest.Run({.spec = spec, .to = testing::kModelBegin + to},
                                               {.workers = 0}, [](const auto&) {});
      ASSERT_TRUE(summary) << summary.error().Describe();
      EXPECT_TRUE(summary->complete());
    }
  });
  stage.Run();
  const auto connection =
      infra::sqlite::Connection::Open(database, infra::sqlite::Connection::Access::kReadOnly);
  Outcome outcome;
  outcome.children =
      *(*connection)
           ->Integer("SELECT count(*) FROM ing_plan_slice WHERE parent_slice_id IS NOT NULL");
  outcome.items = *(*connection)->Integer("SELECT count(*) FROM ing_item");
  auto gaps = (*connection)->Query("SELECT coalesce(max(gap), '') FROM ing_plan_slice");
  if (gaps && *gaps->Next()) outcome.gap = gaps->Text(infra::sql::kOnly);
  EXPECT_EQ(outcome.items, std::ssize(records));
  return outcome;
}

TEST(UnusualSlice, IsCutWhenItsRecordsLieBeyondThreeDeviationsOfTheMean) {
  const auto outcome = Harvest(300);
  EXPECT_GT(outcome.children, 0);
  EXPECT_NE(outcome.gap.find("records where slices of this kind have about"), std::string::npos)
      << outcome.gap;
}

TEST(UnusualSlice, OfAFewPagesIsReadSoonerThanItIsCut) { EXPECT_EQ(Harvest(40).children, 0); }

}  // namespace patra::unusual_slice_test
