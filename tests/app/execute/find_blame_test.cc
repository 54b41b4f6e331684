#include "app/execute/find_blame.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::find_blame_test {

using namespace std::chrono_literals;
using app::Fetched;
using app::FetchedPage;
using app::NoPage;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

NoPage Exhausted() { return {.kind = NoPage::Kind::kExhausted, .reason = "HTTP 500"}; }

class FindingBlame : public ExecuteRoom {
 protected:
  // r0, r1, … as pages of any size; what holds `poison` fails.
  void ServeRecords(std::int64_t poison) {
    Serve([poison](const app::HttpRequest& request) {
      const auto size = NumberOf(request, "size");
      const auto first = (NumberOf(request, "page") - 1) * size;
      if (first <= poison && poison < first + size) return Refusal(500);
      std::vector<std::string> ids;
      for (auto i = first; i < first + size; ++i) ids.push_back(fmt::format("r{}", i));
      return PageOf(ids);
    });
  }
  // Pages whose size is not ours to say cannot be taken apart.
  void FixPageSize() {
    spec_.http.query = {
        {"from", "${window.from}"}, {"to", "${window.to}"}, {"page", "${page.number}"}};
  }
  // The address of the page that the run stands at.
  std::string OwnUrl(app::SliceRun& run) {
    EXPECT_TRUE(fetch_.At(run.scope, run.position, 1));
    auto url = transport_.requests.back().url;
    transport_.requests.clear();
    return url;
  }
  static NoPage AtBreaker(int requests) {
    return {.kind = NoPage::Kind::kParked,
            .reason = "BREAKER",
            .waits_for = domain::WaitReason::kBreaker,
            .evidence = {.sent = {.requests = requests}}};
  }
};

TEST_F(FindingBlame, ARecordThatFailsAloneIsIsolatedWhileItsSiblingsAreKept) {
  ServeRecords(2);
  task_.failures = 2;
  auto& run = Open();
  const auto rescued = *blame_.RescuePage(run, Exhausted());
  ASSERT_TRUE(std::holds_alternative<FetchedPage>(rescued));
  const auto& content = std::get<FetchedPage>(rescued).content;
  EXPECT_THAT(IdsIn(content.records), ElementsAre("r0", "r1", "r3"));
  ASSERT_THAT(content.bad_records, SizeIs(1));
  EXPECT_EQ(content.bad_records[0].rule, "unreadable");
  EXPECT_FALSE(run.reslice);
}

TEST_F(FindingBlame, APageIsTakenApartOnlyWhenItsTaskWouldFailOtherwise) {
  ServeRecords(2);
  const auto why = *blame_.RescuePage(Open(), Exhausted());
  EXPECT_EQ(std::get<NoPage>(why).reason, "HTTP 500");
  EXPECT_THAT(transport_.requests, IsEmpty());
}

TEST_F(FindingBlame, ARequestThatIsWrongFromTheFirstPageOnIsNotTakenApart) {
  ServeRecords(2);
  const NoPage wrong{.kind = NoPage::Kind::kWrong, .reason = "HTTP 400"};
  auto& run = Open();
  EXPECT_TRUE(std::holds_alternative<NoPage>(*blame_.RescuePage(run, wrong)));
  EXPECT_THAT(transport_.requests, IsEmpty());
  run.batch_no = 2;
  EXPECT_TRUE(std::holds_alternative<FetchedPage>(*blame_.RescuePage(run, wrong)));
}

TEST_F(FindingBlame, AnOutageIsNotBlamedOnThePageOrItsSlice) {
  FixPageSize();
  Serve([](const auto&) { return Refusal(503); });
  task_.failures = 2;
  auto& run = Open();
  const auto own = OwnUrl(run);
  const auto why = *blame_.RescuePage(run, Exhausted());
  EXPECT_EQ(std::get<NoPage>(why).reason, "HTTP 500");
  EXPECT_FALSE(run.reslice);
  EXPECT_THAT(transport_.requests, SizeIs(4)) << "both halves of the slice, and both neighbours";
  for (const auto& request : transport_.requests) EXPECT_NE(request.url, own);
}

TEST_F(FindingBlame, ASliceThatFailsWhileOthersWorkIsCut) {
  FixPageSize();
  task_.failures = 2;
  auto& run = Open();
  Serve([own = OwnUrl(run)](const app::HttpRequest& request) {
    return request.url == own ? Refusal(500) : PageOf({"a"});
  });
  EXPECT_TRUE(std::holds_alternative<NoPage>(*blame_.RescuePage(run, Exhausted())));
  EXPECT_TRUE(run.reslice);
  EXPECT_THAT(transport_.requests, SizeIs(2)) << "something else, and the page once more";
}

