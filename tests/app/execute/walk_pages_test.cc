#include "app/execute/walk_pages.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/execute/page_ids.h"
#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::walk_pages_test {

using namespace std::chrono_literals;
using app::NoPage;
using app::Position;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;
using Verdict = domain::WalkVerdict::Kind;

const std::vector<std::string> kFull{"a", "b", "c", "d"};

class WalkingPages : public ExecuteRoom {
 protected:
  WalkingPages() {
    Serve([this](const app::HttpRequest& request) {
      const auto page = NumberOf(request, "page");
      asked_.push_back(page);
      return serve_(page);
    });
  }

  app::BrokenOff Walk() {
    const auto broken = walk_pages_.Run(Open());
    EXPECT_TRUE(broken);
    return *broken;
  }
  std::vector<std::string> Stored() const {
    std::vector<std::string> ids;
    for (const auto& batch : runs_.commits) {
      for (const auto& id : IdsIn(batch.records)) ids.push_back(id);
    }
    return ids;
  }
  // After page 1, which held `ids`.
  void ResumeAfter(const std::vector<std::string>& ids) {
    runs_.opened.is_resumed = true;
    runs_.opened.start = {.page = 2};
    runs_.opened.batch_no = 2;
    runs_.opened.walk.account = {.pages = 1, .rows = 4, .records = 4, .filled = 1, .page_most = 4};
    runs_.opened.walk.edge =
        domain::WalkMemory::Edge{.at = {.page = 1},
                                 .fingerprint = domain::FingerprintOf(app::HashesOf(ids)),
                                 .read_at = clock_.Now()};
  }

  std::function<app::HttpResponse(std::int64_t page)> serve_;
  std::vector<std::int64_t> asked_;
};

TEST_F(WalkingPages, ALastPageThatGrewMeanwhileIsTakenAsItIsAtTheSecondLook) {
  spec_.window.safety_lag = 0s;
  serve_ = [&](std::int64_t) {
    return asked_.size() == 1 ? PageOf({"a", "b"}) : PageOf({"a", "b", "c"});
  };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_THAT(Stored(), ElementsAre("a", "b", "c"));
  EXPECT_THAT(asked_, ElementsAre(1, 1, 1)) << "until a look brings nothing new";

  asked_.clear();
  runs_.commits.clear();
  spec_.window.safety_lag = 10min;
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre(1)) << "behind its lag a list has settled";
}

