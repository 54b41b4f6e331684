#include "domain/walk/walk.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace patra::domain::walk_test {

using namespace std::chrono_literals;

const Instant kFrom{std::chrono::sys_days(std::chrono::year(2026) / 1 / 1)};

SliceSpec Day() { return {.window = *Window::Between(kFrom, kFrom + 24h)}; }

SpecSnapshot Paged(PagingStyle style) {
  SpecSnapshot spec;
  spec.paging.style = style;
  spec.paging.size = 10;
  spec.paging.ends = {style == PagingStyle::kToken || style == PagingStyle::kUrl
                          ? WalkEnd::kNoToken
                          : WalkEnd::kShortPage};
  return spec;
}

SpecSnapshot WithExactTotal(SpecSnapshot spec) {
  spec.response.total_kind = TotalKind::kExact;
  return spec;
}

// A page of so many records that were not seen before.
PageFacts Page(int size) {
  static std::uint64_t number = 0;
  PageFacts page;
  for (int i = 0; i < size; ++i) page.ids.push_back(MixBits(++number));
  return page;
}
PageFacts Total(PageFacts page, std::int64_t announced) {
  page.announced = announced;
  return page;
}
// By time, a page begins with what the one before ended with.
PageFacts Behind(const PageFacts& before, PageFacts page) {
  page.ids.insert(page.ids.begin(), before.ids.back());
  return page;
}
PageFacts Leads(PageFacts page, std::string next) {
  page.next = std::move(next);
  return page;
}

using Kind = Step::Kind;

PageFacts WithoutToken(PageFacts page, std::string instead) {
  page.no_next = std::move(instead);
  return page;
}

// The verdict of a list of one page that is read so often.
WalkVerdict JudgeOnePage(const SpecSnapshot& spec, const PageFacts& page, int walks) {
  const auto slice = Day();
  WalkMemory memory;
  WalkVerdict verdict;
  for (int i = 0; i < walks; ++i) {
    Walk walk(spec, slice, std::move(memory));
    EXPECT_EQ(walk.After(walk.Start(), page).kind, Step::Kind::kEnd);
    verdict = walk.Judge();
    // As a run does that goes on after a crash.
    memory = WalkMemory::FromValue(walk.memory().ToValue())->Next();
  }
  return verdict;
}

TEST(Walk, AnEndThatOnlyAMissingTokenTellsIsNoProofWhereMoreMayFollow) {
  using Verdict = WalkVerdict::Kind;
  auto spec = Paged(PagingStyle::kToken);
  spec.paging.next = "$.nxt";
  spec.http.query = {{"limit", "${page.size}"}};
  const auto elsewhere = WithoutToken(Page(3), "$.next");
  EXPECT_EQ(JudgeOnePage(spec, elsewhere, 1).kind, Verdict::kWalkAgain) << "a slip, perhaps";
  const auto verdict = JudgeOnePage(spec, elsewhere, 2);
  EXPECT_EQ(verdict.kind, Verdict::kGap);
  EXPECT_TRUE(verdict.is_final);
  EXPECT_NE(verdict.reason.find("$.nxt, but there is $.next"), std::string::npos);
  const auto full = JudgeOnePage(spec, WithoutToken(Page(10), ""), 2);
  EXPECT_EQ(full.kind, Verdict::kGap);
  EXPECT_NE(full.reason.find("response.total"), std::string::npos) << "what would tell";
  EXPECT_EQ(JudgeOnePage(spec, WithoutToken(Page(9), ""), 1).kind, Verdict::kProven);
  EXPECT_EQ(JudgeOnePage(spec, Page(10), 1).kind, Verdict::kProven) << "the page says so";
  auto last = WithoutToken(Page(10), "$.next");
  last.has_more = false;
  EXPECT_EQ(JudgeOnePage(spec, last, 1).kind, Verdict::kProven);
  EXPECT_EQ(JudgeOnePage(WithExactTotal(spec), Total(WithoutToken(Page(10), "$.next"), 10), 1).kind,
            Verdict::kProven);
}

TEST(Walk, AFilterThatComparesWhatNoRecordHasProvesNothing) {
  const auto spec = Paged(PagingStyle::kPage);
  auto page = Page(0);
  page.passed_over = 3;
  EXPECT_EQ(JudgeOnePage(spec, page, 2).kind, WalkVerdict::Kind::kProven);
  page.unmet_member = "knd";
  const auto verdict = JudgeOnePage(spec, page, 2);
  EXPECT_EQ(verdict.kind, WalkVerdict::Kind::kGap);
  EXPECT_NE(verdict.reason.find("'knd'"), std::string::npos);
  const auto slice = Day();
  Walk walk(spec, slice);
  page.passed_over = 10;
  ASSERT_EQ(walk.After(walk.Start(), page).kind, Step::Kind::kNext);
  page.unmet_member.reset();
  page.passed_over = 2;
  walk.After({.page = 2}, page);
  EXPECT_FALSE(walk.memory().account.unmet_member) << "other pages have it";
}

TEST(Walk, ATokenThatLeadsBackToWhereAResumedWalkBeganIsACircle) {
  auto spec = Paged(PagingStyle::kToken);
  spec.paging.replayable = true;
  const auto slice = Day();
  for (const int pages : {1, 3}) {
    Walk walk(spec, slice);
    Position at{.token = "where the last run ended"};
    for (int i = 1; i < pages; ++i) {
      const auto step = walk.After(at, Leads(Page(10), std::to_string(i)));
      ASSERT_EQ(step.kind, Kind::kNext);
      at = step.to;
    }
    EXPECT_EQ(walk.After(at, Leads(Page(10), "where the last run ended")).kind, Kind::kLost);
  }
}

