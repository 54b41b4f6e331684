#include "app/execute/close_slice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::close_slice_test {

using namespace std::chrono_literals;
using app::NoPage;
using domain::RunStatus;
using domain::TaskStatus;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::SizeIs;

class ClosingSlice : public ExecuteRoom {
 protected:
  // Everything up to so long after the window's beginning is there, of a list that is sorted by time.
  void ReadUpTo(app::SliceRun& run, Duration from_begin) {
    run.batch_no = 2;
    run.counts.received = 5;
    run.observed_max = from_ + from_begin;
  }
};

TEST_F(ClosingSlice, AParkedRunGoesBackAtItsTime) {
  auto& run = Open();
  const NoPage parked{.kind = NoPage::Kind::kParked,
                      .reason = "COOL_DOWN",
                      .until = clock_.Now() + 7min,
                      .waits_for = domain::WaitReason::kCoolDown};
  const auto outcome = close_.BreakOff(run, parked);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, TaskStatus::kQueued);
  EXPECT_EQ(outcome->parked->until, clock_.Now() + 7min);
  ASSERT_THAT(runs_.given_back, SizeIs(1));
  EXPECT_EQ(runs_.given_back[0].again_at, clock_.Now() + 7min);
  EXPECT_EQ(runs_.given_back[0].status, RunStatus::kCancelled) << "it brought nothing";
  EXPECT_FALSE(runs_.given_back[0].start_over);
  EXPECT_FALSE(runs_.given_back[0].level) << "waiting is no error";

  ++run.batch_no;
  ASSERT_TRUE(close_.BreakOff(run, parked));
  EXPECT_EQ(runs_.given_back[1].status, RunStatus::kPartial);
  EXPECT_THAT(runs_.closed, IsEmpty());
}

TEST_F(ClosingSlice, EachFailureWaitsTwiceAsLongAndTheThirdClosesTheSlice) {
  const NoPage exhausted{.kind = NoPage::Kind::kExhausted, .reason = "HTTP 503"};
  for (const auto wait : {15s, 30s}) {
    ASSERT_TRUE(close_.BreakOff(Open(), exhausted));
    EXPECT_EQ(runs_.given_back.back().again_at, clock_.Now() + wait);
    EXPECT_EQ(runs_.given_back.back().status, RunStatus::kFailed);
    ++task_.failures;
  }
  EXPECT_THAT(runs_.closed, IsEmpty());

  const auto outcome = close_.BreakOff(Open(), exhausted);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, TaskStatus::kFailed);
  ASSERT_THAT(runs_.closed, SizeIs(1));
  EXPECT_EQ(runs_.closed[0].status, TaskStatus::kFailed);
  EXPECT_EQ(runs_.closed[0].level, domain::ErrorLevel::kL1);
  EXPECT_THAT(runs_.closed[0].gap,
              Optional(HasSubstr("stopped at page 1: HTTP 503 (after 3 runs)")));
  EXPECT_THAT(runs_.given_back, SizeIs(2));
  EXPECT_TRUE(HasLogged("slice.failed"));
}

TEST_F(ClosingSlice, OnlyAPlaceThatCanBeAskedForAgainIsResumed) {
  auto& run = Open();
  run.position = {.token = "scroll", .token_is_position = false};
  ASSERT_TRUE(close_.BreakOff(run, {.kind = NoPage::Kind::kExhausted}));
  EXPECT_TRUE(runs_.given_back[0].start_over);
  run.position = {.token = "place"};
  ASSERT_TRUE(close_.BreakOff(run, {.kind = NoPage::Kind::kExhausted}));
  EXPECT_FALSE(runs_.given_back[1].start_over);
  ASSERT_TRUE(close_.BreakOff(run, {.kind = NoPage::Kind::kStartOver}));
  EXPECT_TRUE(runs_.given_back[2].start_over);
}