TEST_F(WalkingPages, AWideSliceIsCutByWhatItsFirstPageAnnounces) {
  CountExactly();
  spec_.window.width = spec_.window.width_max = 1h;
  serve_ = [](std::int64_t) { return PageOf(kFull, 1'000); };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_EQ(run_->reslice, "1000 records are announced");
  EXPECT_GT(run_->pieces, 10);
  EXPECT_THAT(asked_, ElementsAre(1));
  EXPECT_THAT(runs_.commits, IsEmpty()) << "its pieces bring it";
  const auto outcome = close_.Recut(*run_, *run_->reslice);
  ASSERT_TRUE(outcome);
  ASSERT_THAT(runs_.closed, SizeIs(1));
  const auto& children = runs_.closed.front().children;
  EXPECT_EQ(std::ssize(children), *run_->pieces);
  EXPECT_EQ(children.front().expected_records, 1'000 / *run_->pieces);
}

TEST_F(WalkingPages, AWideSliceThatHoldsLittleIsReadAsItIs) {
  CountExactly();
  spec_.window.width = spec_.window.width_max = 1h;
  serve_ = [](std::int64_t) { return PageOf({"a", "b", "c"}, 3); };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_EQ(run_->reslice, std::nullopt);
  EXPECT_THAT(Stored(), SizeIs(3));
}

TEST_F(WalkingPages, AnEmptyPageIsNotTheEndWhereAPageBehindItShowsMore) {
  spec_.paging.ends = {domain::WalkEnd::kEmptyPage};
  serve_ = [](std::int64_t page) {
    return page == 1 ? PageOf(kFull) : page == 3 ? PageOf({"e"}) : PageOf({});
  };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_THAT(Stored(), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_EQ(std::ranges::count(asked_, 3), 1) << "what was glanced at is not asked for again";
  EXPECT_THAT(runs_.commits, SizeIs(4));
}

TEST_F(WalkingPages, AListThatMayBeMissingIsNotMissingBeforeAPageThatHasIt) {
  spec_.paging.ends = {domain::WalkEnd::kEmptyPage};
  spec_.response.items_missing = domain::ItemsMissing::kEmpty;
  serve_ = [](std::int64_t page) {
    return page == 1 ? PageOf(kFull) : page == 3 ? PageOf({"e"}) : PageOf({});
  };
  const auto broken = Walk();
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->kind, NoPage::Kind::kStartOver);
}

TEST_F(WalkingPages, ARefusalBehindAnEmptyPageIsTheEnd) {
  spec_.paging.ends = {domain::WalkEnd::kEmptyPage};
  serve_ = [](std::int64_t page) {
    return page == 1 ? PageOf(kFull) : page == 2 ? PageOf({}) : Refusal(404);
  };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre(1, 2, 3));
  EXPECT_THAT(runs_.commits, SizeIs(2));
  EXPECT_EQ(runs_.commits.back().after, std::nullopt);
}

TEST_F(WalkingPages, WhereTheTotalMovedTheListHasToBeWalkedAgain) {
  CountExactly();
  serve_ = [](std::int64_t page) { return page == 1 ? PageOf(kFull, 6) : PageOf({"f"}, 5); };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_EQ(run_->doubt->kind, Verdict::kWalkAgain);
  EXPECT_THAT(runs_.commits, SizeIs(2)) << "what came is kept";

  runs_.commits.clear();
  serve_ = [](std::int64_t page) { return page == 1 ? PageOf(kFull, 5) : PageOf({"f"}, 5); };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_EQ(run_->doubt->kind, Verdict::kProven);
}

TEST_F(WalkingPages, AResumedWalkGoesOnOnlyWhereTheListStoodStill) {
  ResumeAfter(kFull);
  serve_ = [](std::int64_t page) { return page == 1 ? PageOf(kFull) : PageOf({"e"}); };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre(2, 1));
  EXPECT_THAT(Stored(), ElementsAre("e"));

  runs_.commits.clear();
  serve_ = [](std::int64_t page) {
    return page == 1 ? PageOf({"new", "a", "b", "c"}) : PageOf({"d", "e"});
  };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_EQ(run_->doubt->kind, Verdict::kWalkAgain);
  EXPECT_THAT(run_->doubt->reason, HasSubstr("moved since page 1 was read"));
  EXPECT_THAT(runs_.commits, IsEmpty());
}

TEST_F(WalkingPages, ARefusedPageFailsTheSliceOnlyWhereTheOneBeforeItStands) {
  const auto resumed = [&](const std::vector<std::string>& had, app::HttpResponse now) {
    ResumeAfter(had);
    serve_ = [now](std::int64_t page) { return page == 2 ? Refusal(404) : now; };
    return Walk();
  };
  const auto stands = resumed(kFull, PageOf(kFull));
  ASSERT_TRUE(stands);
  EXPECT_EQ(stands->kind, app::NoPage::Kind::kWrong);
  EXPECT_FALSE(run_->doubt);

  EXPECT_EQ(resumed(kFull, PageOf({"b", "c", "d"})), std::nullopt);
  EXPECT_TRUE(run_->doubt) << "the list became shorter";
  EXPECT_EQ(resumed(kFull, Refusal(404)), std::nullopt);
  EXPECT_TRUE(run_->doubt) << "so much that it refuses what it had";
  EXPECT_EQ(resumed({}, PageOf({})), std::nullopt);
  EXPECT_TRUE(run_->doubt) << "it was empty before that, and something was behind it";

  const auto away = resumed(kFull, Refusal(503));
  ASSERT_TRUE(away) << "nobody knows by now";
  EXPECT_EQ(away->kind, app::NoPage::Kind::kExhausted);
}

TEST_F(WalkingPages, ATokenThatHasOutlivedItsTimeIsNotSentAndTheSliceStartsOver) {
  std::vector<std::string> tokens;
  Serve([&](const app::HttpRequest& request) {
    tokens.push_back(ParameterOf(request, "token"));
    return PageOf(tokens.back() == "t2" ? std::vector<std::string>{"e"} : kFull);
  });
  spec_.http.query = {{"token", "${page.token}"}, {"size", "${page.size}"}};
  spec_.paging = {.style = domain::PagingStyle::kToken,
                  .size = 4,
                  .next = "$.next",
                  .token_lifetime = 5min,
                  .ends = {domain::WalkEnd::kNoToken}};
  const auto resume_after = [&](Duration pause) {
    tokens.clear();
    ResumeAfter(kFull);
    runs_.opened.start = {.token = "t2"};
    runs_.opened.walk.edge->at = {.token = "t1"};
    runs_.opened.walk.edge->read_at = clock_.Now() - pause;
    return Walk();
  };
  EXPECT_EQ(resume_after(4min), std::nullopt);
  EXPECT_THAT(tokens, ElementsAre("t2", "t1"));

  const auto broken = resume_after(6min);
  ASSERT_TRUE(broken);
  EXPECT_THAT(tokens, IsEmpty());
  EXPECT_EQ(broken->kind, NoPage::Kind::kStartOver);
  EXPECT_EQ(broken->reason, "the token was not used for 6m, and lives for 5m");
  ASSERT_TRUE(close_.BreakOff(*run_, *broken));
  ASSERT_THAT(runs_.given_back, SizeIs(1));
  EXPECT_TRUE(runs_.given_back.front().start_over);
}

TEST_F(WalkingPages, WhatPagingCannotReachIsCut) {
  CountExactly();
  spec_.paging.reach = 8;
  serve_ = [](std::int64_t) { return PageOf(kFull, 20); };
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_THAT(run_->reslice, Optional(HasSubstr("20 records are announced and paging reaches 8")));
  EXPECT_THAT(runs_.commits, IsEmpty());
  EXPECT_THAT(asked_, ElementsAre(1));
}

TEST_F(WalkingPages, AStopEndsItAfterTheBatchThatIsUnderWay) {
  serve_ = [](std::int64_t page) { return PageOf({fmt::format("{}a", page), "b", "c", "d"}); };
  runs_.on_commit = [this](const auto&) { stop_.Ask(); };
  const auto broken = Walk();
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->kind, NoPage::Kind::kStopped);
  EXPECT_THAT(runs_.commits, SizeIs(1));
  EXPECT_EQ(run_->position, Position{.page = 2});
}

