// A worker whose lease was not renewed stops before another takes the task over.
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulation/process.h"

namespace patra {
namespace {

using namespace std::chrono_literals;

TEST(Lease, AWorkerWithoutRenewalAsksNothingMoreAndTheNextOneGoesOnFromThere) {
  const testing::TemporaryFolder folder;
  const auto database = folder.Path("patra.db");
  std::filesystem::copy_file(testing::PreparedDatabase(), database);
  std::vector<testing::ModelRecord> records;
  for (int i = 0; i < 20; ++i)
    records.push_back({fmt::format("r{}", i), testing::kModelBegin + i * 5min});
  testing::Stage stage{1, testing::kModelBegin + 13h};
  testing::StageClock clock{stage};
  testing::ModelProvider provider{stage, records, 0};
  const app::ExecutePolicy policy{.fetch_ahead = false};

  stage.Add([&] {
    testing::Process first(database, stage, clock, provider, 1, policy);
    ASSERT_TRUE(
        first.plan.Run({.spec = testing::SourceIn("page"), .to = testing::kModelBegin + 2h}));
    const auto claimed = first.queue.Claim({.owner = "first", .tasks_max = 1, .lease = 15s});
    ASSERT_TRUE(claimed);
    ASSERT_EQ(claimed->size(), 1U);
    const auto outcome = first.execute.Run(
        claimed->front(), [](const auto&) {}, [](const auto&) {},
        [&] { return provider.requests < 2; });
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::kConflict);
    EXPECT_EQ(provider.requests, 2);

    stage.Sleep(16s);
    testing::Process second(database, stage, clock, provider, 2, policy);
    const auto worked = second.work.Run({.workers = 0}, [](const auto&) {});
    ASSERT_TRUE(worked);
    EXPECT_EQ(worked->succeeded, 1);
    EXPECT_EQ(worked->totals.counts.inserted, 10) << "the pages of the first were not read again";
  });
  stage.Run();
}

}  // namespace
}  // namespace patra