TEST_F(ClosingSlice, ASliceShortOfQuotaIsCutWhereItIsProven) {
  spec_.paging.style = domain::PagingStyle::kTime;
  const NoPage no_quota{.kind = NoPage::Kind::kParked,
                        .reason = "QUOTA",
                        .until = clock_.Now() + 10h,
                        .waits_for = domain::WaitReason::kQuota};
  auto& run = Open();
  ReadUpTo(run, 3h);
  const auto outcome = close_.BreakOff(run, no_quota);
  ASSERT_TRUE(outcome);
  EXPECT_THAT(runs_.given_back, IsEmpty());
  ASSERT_THAT(runs_.closed, SizeIs(1));
  const auto& closed = runs_.closed[0];
  EXPECT_EQ(closed.status, TaskStatus::kPartial);
  EXPECT_EQ(closed.proven, *domain::Window::Between(from_, from_ + 3h));
  ASSERT_THAT(closed.children, SizeIs(outcome->children));
  EXPECT_EQ(closed.children.front().window.from(), from_ + 3h);
  EXPECT_EQ(closed.children.back().window.to(), from_ + 8h);
  EXPECT_EQ(closed.children_at, no_quota.until);

  ASSERT_TRUE(close_.BreakOff(Open(), no_quota));
  EXPECT_THAT(runs_.given_back, SizeIs(1)) << "nothing is proven: it waits as it is";
  EXPECT_THAT(runs_.closed, SizeIs(1));
}

TEST_F(ClosingSlice, ARestThatCannotBeCutTakesOverAsItIs) {
  spec_.paging.style = domain::PagingStyle::kTime;
  spec_.window.granularity = domain::Granularity::kHour;
  auto& run = Open();
  ReadUpTo(run, 7h);
  const NoPage no_quota{.kind = NoPage::Kind::kParked,
                        .until = clock_.Now() + 10h,
                        .waits_for = domain::WaitReason::kQuota};
  const auto outcome = close_.BreakOff(run, no_quota);
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, TaskStatus::kPartial);
  ASSERT_THAT(runs_.closed, SizeIs(1));
  ASSERT_THAT(runs_.closed[0].children, SizeIs(1));
  EXPECT_EQ(runs_.closed[0].children[0].window, *domain::Window::Between(from_ + 7h, from_ + 8h));
}

TEST_F(ClosingSlice, WhatCannotBeComeBackToIsCutWhenItIsStopped) {
  const NoPage stopped{.kind = NoPage::Kind::kStopped, .reason = "asked to stop"};
  spec_.paging.replayable = false;
  ASSERT_TRUE(close_.BreakOff(Open(), stopped));
  EXPECT_THAT(runs_.closed, IsEmpty()) << "nothing is lost yet";
  auto& run = Open();
  ++run.batch_no;
  const auto outcome = close_.BreakOff(run, stopped);
  ASSERT_TRUE(outcome);
  EXPECT_GT(outcome->children, 1);
  spec_.paging.replayable = true;
  auto& resumable = Open();
  ++resumable.batch_no;
  ASSERT_TRUE(close_.BreakOff(resumable, stopped));
  EXPECT_THAT(runs_.closed, SizeIs(1)) << "it goes on where it was left";
}

TEST_F(ClosingSlice, WhatOnlyAPersonCanMendBlowsTheFuse) {
  const auto outcome = close_.BreakOff(
      Open(), {.kind = NoPage::Kind::kFatal, .reason = "HTTP 401", .body = "who are you?"});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->error->code, ErrorCode::kRefused);
  ASSERT_THAT(holds_.blown, SizeIs(1));
  EXPECT_TRUE(holds_.blown[0].is_fuse);
  EXPECT_TRUE(holds_.blown[0].Covers("demo", "items"));
  EXPECT_EQ(holds_.blown[0].reason, "HTTP 401");
  ASSERT_THAT(runs_.closed, SizeIs(1));
  EXPECT_EQ(runs_.closed[0].status, TaskStatus::kFailed);
  EXPECT_EQ(runs_.closed[0].level, domain::ErrorLevel::kL4);
  EXPECT_EQ(runs_.closed[0].bad_page->bytes, "who are you?");

  ASSERT_TRUE(close_.BreakOff(Open(), {.kind = NoPage::Kind::kWrong, .reason = "HTTP 400"}));
  EXPECT_THAT(holds_.blown, SizeIs(1)) << "one wrong request keeps nobody else from asking";
}

