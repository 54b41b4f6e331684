#include "domain/plan/cut_rest.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/canonical_json.h"
#include "base/random.h"

namespace patra::domain::cut_rest_test {

using namespace std::chrono_literals;

const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

Window Between(Duration from, Duration to) { return *Window::Between(kStart + from, kStart + to); }

CutPolicy Policy(Duration granularity, std::string_view zone = "UTC") {
  return {.grid = TimeGrid(granularity, *TimeZone::Find(zone))};
}

// Whether the children follow each other without gap and overlap, from the rest's start to its end (I3).
void ExpectToTile(const std::vector<SliceSpec>& children, const Window& rest) {
  ASSERT_FALSE(children.empty());
  EXPECT_EQ(children.front().window.from(), rest.from());
  EXPECT_EQ(children.back().window.to(), rest.to());
  for (std::size_t i = 0; i + 1 < children.size(); ++i)
    EXPECT_EQ(children[i].window.to(), children[i + 1].window.from());
}

TEST(CutRest, HalvesTheRestAndNotWhatIsDone) {
  const SliceSpec parent{.window = Between(0h, 8h)};
  const auto children = CutRest(parent, Between(4h, 8h), Policy(1s));
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0].window, Between(4h, 6h));
  EXPECT_EQ(children[1].window, Between(6h, 8h));
}

TEST(CutRest, CutsOnlyWhereTheProviderCanTellThePiecesApart) {
  const SliceSpec parent{.window = Between(0h, 72h)};
  const auto children = CutRest(parent, parent.window, Policy(24h));
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0].window, Between(0h, 24h));
  EXPECT_TRUE(CutRest(children[0], children[0].window, Policy(24h)).empty());
}

TEST(CutRest, CutsDaysInTheProvidersZone) {
  const auto policy = Policy(24h, "America/New_York");
  const auto window = *Window::Between(*ParseRfc3339("2026-03-07T05:00:00Z"),
                                       *ParseRfc3339("2026-03-09T04:00:00Z"));
  const auto children = CutRest({.window = window}, window, policy);
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0].window.to(), *ParseRfc3339("2026-03-08T05:00:00Z"));
  EXPECT_EQ(children[1].window.width(), 23h);
}

