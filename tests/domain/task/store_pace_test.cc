#include "domain/task/store_pace.h"

#include <gtest/gtest.h>

namespace patra::domain::store_pace_test {

using std::chrono::milliseconds;

TEST(StorePace, AllWorkAtFirst) { EXPECT_EQ(StorePace(8).allowed(), 8); }

TEST(StorePace, ASlowOrSilentStoreIsAskedByHalfOfThemEachTime) {
  StorePace pace(8);
  pace.Note(milliseconds(500));
  EXPECT_EQ(pace.allowed(), 4);
  pace.Note(std::nullopt);
  EXPECT_EQ(pace.allowed(), 2);
}

TEST(StorePace, OneAlwaysGoesOn) {
  StorePace pace(3);
  for (int i = 0; i < 10; ++i) pace.Note(std::nullopt);
  EXPECT_EQ(pace.allowed(), 1);
}

TEST(StorePace, AQuickStoreGetsOneMoreEachTimeUpToAll) {
  StorePace pace(4);
  pace.Note(std::nullopt);
  pace.Note(std::nullopt);
  for (const int expected : {2, 3, 4, 4}) {
    pace.Note(milliseconds(1));
    EXPECT_EQ(pace.allowed(), expected);
  }
}

TEST(StorePace, WhatIsNeitherSlowNorQuickChangesNothing) {
  StorePace pace(4);
  pace.Note(std::nullopt);
  pace.Note(milliseconds(300));
  EXPECT_EQ(pace.allowed(), 2);
}

}  // namespace patra::domain::store_pace_test