TEST(Walk, ATokenThatIsTooLongLeadsNowhere) {
  const auto spec = Paged(PagingStyle::kToken);
  const auto slice = Day();
  Walk walk(spec, slice);
  EXPECT_EQ(walk.After({}, Leads(Page(10), std::string(30'000, 't'))).kind, Kind::kNext);
  EXPECT_EQ(walk.After({}, Leads(Page(10), std::string(40'000, 't'))).kind, Kind::kLost);
}

TEST(Walk, FullPageLeadsToTheNextNumber) {
  const auto spec = Paged(PagingStyle::kPage);
  const auto slice = Day();
  Walk walk(spec, slice);
  const auto step = walk.After({.page = 1}, Page(10));
  EXPECT_EQ(step.kind, Kind::kNext);
  EXPECT_EQ(step.to.page, 2);
}

TEST(Walk, OffsetGrowsByTheSizeOrByWhatCame) {
  auto spec = Paged(PagingStyle::kOffset);
  const auto slice = Day();
  EXPECT_EQ(Walk(spec, slice).After({.page = 20}, Page(10)).to.page, 30);
  spec.paging.step = OffsetStep::kReceived;
  spec.paging.ends = {WalkEnd::kEmptyPage};
  EXPECT_EQ(Walk(spec, slice).After({.page = 20}, Page(7)).to.page, 27);
}

TEST(Walk, ShortPageIsTheEndUnlessTheTotalContradicts) {
  const auto slice = Day();
  const auto spec = Paged(PagingStyle::kPage);
  EXPECT_EQ(Walk(spec, slice).After({.page = 1}, Page(3)).kind, Kind::kEnd);
  const auto exact = WithExactTotal(spec);
  Walk walk(exact, slice);
  EXPECT_EQ(walk.After({.page = 1}, Total(Page(3), 12)).kind, Kind::kNext);
  EXPECT_EQ(walk.After({.page = 2}, Total(Page(9), 12)).kind, Kind::kEnd);
}

TEST(Walk, EmptyPageBeforeTheAnnouncedEndIsAskedForOnceMoreAndThenBelieved) {
  const auto spec = WithExactTotal(Paged(PagingStyle::kOffset));
  const auto slice = Day();
  Walk walk(spec, slice);
  EXPECT_EQ(walk.After({.page = 0}, Total(Page(10), 15)).kind, Kind::kNext);
  const auto doubt = walk.After({.page = 10}, Total(Page(0), 15));
  EXPECT_EQ(doubt.kind, Kind::kAgain);
  EXPECT_EQ(doubt.to.page, 10);
  auto onward = walk.After({.page = 10}, Total(Page(0), 15));
  ASSERT_EQ(onward.kind, Kind::kNext) << "it may be a hole";
  EXPECT_EQ(onward.glances.size(), 2U);
  onward = walk.After(onward.to, Total(Page(0), 15));
  ASSERT_EQ(onward.kind, Kind::kAgain);
  onward = walk.After(onward.to, Total(Page(0), 15));
  ASSERT_EQ(onward.kind, Kind::kNext);
  onward = walk.After(onward.to, Total(Page(0), 15));
  ASSERT_EQ(onward.kind, Kind::kAgain);
  EXPECT_EQ(walk.After(onward.to, Total(Page(0), 15)).kind, Kind::kEnd);
  EXPECT_EQ(walk.memory().account.records, 10);
}

TEST(Walk, EmptyPageInTheMiddleEndsNoListThatNobodyCounts) {
  const auto slice = Day();
  for (const auto style : {PagingStyle::kPage, PagingStyle::kOffset}) {
    auto spec = Paged(style);
    spec.paging.ends = {WalkEnd::kEmptyPage};
    spec.paging.step = OffsetStep::kReceived;
    Walk walk(spec, slice);
    auto step = walk.After(walk.Start(), Page(10));
    for (const unsigned in_a_row : {1U, 2U}) {
      step = walk.After(step.to, Page(0));
      ASSERT_EQ(step.kind, Kind::kNext) << "who filters after paging has empty pages in the middle";
      EXPECT_EQ(step.glances.size(), 3U - in_a_row);
      EXPECT_EQ(step.glances.front(), step.to);
    }
    const auto beyond = style == PagingStyle::kPage ? 4 : 30;
    EXPECT_EQ(step.to.page, beyond);
    step = walk.After(step.to, Page(3));
    ASSERT_EQ(step.kind, Kind::kNext);
    for (int in_a_row = 1; in_a_row < 3; ++in_a_row) {
      step = walk.After(step.to, Page(0));
      ASSERT_EQ(step.kind, Kind::kNext);
    }
    EXPECT_EQ(walk.After(step.to, Page(0)).kind, Kind::kEnd);

    spec.paging.reach = 20;
    Walk at_the_wall(spec, slice);
    step = at_the_wall.After(at_the_wall.Start(), Page(10));
    EXPECT_EQ(at_the_wall.After(step.to, Page(0)).kind, Kind::kEnd)
        << "nothing can be asked for beyond it";
  }
}

// Where short pages end a list, an empty one behind a full one is its end if the page behind it is empty, too.
TEST(Walk, AnEmptyPageBehindAFullOneIsLookedBehindOnce) {
  const auto slice = Day();
  for (const auto style : {PagingStyle::kPage, PagingStyle::kOffset}) {
    const auto spec = Paged(style);
    Walk walk(spec, slice);
    auto step = walk.After(walk.Start(), Page(10));
    step = walk.After(step.to, Page(0));
    ASSERT_EQ(step.kind, Kind::kNext);
    EXPECT_EQ(step.glances, std::vector{step.to});
    step = walk.After(step.to, Page(10));
    ASSERT_EQ(step.kind, Kind::kNext) << "it was a slip";
    step = walk.After(step.to, Page(3));
    EXPECT_EQ(step.kind, Kind::kEnd);
    EXPECT_EQ(walk.memory().account.records, 23);

    Walk empty(spec, slice);
    EXPECT_EQ(empty.After(empty.Start(), Page(0)).kind, Kind::kEnd)
        << "what holds nothing at all is read once more as a whole";
  }
}

TEST(Walk, ProvidersWordAboutMoreComesFirst) {
  const auto spec = Paged(PagingStyle::kPage);
  const auto slice = Day();
  auto page = Page(2);
  page.has_more = true;
  EXPECT_EQ(Walk(spec, slice).After({.page = 1}, page).kind, Kind::kNext);
  page = Page(10);
  page.has_more = false;
  EXPECT_EQ(Walk(spec, slice).After({.page = 1}, page).kind, Kind::kEnd);
}

TEST(Walk, EmptyPagesThatPromiseMoreDoNotGoOnForEver) {
  const auto spec = Paged(PagingStyle::kPage);
  const auto slice = Day();
  Walk walk(spec, slice);
  auto page = Page(0);
  page.has_more = true;
  EXPECT_EQ(walk.After({.page = 1}, page).kind, Kind::kNext);
  EXPECT_EQ(walk.After({.page = 2}, page).kind, Kind::kNext);
  EXPECT_EQ(walk.After({.page = 3}, page).kind, Kind::kLost);
}

TEST(Walk, TotalBeyondTheWallIsToldOnTheFirstPage) {
  auto spec = WithExactTotal(Paged(PagingStyle::kOffset));
  spec.paging.reach = 100;
  const auto slice = Day();
  EXPECT_EQ(Walk(spec, slice).After({.page = 0}, Total(Page(10), 101)).kind, Kind::kReslice);
  EXPECT_EQ(Walk(spec, slice).After({.page = 0}, Total(Page(10), 99)).kind, Kind::kNext);
}

TEST(Walk, WallWithoutATotalIsNoticedWhenItIsReached) {
  auto spec = Paged(PagingStyle::kPage);
  spec.paging.pages_max = 2;
  const auto slice = Day();
  Walk walk(spec, slice);
  EXPECT_EQ(walk.After({.page = 1}, Page(10)).kind, Kind::kNext);
  EXPECT_EQ(walk.After({.page = 2}, Page(10)).kind, Kind::kReslice);
}

TEST(Walk, ExactlyAsManyAsTheWallAllowsIsTheEnd) {
  auto spec = WithExactTotal(Paged(PagingStyle::kPage));
  spec.paging.pages_max = 2;
  const auto slice = Day();
  Walk walk(spec, slice);
  EXPECT_EQ(walk.After({.page = 1}, Total(Page(10), 20)).kind, Kind::kNext);
  EXPECT_EQ(walk.After({.page = 2}, Total(Page(10), 20)).kind, Kind::kEnd);
}

TEST(Walk, SamePageTwiceIsALoop) {
  const auto spec = Paged(PagingStyle::kPage);
  const auto slice = Day();
  Walk walk(spec, slice);
  const auto page = Page(10);
  EXPECT_EQ(walk.After({.page = 1}, page).kind, Kind::kNext);
  EXPECT_EQ(walk.After({.page = 2}, page).kind, Kind::kLost);
}

TEST(Walk, TokenLeadsOnUntilThereIsNone) {
  const auto spec = Paged(PagingStyle::kToken);
  const auto slice = Day();
  Walk walk(spec, slice);
  const auto step = walk.After({}, Leads(Page(10), "a"));
  EXPECT_EQ(step.kind, Kind::kNext);
  EXPECT_EQ(step.to.token, "a");
  EXPECT_TRUE(step.to.token_is_position);
  EXPECT_EQ(walk.After(step.to, Page(10)).kind, Kind::kEnd);
}

TEST(Walk, AnEmptyPageThatLeadsNowhereHasToRepeatWhereNothingCounts) {
  const auto spec = Paged(PagingStyle::kToken);
  const auto slice = Day();
  Walk walk(spec, slice);
  const auto step = walk.After({}, Leads(Page(10), "a"));
  ASSERT_EQ(walk.After(step.to, Page(0)).kind, Kind::kAgain);
  EXPECT_EQ(walk.After(step.to, Leads(Page(3), "b")).kind, Kind::kNext) << "it was a slip";

  Walk honest(spec, slice);
  ASSERT_EQ(honest.After({}, Leads(Page(10), "a")).kind, Kind::kNext);
  ASSERT_EQ(honest.After(step.to, Page(0)).kind, Kind::kAgain);
  EXPECT_EQ(honest.After(step.to, Page(0)).kind, Kind::kEnd);
}

TEST(Walk, TokensInACircleAreALoop) {
  const auto spec = Paged(PagingStyle::kToken);
  const auto slice = Day();
  Walk walk(spec, slice);
  EXPECT_EQ(walk.After({}, Leads(Page(10), "a")).kind, Kind::kNext);
  EXPECT_EQ(walk.After({.token = "a"}, Leads(Page(10), "b")).kind, Kind::kNext);
  EXPECT_EQ(walk.After({.token = "b"}, Leads(Page(10), "a")).kind, Kind::kLost);
}

TEST(Walk, UnchangedTokenMeansWhatTheSourceDeclares) {
  const auto slice = Day();
  auto europe = Paged(PagingStyle::kToken);
  europe.paging.ends = {WalkEnd::kSameToken};
  EXPECT_EQ(Walk(europe, slice).After({.token = "x"}, Leads(Page(10), "x")).kind, Kind::kEnd);

  auto scroll = Paged(PagingStyle::kToken);
  scroll.paging.replayable = false;
  scroll.paging.ends = {WalkEnd::kShortPage, WalkEnd::kEmptyPage};
  Walk walk(scroll, slice);
  const auto step = walk.After({.token = "x", .token_is_position = false}, Leads(Page(10), "x"));
  EXPECT_EQ(step.kind, Kind::kNext);
  EXPECT_FALSE(step.to.token_is_position);
  EXPECT_EQ(walk.After(step.to, Leads(Page(4), "x")).kind, Kind::kEnd);
}

TEST(Walk, TailProbeAsksOnceMoreWhereTheTokenIsForgotten) {
  auto spec = Paged(PagingStyle::kToken);
  spec.paging.tail_probe = true;
  const auto slice = Day();
  Walk walk(spec, slice);
  EXPECT_EQ(walk.After({.token = "t"}, Page(10)).kind, Kind::kAgain);
  auto again = Leads(Page(10), "u");
  EXPECT_EQ(walk.After({.token = "t"}, again).kind, Kind::kNext);
  EXPECT_EQ(walk.memory().account.records, 10) << "what was doubted is not counted twice";
}

TEST(Walk, ScrollIsNotAskedTwice) {
  auto spec = WithExactTotal(Paged(PagingStyle::kToken));
  spec.paging.replayable = false;
  const auto slice = Day();
  Walk walk(spec, slice);
  const auto step = walk.After({.token = "s", .token_is_position = false}, Total(Page(10), 50));
  EXPECT_EQ(step.kind, Kind::kEnd);
  EXPECT_FALSE(step.reason.empty());
}

TEST(Walk, TimeGoesOnWhereThePageEndedAndStopsWhereItStands) {
  const auto spec = Paged(PagingStyle::kTime);
  const auto slice = Day();
  Walk walk(spec, slice);
  EXPECT_EQ(walk.Start().time, kFrom);
  auto page = Page(10);
  page.newest = kFrom + 1h;
  const auto step = walk.After({.time = kFrom}, page);
  EXPECT_EQ(step.kind, Kind::kNext);
  EXPECT_EQ(step.to.time, kFrom + 1h);
  auto next = Behind(page, Page(9));
  next.newest = kFrom + 1h;
  EXPECT_EQ(walk.After(step.to, next).kind, Kind::kReslice);
  EXPECT_EQ(walk.After(step.to, Behind(page, Page(3))).kind, Kind::kEnd);
}

// A provider whose filter leaves out the moment that it is asked from: of several records of that moment, some were on no page.
TEST(Walk, PagesByTimeThatDoNotMeetAreNotBelieved) {
  const auto spec = Paged(PagingStyle::kTime);
  const auto slice = Day();
  Walk walk(spec, slice);
  auto page = Page(10);
  page.newest = kFrom + 1h;
  const auto step = walk.After({.time = kFrom}, page);
  page = Page(10);
  page.newest = kFrom + 2h;
  const auto torn = walk.After(step.to, page);
  EXPECT_EQ(torn.kind, Kind::kReslice);
  EXPECT_NE(torn.reason.find("does not begin with"), std::string::npos) << torn.reason;
  EXPECT_FALSE(walk.is_sound()) << "what lies before the moment is not proven either";
}

// Five of six fit on a page; behind the moment of the fifth there is nothing, for whoever leaves that moment out.
TEST(Walk, AnEmptyPageByTimeLacksTheMomentThatItWasAskedFromUnlessATotalSaysThatAllIsHere) {
  const auto spec = Paged(PagingStyle::kTime);
  const auto slice = Day();
  Walk walk(spec, slice);
  auto page = Page(10);
  page.newest = kFrom + 1h;
  const auto step = walk.After({.time = kFrom}, page);
  EXPECT_EQ(walk.After(step.to, Page(0)).kind, Kind::kReslice);

  const auto counted = WithExactTotal(spec);
  Walk all(counted, slice);
  const auto last = all.After({.time = kFrom}, Total(page, 10));
  EXPECT_EQ(all.After(last.to, Total(Page(0), 10)).kind, Kind::kEnd);
}

TEST(Walk, ShortPageByTimeIsTheEndOnlyWhereATotalSaysSo) {
  const auto slice = Day();
  const auto at = [](PageFacts page, Instant newest) {
    page.newest = newest;
    return page;
  };
  const auto spec = Paged(PagingStyle::kTime);
  Walk walk(spec, slice);
  const auto first = at(Page(4), kFrom + 1h);
  auto step = walk.After({.time = kFrom}, first);
  ASSERT_EQ(step.kind, Kind::kNext) << "the provider's pages may hold four at most";
  const auto second = at(Behind(first, Page(3)), kFrom + 2h);
  step = walk.After(step.to, second);
  ASSERT_EQ(step.kind, Kind::kNext);
  auto last = at(Page(0), kFrom + 2h);
  last.ids = {second.ids.back()};
  EXPECT_EQ(walk.After(step.to, last).kind, Kind::kEnd) << "it brings nothing new";

  Walk crowded(spec, slice);
  step = crowded.After({.time = kFrom}, first);
  EXPECT_EQ(crowded.After(step.to, at(Behind(first, Page(3)), kFrom + 1h)).kind, Kind::kReslice)
      << "more of one moment than the provider's pages hold";
  EXPECT_EQ(Walk(spec, slice).After({.time = kFrom}, at(Page(4), kFrom)).glances.size(), 1U);

  auto descending = at(Page(10), kFrom + 1h);
  descending.is_ascending = false;
  EXPECT_EQ(Walk(spec, slice).After({.time = kFrom}, descending).kind, Kind::kReslice)
      << "what lies before its newest record need not have come";

  auto shuffled = at(Page(4), kFrom + 1h);
  shuffled.is_ascending = false;
  Walk alone(spec, slice);
  step = alone.After({.time = kFrom}, shuffled);
  ASSERT_EQ(step.kind, Kind::kNext) << "it may be the last";
  EXPECT_EQ(alone.After(step.to, at(Behind(shuffled, Page(3)), kFrom + 2h)).kind, Kind::kReslice)
      << "it was not";

  const auto counted = WithExactTotal(Paged(PagingStyle::kTime));
  EXPECT_EQ(Walk(counted, slice).After({.time = kFrom}, Total(at(Page(4), kFrom + 1h), 4)).kind,
            Kind::kEnd);
  EXPECT_EQ(Walk(counted, slice).After({.time = kFrom}, Total(at(Page(4), kFrom + 1h), 8)).kind,
            Kind::kNext);
}

// A token that died answers like the end of a list, and so does a provider that lets nobody beyond its first thousand.
TEST(Walk, AnEmptyPageBehindAFullOneIsCutToSeeWhereNothingCounts) {
  const auto slice = Day();
  const auto is_doubted = [&](const SpecSnapshot& spec, std::vector<PageFacts> pages) {
    Walk walk(spec, slice);
    auto at = walk.Start();
    for (const auto& page : pages) {
      const auto step = walk.After(at, page);
      if (!step.glances.empty()) walk.End();
      if (step.kind == Kind::kNext) at = step.to;
    }
    return walk.WhyCutToSee().has_value();
  };
  for (const auto style : {PagingStyle::kPage, PagingStyle::kOffset}) {
    const auto spec = Paged(style);
    EXPECT_TRUE(is_doubted(spec, {Page(10), Page(10), Page(0)}));
    EXPECT_FALSE(is_doubted(spec, {Page(10), Page(3)}));
    EXPECT_FALSE(is_doubted(WithExactTotal(spec),
                            {Total(Page(10), 20), Total(Page(10), 20), Total(Page(0), 20)}));
    auto denied = Page(0);
    denied.has_more = false;
    EXPECT_FALSE(is_doubted(spec, {Page(10), Page(10), denied})) << "the provider says so itself";
  }
  for (const auto style : {PagingStyle::kToken, PagingStyle::kUrl}) {
    const auto spec = Paged(style);
    EXPECT_TRUE(is_doubted(spec, {Leads(Page(10), "a"), Leads(Page(10), "b"), Page(0), Page(0)}));
    EXPECT_FALSE(is_doubted(spec, {Leads(Page(10), "a"), Leads(Page(4), "b"), Page(0), Page(0)}));
    auto scroll = spec;
    scroll.paging.replayable = false;
    EXPECT_TRUE(is_doubted(scroll, {Leads(Page(10), "a"), Leads(Page(10), "b"), Page(0)}));
  }
  auto small = Paged(PagingStyle::kPage);
  small.paging.size = 3;
  EXPECT_FALSE(is_doubted(small, {Page(3), Page(3), Page(0)})) << "that happens too often";
}

TEST(Walk, FullPageWithoutATokenIsCutToSeeWhereNothingCounts) {
  const auto slice = Day();
  auto spec = Paged(PagingStyle::kToken);
  const auto why = [&](const PageFacts& page) {
    Walk walk(spec, slice);
    walk.After(walk.Start(), page);
    return walk.WhyCutToSee();
  };
  EXPECT_FALSE(why(Page(10))) << "nobody asked for so many: the provider makes pages as it likes";
  spec.http.query = {{"rows", "${page.size}"}};
  EXPECT_TRUE(why(Page(10))) << "the token may have been forgotten, or be called otherwise";
  EXPECT_FALSE(why(Page(9)));
  EXPECT_FALSE(why(Leads(Page(10), "next")));
  auto last = Page(10);
  last.has_more = false;
  EXPECT_FALSE(why(last)) << "it says so";
  EXPECT_FALSE(why(Total(Page(10), 10)));
}

TEST(Walk, RoundTotalWithoutADeclaredReachMayStandForMore) {
  const auto slice = Day();
  const auto why = [&](const SpecSnapshot& spec, std::int64_t total) {
    Walk walk(spec, slice);
    walk.After(walk.Start(), Total(Page(10), total));
    return walk.WhyCapped();
  };
  auto spec = WithExactTotal(Paged(PagingStyle::kPage));
  EXPECT_TRUE(why(spec, 1'000));
  EXPECT_TRUE(why(spec, 10'000));
  for (const auto total : {10, 100, 999, 2'000, 10'001, 12'000})
    EXPECT_FALSE(why(spec, total)) << total;
  spec.paging.reach = 100'000;
  EXPECT_FALSE(why(spec, 10'000));

  const auto small = WithExactTotal(Paged(PagingStyle::kToken));
  Walk walk(small, slice);
  for (int page = 0; page < 100; ++page)
    walk.After({}, Total(page < 99 ? Leads(Page(10), std::to_string(page)) : Page(10), 1'000));
  EXPECT_EQ(walk.Judge().kind, WalkVerdict::Kind::kGap);
}

// Many lists have so many records; it is worth a cut, and no reason to doubt what cannot be cut.
TEST(Walk, SmallerRoundTotalsAreCutToSeeAndDoubtedWhereThePartHasAsManyAsTheWhole) {
  const auto spec = WithExactTotal(Paged(PagingStyle::kPage));
  for (const auto total : {500, 2'000, 5'000, 9'999, 65'535}) {
    const auto slice = Day();
    Walk walk(spec, slice);
    walk.After(walk.Start(), Total(Page(10), total));
    EXPECT_FALSE(walk.WhyCapped()) << total;
    EXPECT_TRUE(walk.WhyCutToSee()) << total;

    auto part = Day();
    part.total_of_whole = total;
    Walk half(spec, part);
    half.After(half.Start(), Total(Page(10), total));
    EXPECT_TRUE(half.WhyCapped()) << total;
  }
  for (const auto total : {50, 200, 499, 600, 1'234, 12'000}) {
    const auto slice = Day();
    Walk walk(spec, slice);
    walk.After(walk.Start(), Total(Page(10), total));
    EXPECT_FALSE(walk.WhyCutToSee()) << total;
  }
}

// All records may lie in one part. A provider that counts no further says the same of every part, whatever the number is.
TEST(Walk, APartThatAnnouncesWhatItsWholeDidIsCutToSeeAndNotDoubted) {
  const auto spec = WithExactTotal(Paged(PagingStyle::kPage));
  for (const auto total : {9, 10, 250, 1'234}) {
    auto part = Day();
    part.total_of_whole = total;
    Walk walk(spec, part);
    walk.After(walk.Start(), Total(Page(std::min(total, 10)), total));
    EXPECT_EQ(walk.WhyCutToSee().has_value(), total >= 10) << total;
    EXPECT_FALSE(walk.WhyCapped()) << total;
  }
}

// It may count places by what it was asked for, and then half of each page never came.
TEST(Walk, PagesThatAreAllShorterThanAskedForAreReadAgainInTheirSize) {
  const auto slice = Day();
  auto spec = Paged(PagingStyle::kPage);
  spec.http.query = {{"size", "${page.size}"}};
  spec.paging.ends = {WalkEnd::kEmptyPage};
  spec.order.stable = true;
  const auto read = [&](const std::vector<int>& sizes, std::optional<std::int64_t> total) {
    Walk walk(spec, slice);
    auto at = walk.Start();
    for (const auto size : sizes) {
      auto page = Page(size);
      page.announced = total;
      at = walk.After(at, page).to;
    }
    walk.End();
    return walk.Judge().kind;
  };
  using enum WalkVerdict::Kind;
  EXPECT_EQ(read({5, 5, 2, 0, 0, 0}, {}), kWalkAgain);
  EXPECT_EQ(read({10, 10, 2, 0, 0, 0}, {}), kProven);
  EXPECT_EQ(read({2, 0, 0, 0}, {}), kProven) << "one page is the last";
  EXPECT_EQ(read({2, 0, 1, 0, 1, 0, 0, 0}, {}), kProven) << "what is filtered is not alike";
  spec = WithExactTotal(spec);
  EXPECT_EQ(read({5, 5, 2}, 12), kProven) << "somebody counts";
  EXPECT_EQ(read({5, 5, 2}, 24), kWalkAgain);
  EXPECT_EQ(read({10, 5}, 24), kGap);
}

TEST(Walk, MomentWithAsManyRecordsAsAnyPageHoldsIsCutThoughMoreWereAskedFor) {
  const auto spec = Paged(PagingStyle::kTime);
  const auto slice = Day();
  const auto at = [](PageFacts page, Duration newest) {
    page.newest = kFrom + newest;
    return page;
  };
  Walk walk(spec, slice);
  auto step = walk.After(walk.Start(), at(Page(5), 1min));
  ASSERT_EQ(step.kind, Kind::kNext);
  EXPECT_EQ(walk.After(step.to, at(Page(5), 1min)).kind, Kind::kReslice);

  Walk alone(spec, slice);
  const auto page = at(Page(5), 1min);
  step = alone.After(alone.Start(), page);
  ASSERT_EQ(step.kind, Kind::kNext);
  step = alone.After(step.to, page);
  EXPECT_EQ(step.kind, Kind::kReslice);
  ASSERT_EQ(step.glances.size(), 1U) << "nothing was ever cut off at five, unless more follow";
  EXPECT_GT(*step.glances.front().time, kFrom + 1min);

  auto part = Day();
  part.cut_off_at = 5;
  Walk known(spec, part);
  step = known.After(known.Start(), at(Page(5), 0min));
  EXPECT_EQ(step.kind, Kind::kReslice);
  EXPECT_TRUE(step.glances.empty());
}

TEST(Walk, RangeOfPagesEndsWithIt) {
  const auto spec = WithExactTotal(Paged(PagingStyle::kPage));
  auto slice = Day();
  slice.pages = PageBounds{.from = 3, .to = 5};
  Walk walk(spec, slice);
  EXPECT_EQ(walk.Start().page, 3);
  EXPECT_EQ(walk.After({.page = 3}, Total(Page(10), 1000)).kind, Kind::kNext);
  EXPECT_EQ(walk.After({.page = 4}, Total(Page(10), 1000)).kind, Kind::kEnd);
}

TEST(Walk, RuleOfTheSourceEndsIt) {
  const auto spec = WithExactTotal(Paged(PagingStyle::kToken));
  const auto slice = Day();
  PageFacts page;
  page.is_end = true;
  EXPECT_EQ(Walk(spec, slice).After({}, page).kind, Kind::kEnd);
}

// It counts no further than its paging reaches.
TEST(Walk, TotalThatEqualsTheReachStandsForAnythingBeyond) {
  for (const auto style : {PagingStyle::kOffset, PagingStyle::kPage, PagingStyle::kToken}) {
    auto spec = WithExactTotal(Paged(style));
    spec.paging.reach = 100;
    spec.paging.pages_max = 50;
    const auto slice = Day();
    Walk walk(spec, slice);
    EXPECT_EQ(walk.After(walk.Start(), Leads(Total(Page(10), 100), "a")).kind, Kind::kReslice);
    Walk late(spec, slice);
    late.After(late.Start(), Leads(Total(Page(10), 99), "a"));
    EXPECT_EQ(late.After({.page = 10, .token = "a"}, Leads(Total(Page(10), 100), "b")).kind,
              Kind::kReslice)
        << "also where it grew to it";
    auto part = slice;
    part.counts_beyond_reach = true;
    EXPECT_EQ(Walk(spec, part).After({.page = 0}, Leads(Total(Page(10), 100), "a")).kind,
              Kind::kNext)
        << "the provider is known to count further";
  }
}

TEST(Walk, RangeOfPagesThatEndsSomewhereLeavesWhatIsBeyondTheReachToOthers) {
  auto spec = WithExactTotal(Paged(PagingStyle::kPage));
  spec.paging.reach = 100;
  auto slice = Day();
  slice.pages = PageBounds{.from = 1, .to = 5};
  EXPECT_EQ(Walk(spec, slice).After({.page = 1}, Total(Page(10), 100)).kind, Kind::kNext);
  slice.pages->to = kNoLastPage;
  EXPECT_EQ(Walk(spec, slice).After({.page = 1}, Total(Page(10), 100)).kind, Kind::kReslice);
}

// What walks are worth. Every style walks two pages; what differs is what they show.
class WalkWorth : public ::testing::TestWithParam<PagingStyle> {
 protected:
  using Verdict = WalkVerdict::Kind;

  static SpecSnapshot Spec() {
    auto spec = WithExactTotal(Paged(GetParam()));
    spec.window.settles = true;
    return spec;
  }

  // Walks over these pages, asking again where an answer is doubted; `memory` is of the walk before.
  static Walk Walked(const SpecSnapshot& spec, const SliceSpec& slice,
                     const std::vector<PageFacts>& pages, const WalkMemory& memory = {}) {
    Walk walk(spec, slice, memory);
    auto at = walk.Start();
    for (std::size_t i = 0; i < pages.size(); ++i) {
      const bool is_last = i + 1 == pages.size();
      auto page = pages[i];
      if (!is_last) page.next = std::to_string(i);
      auto step = walk.After(at, page);
      if (step.kind == Kind::kAgain) step = walk.After(at, page);
      EXPECT_EQ(step.kind, is_last ? Kind::kEnd : Kind::kNext) << i << step.reason;
      at = step.to;
    }
    return walk;
  }
};

INSTANTIATE_TEST_SUITE_P(Styles, WalkWorth,
                         ::testing::Values(PagingStyle::kPage, PagingStyle::kOffset,
                                           PagingStyle::kToken, PagingStyle::kUrl),
                         [](const auto& style) { return std::string(CodeOf(style.param)); });

TEST_P(WalkWorth, OneTotalFromEndToEndProvesWhatAddsUp) {
  const auto spec = Spec();
  const auto slice = Day();
  EXPECT_EQ(Walked(spec, slice, {Total(Page(10), 14), Total(Page(4), 14)}).Judge().kind,
            Verdict::kProven);
}

// Three records slipped over the edge of a page, and what came adds up to the new total.
TEST_P(WalkWorth, TotalThatFellProvesNothingThoughTheSumsAgree) {
  const auto spec = Spec();
  const auto slice = Day();
  const auto walk = Walked(spec, slice, {Total(Page(10), 17), Total(Page(4), 14)});
  EXPECT_EQ(walk.Judge().kind, Verdict::kWalkAgain);
  EXPECT_FALSE(walk.is_sound());
}

// One left and two came: the sums agree here, too.
TEST_P(WalkWorth, TotalThatRoseProvesNothingEither) {
  const auto spec = Spec();
  const auto slice = Day();
  EXPECT_EQ(Walked(spec, slice, {Total(Page(10), 13), Total(Page(4), 14)}).Judge().kind,
            Verdict::kWalkAgain);
}

TEST_P(WalkWorth, EmptyListThatNobodyAnnouncesIsLookedAtTwice) {
  const auto spec = Paged(GetParam());
  const auto slice = Day();
  const auto first = Walked(spec, slice, {Page(0)});
  EXPECT_EQ(first.Judge().kind, Verdict::kWalkAgain);
  EXPECT_EQ(Walked(spec, slice, {Page(0)}, first.memory().Next()).Judge().kind, Verdict::kProven);
  EXPECT_EQ(Walk(spec, slice).Judge().kind, Verdict::kProven) << "an update walks over no list";
  const auto exact = Spec();
  EXPECT_EQ(Walked(exact, slice, {Total(Page(0), 0)}).Judge().kind, Verdict::kProven);
  auto said = Page(0);
  said.is_end = true;
  EXPECT_EQ(Walked(spec, slice, {said}).Judge().kind, Verdict::kProven) << "a rule says so";
  said.is_end = false;
  said.has_more = false;
  EXPECT_EQ(Walked(spec, slice, {said}).Judge().kind, Verdict::kProven) << "the provider says so";
}

TEST_P(WalkWorth, RecordThatComesTwiceMayHaveMovedAndHidesAnother) {
  auto spec = Spec();
  spec.paging.has_more = "$.more";
  const auto slice = Day();
  auto first = Page(10);
  first.has_more = true;
  auto second = Page(3);
  second.ids.push_back(first.ids.back());
  second.has_more = false;
  const auto judge_twice = [&](const std::vector<PageFacts>& pages) {
    const auto once = Walked(spec, slice, pages);
    EXPECT_EQ(once.Judge().kind, Verdict::kWalkAgain);
    return Walked(spec, slice, pages, once.memory().Next()).Judge().kind;
  };
  const std::vector counted_once{Total(first, 13), Total(second, 13)};
  const std::vector counted_twice{Total(first, 14), Total(second, 14)};
  EXPECT_EQ(judge_twice(counted_once), Verdict::kProven) << "as many as announced are here";
  EXPECT_EQ(judge_twice(counted_twice), Verdict::kGap)
      << "where the order differs from page to page, another one took its place and never came";
  spec.response.repeats = true;
  EXPECT_EQ(judge_twice(counted_once), Verdict::kProven);
  EXPECT_EQ(judge_twice(counted_twice), Verdict::kProven) << "the definition says so";
  spec.response.repeats = false;
  const std::vector pages{Total(first, 15), Total(second, 15)};
  const auto once = Walked(spec, slice, pages);
  EXPECT_EQ(Walked(spec, slice, pages, once.memory().Next()).Judge().kind, Verdict::kGap)
      << "it stands still, and one never came";
}

TEST_P(WalkWorth, WithoutATotalARecordMayComeTwiceOnOnePageOnly) {
  auto spec = Paged(GetParam());
  const auto slice = Day();
  const auto judge_twice = [&](const std::vector<PageFacts>& pages) {
    const auto once = Walked(spec, slice, pages);
    return Walked(spec, slice, pages, once.memory().Next()).Judge().kind;
  };
  auto second = Page(4);
  second.ids.push_back(second.ids.front());
  const auto first = Page(10);
  EXPECT_EQ(judge_twice({first, second}), Verdict::kProven);
  second.ids.back() = first.ids.front();
  EXPECT_EQ(judge_twice({first, second}), Verdict::kGap);
  spec.response.repeats = true;
  EXPECT_EQ(judge_twice({first, second}), Verdict::kProven);
}

TEST_P(WalkWorth, WithoutATotalASecondWalkHasToSeeTheSame) {
  auto spec = Paged(GetParam());
  spec.window.settles = true;
  const auto slice = Day();
  const std::vector pages{Page(10), Page(4)};
  const auto first = Walked(spec, slice, pages);
  EXPECT_EQ(first.Judge().kind, Verdict::kWalkAgain);
  EXPECT_EQ(Walked(spec, slice, pages, first.memory().Next()).Judge().kind, Verdict::kProven);
  const auto other = Walked(spec, slice, {pages[0], Page(4)}, first.memory().Next());
  EXPECT_EQ(other.Judge().kind, Verdict::kWalkAgain) << "it saw something else";

  EXPECT_EQ(Walked(spec, slice, {Page(4)}).Judge().kind, Verdict::kProven) << "one page, at once";
  auto kept = spec;
  kept.order.stable = true;
  EXPECT_EQ(Walked(kept, slice, pages).Judge().kind, Verdict::kProven);
  auto keyed = spec;
  keyed.paging.by = PagedBy::kKey;
  EXPECT_EQ(Walked(keyed, slice, pages).Judge().kind, Verdict::kProven);
}

// One that came hides one that left.
TEST_P(WalkWorth, ListThatRecordsMayComeIntoNeedsASecondWalkInSpiteOfItsTotal) {
  auto whole = Spec();
  whole.window.filter = WindowFilter::kNone;
  auto unsettled = Spec();
  unsettled.window.settles = false;
  const auto slice = Day();
  const std::vector pages{Total(Page(10), 14), Total(Page(4), 14)};
  for (const auto& spec : {whole, unsettled}) {
    const auto first = Walked(spec, slice, pages);
    EXPECT_EQ(first.Judge().kind, Verdict::kWalkAgain);
    EXPECT_EQ(Walked(spec, slice, pages, first.memory().Next()).Judge().kind, Verdict::kProven);
  }
}

TEST_P(WalkWorth, WhoGoesOnJudgesAsIfNeverInterrupted) {
  const auto spec = Spec();
  const auto slice = Day();
  const auto first = Total(Page(10), 14);
  Walk before(spec, slice);
  const auto step = before.After(before.Start(), Leads(first, "a"));
  ASSERT_EQ(step.kind, Kind::kNext);
  const auto stored = WalkMemory::FromValue(before.memory().ToValue());
  ASSERT_TRUE(stored);
  EXPECT_EQ(*stored, before.memory());

  // From the second page on.
  const auto rest = [&](const PageFacts& page) {
    Walk walk(spec, slice, *stored, {first.ids});
    if (walk.After(step.to, page).kind == Kind::kAgain) walk.After(step.to, page);
    return walk.Judge().kind;
  };
  EXPECT_EQ(rest(Total(Page(3), 13)), Verdict::kWalkAgain) << "the total it began with is known";
  auto again = Total(Page(3), 14);
  again.ids.push_back(first.ids.front());
  EXPECT_EQ(rest(again), Verdict::kWalkAgain) << "what came before the pause is known";
  EXPECT_EQ(rest(Total(Page(4), 14)), Verdict::kProven);
}

TEST_P(WalkWorth, EdgeThatLooksDifferentAfterAPauseTellsThatTheListMoved) {
  const auto spec = Spec();
  const auto slice = Day();
  const auto first = Total(Page(10), 14);
  Walk walk(spec, slice);
  walk.After(walk.Start(), Leads(first, "a"));
  auto shifted = first;
  std::ranges::rotate(shifted.ids, shifted.ids.begin() + 1);
  EXPECT_FALSE(walk.StandsStill(shifted));
  EXPECT_FALSE(walk.StandsStill(Total(first, 13))) << "the same page of a shorter list";
  EXPECT_FALSE(walk.StandsStill(Total(first, 15))) << "or of a longer one";
  EXPECT_TRUE(walk.StandsStill(first));
}

TEST_P(WalkWorth, AfterALongPauseAnEdgeThatLooksTheSameProvesNothing) {
  auto spec = Spec();
  const auto slice = Day();
  Walk walk(spec, slice);
  auto first = Leads(Total(Page(10), 14), "a");
  first.read_at = kFrom;
  walk.After(walk.Start(), first);
  EXPECT_FALSE(walk.WasLeftLong(kFrom + 30min));
  EXPECT_TRUE(walk.WasLeftLong(kFrom + 31min));
  spec.paging.by = PagedBy::kKey;
  EXPECT_FALSE(walk.WasLeftLong(kFrom + 31min)) << "no other record moves what comes next";
}

TEST_P(WalkWorth, WalkThatWentOnUncheckedHasToBeConfirmed) {
  const auto spec = Spec();
  const auto slice = Day();
  const std::vector pages{Total(Page(10), 14), Total(Page(4), 14)};
  auto walk = Walked(spec, slice, pages);
  walk.LeaveUnchecked();
  EXPECT_EQ(walk.Judge().kind, Verdict::kWalkAgain);
}

TEST(Walk, ByTimePagesOverlapAndTheFirstTotalSpeaksOfAll) {
  const auto spec = WithExactTotal(Paged(PagingStyle::kTime));
  const auto slice = Day();
  Walk walk(spec, slice);
  auto first = Total(Page(10), 14);
  first.newest = kFrom + 1h;
  ASSERT_EQ(walk.After(walk.Start(), first).kind, Kind::kNext);
  auto rest = Total(Page(4), 5);
  rest.ids.push_back(first.ids.back());
  ASSERT_EQ(walk.After({.time = kFrom + 1h}, rest).kind, Kind::kEnd);
  EXPECT_EQ(walk.Judge().kind, WalkVerdict::Kind::kProven);
  Walk shrunk(spec, slice);
  shrunk.After(shrunk.Start(), first);
  shrunk.After({.time = kFrom + 1h}, Total(Page(3), 4));
  EXPECT_EQ(shrunk.Judge().kind, WalkVerdict::Kind::kGap) << "one left before it was reached";
}

TEST(Walk, PageThatIsTakenBackLeavesNoTrace) {
  const auto spec = WithExactTotal(Paged(PagingStyle::kToken));
  const auto slice = Day();
  Walk walk(spec, slice);
  const auto before = walk.memory();
  const auto page = Leads(Total(Page(10), 20), "a");
  walk.After({}, page);
  walk.TakeBack();
  EXPECT_EQ(walk.memory(), before);
  const auto again = walk.After({}, page);
  EXPECT_EQ(again.kind, Kind::kNext) << "neither a loop nor a repeat";
  EXPECT_EQ(again.fresh, 10);
}

// A page of records of which none is meant.
PageFacts PassedOver(int size) {
  PageFacts page;
  page.passed_over = size;
  return page;
}

TEST(Walk, PagesOfWhichAFilterTakesNothingLeadOnHoweverManyThereAre) {
  for (const auto style : {PagingStyle::kPage, PagingStyle::kOffset, PagingStyle::kToken}) {
    auto spec = Paged(style);
    spec.paging.ends = {WalkEnd::kNoToken};
    spec.paging.has_more = "$.more";
    const auto slice = Day();
    Walk walk(spec, slice);
    auto at = walk.Start();
    for (int i = 0; i < 50; ++i) {
      auto page = i == 20 ? Page(1) : PassedOver(10);
      if (style == PagingStyle::kToken) page.next = std::to_string(i);
      if (style != PagingStyle::kToken) page.has_more = true;
      const auto step = walk.After(at, page);
      ASSERT_EQ(step.kind, Kind::kNext) << i;
      EXPECT_TRUE(step.glances.empty()) << i;
      at = step.to;
    }
    auto last = PassedOver(3);
    last.has_more = false;
    EXPECT_EQ(walk.After(at, last).kind, Kind::kEnd);
    EXPECT_EQ(walk.memory().account.records, 1);
  }
}

TEST(Walk, AProviderThatShowsNothingThatIsMeantForEverIsLeftInTheEnd) {
  auto spec = Paged(PagingStyle::kPage);
  spec.paging.has_more = "$.more";
  const auto slice = Day();
  Walk walk(spec, slice);
  auto page = PassedOver(10);
  page.has_more = true;
  auto step = walk.After(walk.Start(), page);
  int pages = 1;
  for (; step.kind == Kind::kNext && pages < 100'000; ++pages) step = walk.After(step.to, page);
  EXPECT_EQ(step.kind, Kind::kLost);
  EXPECT_EQ(pages, 10'000);
}

TEST(Walk, APageIsShortByWhatItShowsAndNotByWhatIsMeant) {
  const auto spec = Paged(PagingStyle::kPage);
  const auto slice = Day();
  Walk walk(spec, slice);
  auto page = Page(4);
  page.passed_over = 6;
  EXPECT_EQ(walk.After(walk.Start(), page).kind, Kind::kNext);
}

}  // namespace patra::domain::walk_test
