#include "domain/word/window.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace patra::domain::window_test {

using namespace std::chrono_literals;

const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

Window Between(Duration from, Duration to) { return *Window::Between(kStart + from, kStart + to); }

TEST(Window, IsNeverEmpty) {
  EXPECT_FALSE(Window::Between(kStart, kStart));
  EXPECT_FALSE(Window::Between(kStart, kStart - 1s));
  EXPECT_TRUE(Window::Between(kStart, kStart + Duration(1)));
}

TEST(Window, ContainsItsStartButNotItsEnd) {
  const auto window = Between(0h, 1h);
  EXPECT_TRUE(window.Contains(kStart));
  EXPECT_TRUE(window.Contains(kStart + 1h - Duration(1)));
  EXPECT_FALSE(window.Contains(kStart + 1h));
}

TEST(Window, TilesMeetOnMultiplesOfTheStepAndShortenTheEnds) {
  const auto tiles = Between(30min, 150min).TileBy(1h);
  ASSERT_EQ(tiles.size(), 3u);
  EXPECT_EQ(tiles[0], Between(30min, 60min));
  EXPECT_EQ(tiles[1], Between(60min, 120min));
  EXPECT_EQ(tiles[2], Between(120min, 150min));
}

TEST(Window, TilesCoverTheWindowExactlyForRandomWindows) {
  SeededRandom random(3);
  for (int round = 0; round < 500; ++round) {
    const Instant from(Duration(random.Between(-4'000'000'000'000, 4'000'000'000'000)));
    const auto window = *Window::Between(from, from + Duration(random.Between(1, 10'000'000'000)));
    const Duration step(random.Between(20'000'000, 3'000'000'000));
    const auto tiles = window.TileBy(step);
    ASSERT_EQ(tiles.front().from(), window.from());
    ASSERT_EQ(tiles.back().to(), window.to());
    for (std::size_t i = 0; i + 1 < tiles.size(); ++i) {
      ASSERT_EQ(tiles[i].to(), tiles[i + 1].from());
      ASSERT_EQ(FloorTo(tiles[i].to(), step), tiles[i].to());
    }
    for (const auto& tile : tiles) ASSERT_LE(tile.width(), step);
  }
}

TEST(FloorTo, GoesDownAlsoBefore1970) {
  EXPECT_EQ(FloorTo(Instant(-1s), 60s), Instant(-60s));
  EXPECT_EQ(FloorTo(Instant(-60s), 60s), Instant(-60s));
  EXPECT_EQ(FloorTo(Instant(61s), 60s), Instant(60s));
}

}  // namespace patra::domain::window_test