TEST_F(WalkingPages, APageInAnotherShapeIsFatalAndNotStored) {
  spec_.paging.size = 10;
  serve_ = [](std::int64_t) {
    std::string items;
    for (int i = 0; i < 6; ++i) items += fmt::format(R"({}{{"id":"{}"}})", i > 0 ? "," : "", i);
    return app::HttpResponse{.status = 200,
                             .content_type = "application/json",
                             .body = fmt::format(R"({{"items":[{}]}})", items)};
  };
  const auto broken = Walk();
  ASSERT_TRUE(broken);
  EXPECT_EQ(broken->kind, NoPage::Kind::kFatal);
  EXPECT_THAT(runs_.commits, IsEmpty());
}

TEST_F(WalkingPages, WhereTheBatchIsThereAlreadyTheWalkGoesOnBehindIt) {
  serve_ = [](std::int64_t page) { return page == 1 ? PageOf(kFull) : PageOf({"z"}); };
  runs_.outcomes.push_back(
      app::BatchCommitted{.after = Position{.page = 5}, .already_there = true});
  EXPECT_EQ(Walk(), std::nullopt);
  EXPECT_THAT(asked_, ElementsAre(1, 5));
  EXPECT_EQ(runs_.commits.at(0).before, Position{.page = 5});
}

}  // namespace patra::testing::walk_pages_test