TEST_F(FindingBlame, AWindowThatNobodyVouchesForIsCutWhereTheProviderRefusesItAndAnswersForLess) {
  CountExactly();
  spec_.window.width = spec_.window.width_max = 1h;
  const NoPage wrong{.kind = NoPage::Kind::kWrong, .reason = "HTTP 400"};
  auto& run = Open();
  Serve([](const auto&) { return Refusal(400); });
  EXPECT_TRUE(std::holds_alternative<NoPage>(*blame_.RescuePage(run, wrong)));
  EXPECT_FALSE(run.reslice) << "what is refused at the definition's own width is wrong";
  EXPECT_THAT(transport_.requests, SizeIs(1));

  Serve([](const auto&) { return PageOf({"a"}, 1); });
  EXPECT_TRUE(std::holds_alternative<NoPage>(*blame_.RescuePage(run, wrong)));
  ASSERT_TRUE(run.reslice);
  EXPECT_NE(run.reslice->find("refuses a window of 8h"), std::string::npos) << *run.reslice;
}

TEST_F(FindingBlame, WhereNoAnswerEverFittedASmallPieceIsNotCutAnyFurther) {
  const NoPage large{.kind = NoPage::Kind::kTooLarge, .reason = "larger than allowed"};
  runs_.opened.is_first_use = true;
  auto& whole = Open();
  ASSERT_TRUE(blame_.RescuePage(whole, large));
  EXPECT_TRUE(whole.reslice) << "half of it may fit";

  task_.plan_window = *domain::Window::Between(from_, from_ + 64 * 8h);
  auto& piece = Open();
  const auto given_up = blame_.RescuePage(piece, large);
  ASSERT_TRUE(given_up);
  EXPECT_EQ(std::get<NoPage>(*given_up).kind, NoPage::Kind::kWrong);
  EXPECT_FALSE(piece.reslice);

  runs_.opened.is_first_use = false;
  auto& known = Open();
  ASSERT_TRUE(blame_.RescuePage(known, large));
  EXPECT_TRUE(known.reslice) << "others fitted";
}

TEST_F(FindingBlame, OnlyARunThatMeetsTheBreakerAgainAndAgainIsStuckAtIt) {
  auto& run = Open();
  task_.runs_so_far = 3;
  EXPECT_TRUE(blame_.IsStuckAtBreaker(run, AtBreaker(1)));
  EXPECT_FALSE(blame_.IsStuckAtBreaker(run, AtBreaker(0))) << "others may have opened it";
  EXPECT_EQ(blame_.BreakerOfLastRun(run), std::nullopt);
  EXPECT_FALSE(blame_.IsStuckAtBreaker(run, Exhausted()));
  run.opened.met_breaker = true;
  EXPECT_TRUE(blame_.IsStuckAtBreaker(run, AtBreaker(0)));
  EXPECT_TRUE(blame_.BreakerOfLastRun(run));
  task_.runs_so_far = 2;
  EXPECT_FALSE(blame_.IsStuckAtBreaker(run, AtBreaker(1)));
  EXPECT_EQ(blame_.BreakerOfLastRun(run), std::nullopt);
}

TEST_F(FindingBlame, AtABreakerSomethingElseIsAskedForFirst) {
  FixPageSize();
  task_.runs_so_far = 3;
  runs_.opened.met_breaker = true;
  auto& run = Open();
  const auto own = OwnUrl(run);
  Serve([](const auto&) { return PageOf({"a"}); });
  EXPECT_TRUE(std::holds_alternative<FetchedPage>(*blame_.RescuePage(run, AtBreaker(0))));
  ASSERT_THAT(transport_.requests, SizeIs(2));
  EXPECT_NE(transport_.requests[0].url, own);
  EXPECT_EQ(transport_.requests[1].url, own);
  EXPECT_FALSE(run.opened.met_breaker) << "what fails from here on is the slice's own failure";

  runs_.opened.met_breaker = true;
  auto& down = Open();
  Serve([](const auto&) { return Refusal(503); });
  const auto why = std::get<NoPage>(*blame_.RescuePage(down, AtBreaker(0)));
  EXPECT_EQ(why.kind, NoPage::Kind::kParked);
  EXPECT_EQ(why.until, clock_.Now() + 15s);
  EXPECT_TRUE(down.opened.met_breaker);
}

TEST_F(FindingBlame, WhatIsPostponedWaitsForBothTroubles) {
  const NoPage why{.kind = NoPage::Kind::kParked,
                   .until = clock_.Now() + 1min,
                   .evidence = {.sent = {.requests = 2}}};
  EXPECT_EQ(blame_.Postpone(why, Exhausted()).until, clock_.Now() + 1min);
  const auto later = blame_.Postpone(why, {.kind = NoPage::Kind::kParked,
                                           .until = clock_.Now() + 5min,
                                           .evidence = {.sent = {.requests = 3}}});
  EXPECT_EQ(later.until, clock_.Now() + 5min);
  EXPECT_EQ(later.evidence.sent.requests, 5);
  EXPECT_EQ(blame_.Postpone(why, {.kind = NoPage::Kind::kStopped}).kind, NoPage::Kind::kStopped);
}

}  // namespace patra::testing::find_blame_test
