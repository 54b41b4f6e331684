// A batch whose keys exist is read, and the run goes on from there.

#include <gmock/gmock.h>

#include "tests/simulation/process.h"

namespace patra::batch_key_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

// Before the second batch is committed, an earlier attempt at it was, which brought less and went on elsewhere.
class TwiceLedger final : public app::RunLedger {
 public:
  explicit TwiceLedger(app::RunLedger& inner) : inner_(inner) {}
  Result<app::RunOpened> Open(const app::LeasedTask& task, const app::Position& first) override {
    return inner_.Open(task, first);
  }
  Result<app::BatchCommitted> Commit(const app::BatchCommit& batch) override {
    if (batch.batch_no == 2) {
      auto earlier = batch;
      earlier.after = app::Position{.page = 4};
      earlier.records.pop_back();
      PATRA_TRY(inner_.Commit(earlier));
    }
    return inner_.Commit(batch);
  }
  Result<void> GiveBack(const app::RunEnd& end) override { return inner_.GiveBack(end); }
  Result<void> GiveUp(const app::RunGivenUp& end) override { return inner_.GiveUp(end); }
  Result<app::SliceClosed> Close(const app::SliceClose& close) override {
    return inner_.Close(close);
  }

 private:
  app::RunLedger& inner_;
};

// Remembers which pages were asked for.
class PageList final : public app::Transport {
 public:
  explicit PageList(app::Transport& inner) : inner_(inner) {}
  Result<app::HttpResponse> Send(const app::HttpRequest& request) override {
    const auto at = request.url.find("&page=") + 6;
    pages.push_back(request.url.substr(at, request.url.find('&', at) - at));
    return inner_.Send(request);
  }

  std::vector<std::string> pages;

 private:
  app::Transport& inner_;
};

TEST(BatchKeys, ARunGoesOnWhereTheBatchThatExistsLeftOffAndTakesItsCountsOver) {
  testing::TemporaryFolder folder;
  const auto database = testing::EmptyStoreIn(folder);
  testing::Stage stage(1, testing::kModelBegin + 3h);
  testing::ModelProvider provider(stage, testing::RecordsEvery(4min, 24), 0);
  PageList pages(provider);
  testing::StageClock clock(stage);
  auto spec = testing::SourceIn("page");
  spec.response.total_kind = domain::TotalKind::kNone;
  spec.order.stable = true;
  stage.Add([&] {
    testing::Process process(database, stage, clock, pages, 1);
    ASSERT_TRUE(process.plan.Run({.spec = spec, .to = testing::kModelBegin + 2h}));
    TwiceLedger ledger(process.real_runs);
    app::ExecuteTask execute(ledger, process.id_ledger, process.holds, process.sender,
                             process.sources, clock, process.log, process.stop,
                             {.fetch_ahead = false});
    const auto task =
        process.real_queue.Claim({.owner = "me", .lease = std::chrono::hours(1)})->at(0);
    const auto outcome = execute.Run(task, [](const auto&) {}, [](const auto&...) {});
    ASSERT_TRUE(outcome) << outcome.error().Describe();
    EXPECT_EQ(outcome->status, domain::TaskStatus::kSucceeded);
    EXPECT_EQ(outcome->counts.received, 5 + 4 + 5 + 4);
  });
  stage.Run();
  EXPECT_THAT(pages.pages, ElementsAre("1", "2", "4", "5"));
}

}  // namespace patra::batch_key_test