TEST_F(ClosingSlice, AListThatKeepsMovingIsReadThreeTimesAndThenCut) {
  for (int walks = 1; walks < 3; ++walks) {
    runs_.opened.walk.walks = walks;
    auto& run = Open();
    run.doubt = domain::WalkVerdict{.kind = domain::WalkVerdict::Kind::kWalkAgain,
                                    .again_after = walks == 2 ? 1s : 0s};
    ASSERT_TRUE(close_.WalkAgain(run, "it moved"));
    EXPECT_TRUE(runs_.given_back.back().start_over);
    EXPECT_EQ(runs_.given_back.back().again_at, clock_.Now() + (walks == 2 ? 1s : 0s));
  }
  runs_.opened.walk.walks = 3;
  const auto outcome = close_.WalkAgain(Open(), "it moved");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->children, 2);
  EXPECT_THAT(runs_.given_back, SizeIs(2));

  task_.slice.window = *domain::Window::Between(from_, from_ + 1min);
  ASSERT_TRUE(close_.WalkAgain(Open(), "it moved"));
  ASSERT_THAT(runs_.given_back, SizeIs(3)) << "what cannot be cut is tried later";
  EXPECT_EQ(runs_.given_back.back().again_at, clock_.Now() + 15s);
}

TEST_F(ClosingSlice, AGapThatStaysIsLeftWithWhatMayBeWrongAboutTheTotal) {
  CountExactly();
  ASSERT_TRUE(close_.LeaveGap(Open(), "2 of 5 came"));
  EXPECT_TRUE(runs_.given_back.at(0).start_over) << "a fresh walk may settle it";

  task_.failures = 2;
  auto& run = Open();
  run.doubt = domain::WalkVerdict{.kind = domain::WalkVerdict::Kind::kGap, .is_total = true};
  const auto outcome = close_.LeaveGap(run, "2 of 5 came");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, TaskStatus::kPartial);
  EXPECT_THAT(runs_.closed.at(0).gap, Optional(HasSubstr("total: {is: estimate}")));
}

TEST_F(ClosingSlice, WhatTheProviderCannotHaveYetIsNotProvenAndNoError) {
  auto& run = Open();
  run.provable_to = from_ + 6h;
  const auto outcome = close_.Succeed(run);
  ASSERT_TRUE(outcome);
  EXPECT_TRUE(outcome->is_early);
  EXPECT_FALSE(outcome->error);
  ASSERT_THAT(runs_.closed, SizeIs(1));
  EXPECT_EQ(runs_.closed[0].status, TaskStatus::kPartial);
  EXPECT_EQ(runs_.closed[0].proven, *domain::Window::Between(from_, from_ + 6h));
  EXPECT_EQ(runs_.closed[0].level, domain::ErrorLevel::kNone);

  ASSERT_TRUE(close_.Succeed(Open()));
  EXPECT_EQ(runs_.closed[1].status, TaskStatus::kSucceeded);
}

TEST_F(ClosingSlice, ASliceThatWasCutTooOftenFails) {
  runs_.close_error = Error{ErrorCode::kLimit, "it was cut 12 times", {}, {}};
  const auto outcome = close_.Recut(Open(), "too many records");
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, TaskStatus::kFailed);
  ASSERT_THAT(runs_.closed, SizeIs(1));
  EXPECT_THAT(runs_.closed[0].error, Optional(HasSubstr("too many records; it was cut 12 times")));

  runs_.close_error = Error{ErrorCode::kLeaseLost, "the lease is lost", {}, {}};
  EXPECT_FALSE(close_.Recut(Open(), "too many records"));
}

// The last part of a day, of which other parts announced 20 of 30 records.
class ClosingTheLastPart : public ClosingSlice {
 protected:
  ClosingTheLastPart() {
    CountExactly();
    const auto day = *domain::Window::Between(from_ - 16h, from_ + 8h);
    runs_.short_whole = app::ShortWhole{
        .slice = 77, .spec = {.window = day}, .sum = {.window = day, .announced = 30, .parts = 25}};
  }
  void TheWholeAnnounces(std::int64_t total) {
    Serve([this, total](const auto& request) {
      asked_.push_back(ParameterOf(request, "from"));
      return PageOf({"a"}, total);
    });
  }

  std::vector<std::string> asked_;
};

