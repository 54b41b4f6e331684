#include "app/execute/commit_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/page/page_reader.h"
#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::commit_page_test {

using namespace std::chrono_literals;
using app::NoPage;
using app::Position;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class CommittingPage : public ExecuteRoom {
 protected:
  // A page of the provider, as it was fetched.
  app::FetchedPage Page(const std::vector<std::string>& ids,
                        std::optional<std::int64_t> total = std::nullopt) {
    app::FetchedPage page;
    page.response = PageOf(ids, total);
    page.response.received_at = clock_.Now();
    page.content = *sources_.Of(spec_).value()->reader().Read(page.response.answer());
    return page;
  }
  Result<std::optional<Position>> Commit(app::SliceRun& run, app::FetchedPage page,
                                         std::optional<Position> after = Position{.page = 2}) {
    return commit_.Run(run, page, after, {.walked = app::WalkedPage{run.walk->memory(), {1, 2}}});
  }
};

TEST_F(CommittingPage, WhatCameGoesOnWhereTheWalkSays) {
  auto& run = Open();
  auto page = Page({"a", "b"});
  page.retries = 2;
  EXPECT_EQ(*Commit(run, std::move(page)), Position{.page = 2});
  ASSERT_THAT(runs_.commits, SizeIs(1));
  EXPECT_THAT(IdsIn(runs_.commits[0].records), ElementsAre("a", "b"));
  EXPECT_EQ(runs_.commits[0].before, Position{.page = 1});
  EXPECT_EQ(run.batch_no, 2);
  EXPECT_EQ(run.counts.received, 2);
  EXPECT_EQ(run.batches.failing, 1) << "it came only after failures";
}

TEST_F(CommittingPage, APageThatIsAlreadyThereLeadsOnFromTheOldOutcome) {
  domain::WalkMemory old{.walks = 2};
  old.account.rows = 40;
  runs_.outcomes.push_back(app::BatchCommitted{.counts = {.received = 40, .inserted = 40},
                                               .next_batch = 77,
                                               .after = Position{.page = 9},
                                               .already_there = true,
                                               .walk = old});
  auto& run = Open();
  EXPECT_EQ(*Commit(run, Page({"a", "b"})), Position{.page = 9});
  EXPECT_EQ(run.walk->memory(), old);
  EXPECT_EQ(run.counts.received, 40);
  EXPECT_EQ(run.opened.lineage.batch, 77);
  EXPECT_TRUE(HasLogged("key.met")) << "somebody may wonder how often that happens";
  EXPECT_FALSE(HasLogged("batch.committed"));
}

TEST_F(CommittingPage, TheTotalIsToldWithTheFirstBatchOfAWalkOnly) {
  CountExactly();
  auto& run = Open();
  run.walk->After({.page = 1}, {.ids = {1, 2}, .announced = 8});
  ASSERT_TRUE(Commit(run, Page({}, 8)));
  ASSERT_TRUE(Commit(run, Page({}, 8)));
  ASSERT_THAT(reports_, SizeIs(2));
  EXPECT_EQ(reports_[0].announced, 8);
  EXPECT_TRUE(reports_[0].begins_walk);
  EXPECT_EQ(reports_[1].announced, std::nullopt);
  EXPECT_FALSE(reports_[1].begins_walk);
  EXPECT_EQ(runs_.commits[1].requests_left, 2) << "eight records in pages of four";
}

TEST_F(CommittingPage, RawPagesAreKeptUnlessTheSourceOrTheExecutorSaysNo) {
  ASSERT_TRUE(Commit(Open(), Page({"a"})));
  EXPECT_TRUE(runs_.commits[0].raw_page);
  spec_.keep_raw_pages = false;
  ASSERT_TRUE(Commit(Open(), Page({"a"})));
  EXPECT_FALSE(runs_.commits[1].raw_page);
  spec_.keep_raw_pages = true;
  policy_.keep_raw_pages = false;
  ASSERT_TRUE(Commit(Open(), Page({"a"})));
  EXPECT_FALSE(runs_.commits[2].raw_page);
}

TEST_F(CommittingPage, ALedgerThatContradictsItselfIsToldAndTheRunEnds) {
  runs_.outcomes.push_back(Fail(ErrorCode::kCorruption, "two outcomes of one batch"));
  auto& run = Open();
  EXPECT_FALSE(Commit(run, Page({"a"})));
  EXPECT_TRUE(HasLogged("ledger.contradiction"));
  EXPECT_EQ(run.batch_no, 1);
  EXPECT_THAT(reports_, IsEmpty());
}

TEST_F(CommittingPage, SelfHealingMayHaveASliceFailOrCut) {
  auto& run = Open();
  run.request = app::HealRequest{domain::SliceRequest::kFail, "too many failed"};
  EXPECT_EQ(commit_.ObeySelfHealing(run)->value().kind, NoPage::Kind::kWrong);
  EXPECT_FALSE(run.reslice);

  run.request = app::HealRequest{domain::SliceRequest::kReslice, "it is slow"};
  EXPECT_EQ(*commit_.ObeySelfHealing(run), std::nullopt);
  EXPECT_EQ(run.reslice, "it is slow");

  task_.slice.window = *domain::Window::Between(from_, from_ + 1min);
  auto& narrow = Open();
  narrow.request = app::HealRequest{domain::SliceRequest::kReslice, "it is slow"};
  EXPECT_EQ(*commit_.ObeySelfHealing(narrow), std::nullopt);
  EXPECT_FALSE(narrow.reslice) << "it cannot be cut, and is read to its end";
}

TEST_F(CommittingPage, ASpentRunPausesWhereItCanComeBackAndElseIsCutOrReadToItsEnd) {
  task_.slice.budget = {.records_max = 10, .pause = 1h};
  auto& run = Open();
  run.counts.received = 6;
  EXPECT_FALSE(commit_.WhySpent(run, 3)->has_value());
  const auto spent = *commit_.WhySpent(run, 4);
  ASSERT_TRUE(spent);
  EXPECT_EQ(spent->kind, NoPage::Kind::kSpent);
  EXPECT_EQ(spent->until, clock_.Now() + 1h);
  EXPECT_THAT(spent->reason, HasSubstr("BUDGET"));

  spec_.paging.replayable = false;
  auto& once = Open();
  EXPECT_TRUE(commit_.WhySpent(once, 10)->has_value()) << "smaller slices keep the budget";
  task_.slice.window = *domain::Window::Between(from_, from_ + 1min);
  EXPECT_FALSE(commit_.WhySpent(Open(), 10)->has_value());
}

TEST_F(CommittingPage, ASliceThatIsSlowIsCutOnlyWhereItCanBe) {
  auto& run = Open();
  clock_.Advance(31min);
  EXPECT_TRUE(commit_.WhyRecut(run, run.tally, {})->has_value());
  task_.slice.window = *domain::Window::Between(from_, from_ + 1min);
  auto& narrow = Open();
  clock_.Advance(31min);
  EXPECT_FALSE(commit_.WhyRecut(narrow, narrow.tally, {})->has_value());
}

}  // namespace patra::testing::commit_page_test