TEST(CutRest, TilesRandomRestsDownToTheGranularityInEveryZone) {
  SeededRandom random(5);
  for (const auto* zone : {"UTC", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe"}) {
    for (const auto granularity : {Duration(1), Duration(1s), Duration(1h), Duration(24h)}) {
      for (int round = 0; round < 40; ++round) {
        auto policy = Policy(granularity, zone);
        policy.pieces = static_cast<int>(random.Between(1, 80));
        const auto from = kStart + Duration(random.Between(0, 31'536'000'000'000));
        auto rest = *Window::Between(from, from + Duration(random.Between(1, 864'000'000'000)));
        for (int depth = 0; depth < 60; ++depth) {
          const auto children = CutRest({.window = rest}, rest, policy);
          if (children.empty()) break;
          ASSERT_LE(children.size(), static_cast<std::size_t>(kPiecesMax));
          ExpectToTile(children, rest);
          rest = children[random.Below(children.size())].window;
        }
        EXPECT_TRUE(CutRest({.window = rest}, rest, policy).empty());
        EXPECT_LE(policy.grid.Floor(rest.to() - Duration(1)), rest.from());
      }
    }
  }
}

TEST(CutRest, GoesOnWithASecondDateWhereADayIsTooFull) {
  auto policy = Policy(24h);
  policy.split_by = {{.name = "crdt", .kind = SplitKind::kDate}};
  const auto day = Between(0h, 24h);
  auto children = CutRest({.window = day}, day, policy);
  ASSERT_GT(children.size(), 5u);
  for (const auto& child : children) EXPECT_EQ(child.window, day);
  EXPECT_EQ(children.front().split[0].from, "1000-01-01T00:00:00Z");
  EXPECT_EQ(children.back().split[0].to, "3000-01-01T00:00:00Z");
  for (std::size_t i = 0; i + 1 < children.size(); ++i)
    EXPECT_EQ(children[i].split[0].to, children[i + 1].split[0].from);

  int depth = 0;
  for (auto part = children[1]; !children.empty() && depth < 100; ++depth) {
    children = CutRest(part, day, policy);
    if (children.empty()) break;
    ASSERT_EQ(children.size(), 2u);
    EXPECT_EQ(children[0].split[0].from, part.split[0].from);
    EXPECT_EQ(children[0].split[0].to, children[1].split[0].from);
    EXPECT_EQ(children[1].split[0].to, part.split[0].to);
    part = children[0];
  }
  EXPECT_LT(depth, 25) << "a date is halved down to one day and no further";
}

TEST(CutRest, HalvesIdsThenTakesValuesOneByOne) {
  auto policy = Policy(24h);
  policy.split_by = {{.name = "id", .kind = SplitKind::kIdRange},
                     {.name = "kind", .kind = SplitKind::kValues, .values = {"a", "b", "c"}}};
  const auto day = Between(0h, 24h);
  SliceSpec parent{.window = day, .split = {{.name = "id", .from = "10", .to = "13"}}};
  auto children = CutRest(parent, day, policy);
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0].split[0].to, "11");
  children = CutRest(children[0], day, policy);
  ASSERT_EQ(children.size(), 3u);
  EXPECT_EQ(children[2].split[1].value, "c");
  EXPECT_TRUE(CutRest(children[2], day, policy).empty());
}

TEST(CutRest, OfAnIdDimensionStartsWithEveryId) {
  auto policy = Policy(24h);
  policy.split_by = {{.name = "id", .kind = SplitKind::kIdRange}};
  const auto day = Between(0h, 24h);
  const auto children = CutRest({.window = day}, day, policy);
  ASSERT_GT(children.size(), 2u);
  EXPECT_EQ(children.front().split[0].from, "0");
  EXPECT_EQ(children.back().split[0].to, "9223372036854775807");
  for (std::size_t i = 0; i + 1 < children.size(); ++i)
    EXPECT_EQ(children[i].split[0].to, children[i + 1].split[0].from);
}

TEST(CutRest, HalvesPagesAndLeavesIdsAlone) {
  const SliceSpec pages{.dimension = SliceDimension::kPage,
                        .window = Between(0h, 1h),
                        .pages = PageBounds{.from = 1, .to = 6}};
  const auto children = CutRest(pages, pages.window, Policy(1s));
  ASSERT_EQ(children.size(), 2u);
  EXPECT_EQ(children[0].pages, (PageBounds{.from = 1, .to = 3}));
  EXPECT_EQ(children[1].pages, (PageBounds{.from = 3, .to = 6}));
  const SliceSpec ids{.dimension = SliceDimension::kId, .window = Between(0h, 1h)};
  EXPECT_TRUE(CutRest(ids, ids.window, Policy(1s)).empty());
}

TEST(CutRest, ChildrenAreSlicesOfTheirOwn) {
  const SliceSpec parent{.window = Between(0h, 2h),
                         .budget = {.requests_max = 9},
                         .expected_records = 500,
                         .expected_requests = 5};
  const auto children = CutRest(parent, parent.window, Policy(1s));
  ASSERT_EQ(children.size(), 2u);
  EXPECT_NE(CanonicalJson(children[0].Identity()), CanonicalJson(children[1].Identity()));
  EXPECT_EQ(children[0].budget, parent.budget);
  EXPECT_FALSE(children[0].expected_records);
}

TEST(PiecesFor, LeavesRoomForAnUnevenSpread) {
  EXPECT_EQ(PiecesFor(10'000, 9'999), 3);
  EXPECT_EQ(PiecesFor(5, 0), 2);
  EXPECT_EQ(PiecesFor(1'000'000'000, 10), kPiecesMax);
}

TEST(CanCut, NeitherWhatIsNarrowNorWhatTheProviderCannotTellApart) {
  SpecSnapshot spec;
  spec.window.width_min = 1h;
  EXPECT_TRUE(*CanCut(spec, {.window = Between(0h, 2h)}));
  EXPECT_FALSE(*CanCut(spec, {.window = Between(0h, 119min)}));
  EXPECT_FALSE(*CanCut(spec, {.dimension = SliceDimension::kId, .window = Between(0h, 2h)}));
  spec.window.granularity = Granularity::kDay;
  EXPECT_FALSE(*CanCut(spec, {.window = Between(0h, 2h)}));
  EXPECT_TRUE(*CanCut(spec, {.window = Between(0h, 48h)}));
  spec.window.timezone = "Nowhere/At_All";
  EXPECT_FALSE(CanCut(spec, {.window = Between(0h, 48h)}));
}

}  // namespace patra::domain::cut_rest_test