TEST_F(ClosingTheLastPart, TheWholeIsAskedOnceAndNothingOfTheAnswerIsStored) {
  TheWholeAnnounces(25);
  const auto outcome = close_.Succeed(Open());
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, TaskStatus::kSucceeded);
  EXPECT_THAT(asked_, SizeIs(1));
  EXPECT_THAT(asked_[0], HasSubstr("2025-12-30T08")) << "for the whole's window";
  EXPECT_THAT(runs_.commits, IsEmpty());
  ASSERT_THAT(runs_.closed, SizeIs(1));
  EXPECT_EQ(runs_.closed[0].wholes.at(0).slice, 77);
  EXPECT_EQ(runs_.closed[0].evidence.sent.requests, 1) << "what was sent counts";
}

TEST_F(ClosingTheLastPart, WhereTheWholeHasMoreThePartIsNotProvenAndPeopleHearOfIt) {
  TheWholeAnnounces(29);
  const auto outcome = close_.Succeed(Open());
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, TaskStatus::kPartial);
  ASSERT_THAT(runs_.closed, SizeIs(1));
  EXPECT_EQ(runs_.closed[0].status, TaskStatus::kPartial);
  EXPECT_FALSE(runs_.closed[0].is_read);
  EXPECT_EQ(runs_.closed[0].wholes.at(0).announced, 29);
  EXPECT_THAT(runs_.closed[0].gap, Optional(HasSubstr("29 records are announced for")));
  EXPECT_TRUE(HasLogged("slice.unproven"));
}

TEST_F(ClosingTheLastPart, WhereRecordsMayComeInThePartsAreAskedOnceMoreAsWell) {
  spec_.window.settles = false;
  runs_.short_whole->parts = {{.window = *domain::Window::Between(from_ - 16h, from_)},
                              {.window = *domain::Window::Between(from_, from_ + 8h)}};
  for (const auto& [of_part, status] :
       {std::pair(14, TaskStatus::kSucceeded), std::pair(13, TaskStatus::kPartial)}) {
    asked_.clear();
    std::vector<std::int64_t> totals{27, of_part, 13, 28};
    Serve([&](const auto& request) {
      asked_.push_back(ParameterOf(request, "from"));
      return PageOf({"a"}, totals.at(asked_.size() - 1));
    });
    EXPECT_EQ(close_.Succeed(Open())->status, status) << of_part;
    ASSERT_THAT(asked_, SizeIs(4));
    EXPECT_EQ(asked_[3], asked_[0])
        << "the whole after its parts: what comes meanwhile is no doubt";
    EXPECT_EQ(runs_.closed.back().wholes.at(0).announced, 27);
    EXPECT_EQ(runs_.closed.back().wholes.at(0).parts, of_part + 13);
  }
}

TEST_F(ClosingTheLastPart, WhatCannotBeAskedNowIsAskedByTheNextRun) {
  Serve([](const auto&) { return Refusal(503); });
  ASSERT_TRUE(close_.Succeed(Open()));
  EXPECT_THAT(runs_.closed, IsEmpty());
  ASSERT_THAT(runs_.given_back, SizeIs(1));
  EXPECT_FALSE(runs_.given_back[0].start_over) << "what was read stays read";

  stop_.Ask();
  ASSERT_TRUE(close_.Succeed(Open()));
  EXPECT_THAT(runs_.closed, IsEmpty());
  EXPECT_THAT(runs_.given_back, SizeIs(2));
}

TEST_F(ClosingTheLastPart, AWholeThatIsRefusedProvesNothing) {
  Serve([](const auto&) { return Refusal(400); });
  EXPECT_EQ(close_.Succeed(Open())->status, TaskStatus::kPartial);
  EXPECT_EQ(runs_.closed.back().wholes.at(0).announced, 30) << "what it announced once stands";
}

TEST_F(ClosingSlice, WhatIsCutSaysWhatItsPartsOwe) {
  CountExactly();
  auto& run = Open();
  domain::PageFacts page;
  page.ids = {1, 2, 3, 4};
  page.announced = 40;
  (void)run.walk->After(run.position, page);
  ASSERT_TRUE(close_.Recut(run, "too many records"));
  EXPECT_EQ(runs_.closed.at(0).owed_by_children, 40);
  EXPECT_EQ(runs_.closed[0].children.front().total_of_whole, 40);
}

}  // namespace patra::testing::close_slice_test
