#include "domain/walk/walk.h"

#include <gtest/gtest.h>

namespace patra::domain {
namespace {

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
PageFacts Page(std::int64_t size, std::string fingerprint = "") {
  static int number = 0;
  if (fingerprint.empty()) fingerprint = std::to_string(++number);
  return {.size = size, .fresh = size, .fingerprint = fingerprint};
}
PageFacts Total(PageFacts page, std::int64_t announced) {
  page.announced = announced;
  return page;
}
PageFacts Leads(PageFacts page, std::string next) {
  page.next = std::move(next);
  return page;
}

using Kind = Step::Kind;

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
  const auto believed = walk.After({.page = 10}, Total(Page(0), 15));
  EXPECT_EQ(believed.kind, Kind::kEnd);
  EXPECT_EQ(walk.seen(), 10);
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
  EXPECT_EQ(Walk(spec, slice).After({.page = 0}, Total(Page(10), 100)).kind, Kind::kNext);
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

TEST(Walk, ListThatShrinksIsReadAgainAtTheSeam) {
  const auto slice = Day();
  const auto by_offset = WithExactTotal(Paged(PagingStyle::kOffset));
  Walk offsets(by_offset, slice);
  EXPECT_EQ(offsets.After({.page = 0}, Total(Page(10), 40)).to.page, 10);
  EXPECT_EQ(offsets.After({.page = 10}, Total(Page(10), 38)).to.page, 8);
  EXPECT_EQ(offsets.After({.page = 8}, Total(Page(10), 38)).to.page, 18);
  EXPECT_TRUE(offsets.total_moved());

  const auto by_page = WithExactTotal(Paged(PagingStyle::kPage));
  Walk pages(by_page, slice);
  EXPECT_EQ(pages.After({.page = 1}, Total(Page(10), 40)).to.page, 2);
  EXPECT_EQ(pages.After({.page = 2}, Total(Page(10), 39)).to.page, 1);
}

// A run that takes over there would count again what has been counted.
TEST(Walk, NobodyElseCanGoOnUntilTheWalkIsWhereItWasBefore) {
  const auto slice = Day();
  const auto by_offset = WithExactTotal(Paged(PagingStyle::kOffset));
  Walk offsets(by_offset, slice);
  EXPECT_TRUE(offsets.After({.page = 0}, Total(Page(10), 40)).to.can_be_resumed());
  EXPECT_FALSE(offsets.After({.page = 10}, Total(Page(10), 38)).to.can_be_resumed());
  EXPECT_FALSE(offsets.After({.page = 8}, Total(Page(10), 38)).to.can_be_resumed()) << "18 of 20";
  EXPECT_TRUE(offsets.After({.page = 18}, Total(Page(10), 38)).to.can_be_resumed());

  const auto by_page = WithExactTotal(Paged(PagingStyle::kPage));
  Walk pages(by_page, slice);
  pages.After({.page = 1}, Total(Page(10), 40));
  pages.After({.page = 2}, Total(Page(10), 40));
  EXPECT_FALSE(pages.After({.page = 3}, Total(Page(10), 25)).to.can_be_resumed());
  EXPECT_FALSE(pages.After({.page = 1}, Total(Page(10), 25)).to.can_be_resumed());
  EXPECT_FALSE(pages.After({.page = 2}, Total(Page(10), 25)).to.can_be_resumed());
  EXPECT_TRUE(pages.After({.page = 3}, Total(Page(10), 45)).to.can_be_resumed());
}

TEST(Walk, SamePageTwiceIsALoop) {
  const auto spec = Paged(PagingStyle::kPage);
  const auto slice = Day();
  Walk walk(spec, slice);
  EXPECT_EQ(walk.After({.page = 1}, Page(10, "same")).kind, Kind::kNext);
  auto again = Page(10, "same");
  again.fresh = 0;
  EXPECT_EQ(walk.After({.page = 2}, again).kind, Kind::kLost);
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
  EXPECT_EQ(walk.seen(), 10) << "what was doubted is not counted twice";
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
  page = Page(10);
  page.newest = kFrom + 1h;
  EXPECT_EQ(walk.After(step.to, page).kind, Kind::kReslice);
  EXPECT_EQ(walk.After(step.to, Page(4)).kind, Kind::kEnd);
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

}  // namespace
}  // namespace patra::domain
