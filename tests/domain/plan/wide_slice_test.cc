#include "domain/plan/wide_slice.h"

#include <gtest/gtest.h>

#include "domain/plan/cut_rest.h"

namespace patra::domain::wide_slice_test {

using namespace std::chrono_literals;

constexpr Duration kYears = 24h * 365 * 24;

SpecSnapshot Source() {
  SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  spec.paging.size = 100;
  spec.window.width = 1h;
  spec.window.width_max = 24h;
  spec.response.total_kind = TotalKind::kExact;
  return spec;
}

SliceSpec Slice(Duration width = kYears) {
  const Instant from{std::chrono::sys_days{std::chrono::year{2002} / 1 / 1}};
  return {.window = *Window::Between(from, from + width)};
}

int PiecesOf(const SpecSnapshot& spec, const SliceSpec& slice, std::int64_t announced) {
  const auto cut = CutOfWide(spec, slice, {.announced = announced, .leads_on = true});
  return cut ? cut->pieces : 1;
}

TEST(WideSlice, ThatComesWithOnePageIsReadAsItIs) {
  EXPECT_EQ(PiecesOf(Source(), Slice(), 0), 1);
  EXPECT_EQ(PiecesOf(Source(), Slice(), 100), 1);
}

// A provider that stops at so many, and announces no more, would pass for one that has no more.
TEST(WideSlice, ThatNeedsSeveralPagesIsCutUntilEachComesWithOneOrIsAsWideAsTheDefinitionSays) {
  EXPECT_EQ(PiecesOf(Source(), Slice(), 101), 2);
  EXPECT_EQ(PiecesOf(Source(), Slice(), 454), 5);
  auto piece = Slice(kYears / 16);
  piece.total_of_whole = 100'000;
  EXPECT_EQ(PiecesOf(Source(), piece, 900), 9);
  EXPECT_EQ(PiecesOf(Source(), Slice(24h), 900), 1);
}

TEST(WideSlice, OfMuchMoreIsCutSoThatNoneHoldsTooMuch) {
  EXPECT_EQ(PiecesOf(Source(), Slice(), 10'000'000), kPiecesMax);
  auto spec = Source();
  spec.paging.reach = 1'000;
  EXPECT_GE(PiecesOf(spec, Slice(), 3'000), 6) << "half of what paging reaches";
  spec.paging.reach.reset();
  spec.paging.replayable = false;
  EXPECT_GE(PiecesOf(spec, Slice(), 20'000), 20) << "a walk that starts over has to be short";
}

TEST(WideSlice, CountsTheRequestsForDetails) {
  auto spec = Source();
  spec.paging.size = 10'000;
  spec.details = DetailSpec{.id_batch_size = 200};
  EXPECT_EQ(PiecesOf(spec, Slice(), 2'000), 1);
  EXPECT_EQ(PiecesOf(spec, Slice(), 11'000), 5) << "57 requests";
}

TEST(WideSlice, IsCutToTheDefinitionsWidthWhereNothingIsAnnounced) {
  auto spec = Source();
  spec.response.total_kind = TotalKind::kEstimate;
  EXPECT_FALSE(CutOfWide(spec, Slice(), {.leads_on = false})) << "one page is all";
  const auto cut = CutOfWide(spec, Slice(), {.leads_on = true});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->pieces, kPiecesMax);
  EXPECT_FALSE(CutOfWide(spec, Slice(24h), {.leads_on = true})) << "as wide as the definition says";
}

TEST(WideSlice, IsNoSliceThatTheDefinitionOrHistoryMade) {
  EXPECT_EQ(PiecesOf(Source(), Slice(24h), 1'000'000), 1);
  auto uncounted = Source();
  uncounted.response.total_kind = TotalKind::kNone;
  EXPECT_FALSE(CutOfWide(uncounted, Slice(), {.leads_on = true}));
  auto part = Slice();
  part.split = {{.name = "created"}};
  EXPECT_EQ(PiecesOf(Source(), part, 1'000'000), 1);
}

// A provider that answers for the last or the first year of a window only looks as if it had no more.
TEST(WideSlice, WhoseRecordsLieFarFromItsEndsHasThoseAskedForAlone) {
  const auto slice = Slice();
  const TimeGrid hours(1h);
  const auto from = slice.window.from();
  const auto to = slice.window.to();
  const auto late = EndsToSee(Source(), slice, hours, {.oldest = to - 8'760h, .newest = to - 1h});
  ASSERT_TRUE(late);
  EXPECT_EQ(late->seen, *Window::Between(to - 8'760h, to));
  ASSERT_EQ(late->ends.size(), 1U);
  EXPECT_EQ(late->ends[0], *Window::Between(from, to - 8'760h));
  const auto middle =
      EndsToSee(Source(), slice, hours, {.oldest = from + 8'760h, .newest = to - 8'760h});
  ASSERT_TRUE(middle);
  EXPECT_EQ(middle->ends.size(), 2U);
  EXPECT_EQ(middle->seen.to(), to - 8'759h) << "the hour of the newest is seen";
}

// The definition vouches for a day; chance leaves half of it empty once in a thousand times where ten records lie in it.
TEST(WideSlice, AnEmptyEndOfAnOrdinarySliceIsDoubtedWhereChanceHardlyLeavesIt) {
  struct Case {
    std::int64_t records;
    Duration newest;
    bool is_doubted;
  };
  const auto slice = Slice(24h);
  const auto from = slice.window.from();
  const TimeGrid minutes(1min);
  for (const auto& [records, newest, is_doubted] :
       {Case{10, 11h + 58min, true}, Case{9, 11h + 58min, false}, Case{100, 13h, false},
        Case{5, 5h, true}, Case{4, 1h, false}}) {
    const auto unseen =
        EndsToSee(Source(), slice, minutes,
                  {.oldest = from + 1min, .newest = from + newest, .records = records});
    ASSERT_EQ(unseen.has_value(), is_doubted) << records;
    if (!unseen) continue;
    EXPECT_EQ(unseen->seen, *Window::Between(from, from + newest + 1min));
    EXPECT_EQ(unseen->answered_for, newest + 1min);
  }
  EXPECT_FALSE(EndsToSee(Source(), slice, minutes, {.oldest = from, .newest = from, .records = 99}))
      << "dates without a time of day stand for all of it";
}

TEST(WideSlice, WhereALongerWindowShowedNothingAndThisDoesItIsCutToWhatWasAnsweredFor) {
  auto slice = Slice(20h);
  EXPECT_FALSE(CutOfWide(Source(), slice, {.records = 7}));
  slice.answered_for = 9h;
  const auto cut = CutOfWide(Source(), slice, {.records = 7});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->pieces, 3);
  EXPECT_FALSE(CutOfWide(Source(), slice, {})) << "nothing is there indeed";
  slice.answered_for = 20h;
  EXPECT_FALSE(CutOfWide(Source(), slice, {.records = 7}));
}

// Server and definition may differ in how large a page is, and the total in what it counts.
TEST(WideSlice, ATotalThatIsNoMoreThanWhatStandsOnAPageWithRoomIsHeldAgainstParts) {
  auto slice = Slice();
  const auto size = Source().paging.size;
  const auto cut = CutOfWide(Source(), slice, {.announced = size - 5, .records = size - 5});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->pieces, 2);
  EXPECT_FALSE(CutOfWide(Source(), slice, {.announced = size, .records = size})) << "no room";
  EXPECT_FALSE(CutOfWide(Source(), slice, {.announced = 19, .records = 19})) << "too few to tell";
  slice.total_of_whole = size - 5;
  EXPECT_TRUE(CutOfWide(Source(), slice, {.announced = size - 5, .records = size - 5}))
      << "as many as of the whole";
  EXPECT_FALSE(CutOfWide(Source(), slice, {.announced = size - 7, .records = size - 7}))
      << "the sum of the parts tells";
}

TEST(WideSlice, WhoseRecordsReachItsEndsIsSeenWhole) {
  const auto slice = Slice();
  const auto from = slice.window.from();
  const auto to = slice.window.to();
  EXPECT_FALSE(
      EndsToSee(Source(), slice, TimeGrid(1h), {.oldest = from + 20h, .newest = to - 20h}));
  EXPECT_FALSE(EndsToSee(Source(), slice, TimeGrid(1h), {.oldest = to + 1h, .newest = to + 2h}))
      << "dates outside of the window say nothing";
  EXPECT_FALSE(EndsToSee(Source(), Slice(24h), TimeGrid(1h), {.oldest = from, .newest = from}))
      << "as wide as the definition says";
}

TEST(WideSlice, ThatShowsNothingIsTriedAtItsEndsAndBetween) {
  const auto spec = Source();
  const TimeGrid grid(1s);
  const auto slice = Slice();
  const auto windows = WindowsToTry(spec, slice, grid);
  ASSERT_EQ(windows.size(), 8);
  EXPECT_EQ(windows.front().to(), slice.window.to()) << "the newest";
  EXPECT_EQ(windows.back().from(), slice.window.from()) << "the oldest";
  for (std::size_t i = 0; i < windows.size(); ++i) {
    EXPECT_EQ(windows[i].width(), 24h);
    if (i > 0) {
      EXPECT_LT(windows[i].to(), windows[i - 1].from());
    }
  }
  auto part = slice;
  part.total_of_whole = 400;
  EXPECT_EQ(WindowsToTry(spec, part, grid).size(), 3) << "the whole told how much there is";
  EXPECT_EQ(WindowsToTry(spec, Slice(60h), grid).size(), 3) << "these are all of it";
  EXPECT_EQ(WindowsToTry(spec, Slice(25h), grid).size(), 2);
  EXPECT_TRUE(WindowsToTry(spec, Slice(24h), grid).empty()) << "the definition vouches for it";
  part.split = {{.name = "set", .value = "a"}};
  EXPECT_TRUE(WindowsToTry(spec, part, grid).empty());
}

TEST(WideSlice, OfWhichAPartShowsSomethingIsCutToTheDefinitionsWidth) {
  const auto spec = Source();
  const auto shown = Slice(24h).window;
  EXPECT_EQ(CutOfDenied(spec, Slice(72h), shown).pieces, 4);
  EXPECT_EQ(CutOfDenied(spec, Slice(), shown).pieces, kPiecesMax);
}

}  // namespace patra::domain::wide_slice_test
