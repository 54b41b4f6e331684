#include "domain/walk/window_echo.h"

#include <gtest/gtest.h>

namespace patra::domain::window_echo_test {

using namespace std::chrono_literals;

Window Hours(int from, int to) {
  return *Window::Between(Instant(std::chrono::hours(from)), Instant(std::chrono::hours(to)));
}

WalkAccount Shown(std::int64_t records, std::uint64_t digest) {
  return {.records = records, .digest = digest};
}

TEST(WindowEcho, TheSameRecordsForWindowsWithoutACommonMomentAreAnEcho) {
  WindowEchoes echoes;
  EXPECT_FALSE(echoes.Find(1, Hours(0, 8), Shown(10, 77)));
  EXPECT_FALSE(echoes.Find(1, Hours(0, 4), Shown(10, 77))) << "a part of it";
  EXPECT_EQ(echoes.Find(1, Hours(4, 8), Shown(10, 77)), Hours(0, 4));
  EXPECT_EQ(echoes.Find(1, Hours(0, 2), Shown(10, 77)), Hours(4, 8));
}

TEST(WindowEcho, OtherRecordsOtherPlansAndNoRecordsAreNone) {
  WindowEchoes echoes;
  EXPECT_FALSE(echoes.Find(1, Hours(0, 1), Shown(10, 77)));
  EXPECT_FALSE(echoes.Find(1, Hours(1, 2), Shown(10, 78)));
  EXPECT_FALSE(echoes.Find(1, Hours(2, 3), Shown(11, 77)));
  EXPECT_FALSE(echoes.Find(2, Hours(1, 2), Shown(10, 77)));
  EXPECT_FALSE(echoes.Find(1, Hours(3, 4), Shown(0, 0)));
  EXPECT_FALSE(echoes.Find(1, Hours(4, 5), Shown(0, 0)));
}

TEST(WindowEcho, WhatLiesFarBackIsForgotten) {
  WindowEchoes echoes;
  EXPECT_FALSE(echoes.Find(1, Hours(0, 1), Shown(10, 77)));
  for (std::uint64_t i = 0; i < WindowEchoes::kRemembered; ++i)
    EXPECT_FALSE(echoes.Find(1, Hours(1, 2), Shown(10, 1'000 + i)));
  EXPECT_FALSE(echoes.Find(1, Hours(1, 2), Shown(10, 77)));
}

}  // namespace patra::domain::window_echo_test
