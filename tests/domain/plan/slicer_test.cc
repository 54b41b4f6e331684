#include "domain/plan/slicer.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/random.h"

namespace patra::domain::slicer_test {

using namespace std::chrono_literals;

const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

Window Between(Duration from, Duration to) { return *Window::Between(kStart + from, kStart + to); }

std::vector<Window> All(Slicer& slicer) {
  std::vector<Window> windows;
  while (const auto slice = slicer.Next()) windows.push_back(slice->window);
  return windows;
}

TEST(TimeSlicer, CutsOldestFirstOnTheGrid) {
  TimeSlicer slicer({Between(30min, 150min)}, TimeGrid(1h), SliceOrder::kOldestFirst);
  EXPECT_EQ(All(slicer),
            (std::vector{Between(30min, 60min), Between(60min, 120min), Between(120min, 150min)}));
}

TEST(TimeSlicer, CutsNewestFirstOnTheSameGrid) {
  TimeSlicer slicer({Between(30min, 150min)}, TimeGrid(1h), SliceOrder::kNewestFirst);
  EXPECT_EQ(All(slicer),
            (std::vector{Between(120min, 150min), Between(60min, 120min), Between(30min, 60min)}));
}

TEST(TimeSlicer, LeavesOutWhatLiesBetweenStretches) {
  TimeSlicer slicer({Between(0h, 1h), Between(5h, 7h)}, TimeGrid(1h), SliceOrder::kOldestFirst);
  EXPECT_EQ(All(slicer), (std::vector{Between(0h, 1h), Between(5h, 6h), Between(6h, 7h)}));
}

// Windows join without gap and overlap.
TEST(TimeSlicer, TilesRandomWindowsExactlyInEveryZoneAndOrder) {
  SeededRandom random(7);
  for (const auto* zone : {"UTC", "America/New_York", "Europe/Berlin", "Asia/Kolkata",
                           "Australia/Lord_Howe", "Pacific/Apia"}) {
    for (const auto order : {SliceOrder::kOldestFirst, SliceOrder::kNewestFirst}) {
      for (int round = 0; round < 60; ++round) {
        const auto from = kStart + Duration(random.Between(0, 31'536'000'000'000));
        const auto window =
            *Window::Between(from, from + Duration(random.Between(1, 2'000'000'000'000)));
        const std::vector<Duration> widths{15min, 1h, 6h, 24h, 24h * 7};
        const auto width = widths[random.Below(widths.size())];
        TimeSlicer slicer({window}, TimeGrid(width, *TimeZone::Find(zone)), order);
        auto tiles = All(slicer);
        if (order == SliceOrder::kNewestFirst) std::ranges::reverse(tiles);
        ASSERT_EQ(tiles.front().from(), window.from()) << zone;
        ASSERT_EQ(tiles.back().to(), window.to()) << zone;
        for (std::size_t i = 0; i + 1 < tiles.size(); ++i)
          ASSERT_EQ(tiles[i].to(), tiles[i + 1].from()) << zone;
        for (const auto& tile : tiles) ASSERT_LE(tile.width(), width + 24h) << zone;
      }
    }
  }
}

TEST(TimeSlicer, CutsAllOrdersAtTheSamePoints) {
  const auto zone = *TimeZone::Find("America/New_York");
  const auto window = Between(3h, 24h * 400 + 5h);
  TimeSlicer forward({window}, TimeGrid(24h, zone), SliceOrder::kOldestFirst);
  TimeSlicer backward({window}, TimeGrid(24h, zone), SliceOrder::kNewestFirst);
  auto reversed = All(backward);
  std::ranges::reverse(reversed);
  EXPECT_EQ(All(forward), reversed);
}

TEST(PageSlicer, GivesEveryPageOnceAndLeavesTheEndOpen) {
  const PageCut cut{.first = 1, .per_slice = 200, .records = 45'000, .page_size = 100};
  PageSlicer slicer(Between(0h, 1h), cut, cut.first);
  std::vector<PageBounds> pages;
  std::int64_t records = 0;
  while (const auto slice = slicer.Next()) {
    pages.push_back(*slice->pages);
    records += *slice->expected_records;
  }
  ASSERT_EQ(pages.size(), 3u);
  EXPECT_EQ(pages[0], (PageBounds{.from = 1, .to = 201, .size = 100}));
  EXPECT_EQ(pages[1].from, pages[0].to);
  EXPECT_EQ(pages[2].from, pages[1].to);
  EXPECT_EQ(pages[2].to, kNoLastPage);
  EXPECT_EQ(records, 45'000);
}

// I3 for places: no gap and no overlap, whatever the list's size, its first place and its unit.
TEST(PageSlicer, TilesEveryListFromItsFirstPlaceToItsEnd) {
  SeededRandom random(11);
  for (int round = 0; round < 500; ++round) {
    const bool by_offset = random.Below(2) == 0;
    PageCut cut{.first = by_offset ? 0 : static_cast<std::int64_t>(random.Below(2)),
                .per_slice = random.Between(1, 500),
                .records = random.Between(0, 100'000),
                .page_size = random.Between(1, 1'000),
                .by_offset = by_offset};
    if (by_offset) cut.per_slice *= cut.page_size;
    PageSlicer slicer(Between(0h, 1h), cut, cut.first);
    auto at = cut.first;
    std::optional<SliceSpec> last;
    while (auto slice = slicer.Next()) {
      ASSERT_EQ(slice->pages->from, at);
      ASSERT_GT(slice->pages->to, slice->pages->from);
      at = slice->pages->to;
      // Whoever goes on from here cuts alike.
      if (at != kNoLastPage) {
        PageSlicer rest(Between(0h, 1h), cut, at);
        ASSERT_EQ(rest.Next()->pages->from, at);
      }
      last = std::move(slice);
    }
    ASSERT_TRUE(last);
    ASSERT_EQ(last->pages->to, kNoLastPage);
    ASSERT_TRUE(cut.RecordsBefore(last->pages->from) < cut.records || cut.records == 0 ||
                last->pages->from == cut.first);
  }
}

TEST(HashBucket, SpreadsIdsEvenly) {
  std::vector<int> used(8);
  for (int i = 0; i < 4000; ++i) ++used[static_cast<std::size_t>(HashBucket(std::to_string(i), 8))];
  for (const auto count : used) EXPECT_NEAR(count, 500, 150);
}

TEST(SingleSlicer, IsOneSlice) {
  SingleSlicer slicer(Between(0h, 9h));
  EXPECT_EQ(All(slicer), std::vector{Between(0h, 9h)});
}

}  // namespace patra::domain::slicer_test
