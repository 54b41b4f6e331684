#include "app/work/reach_of_slices.h"

#include <gtest/gtest.h>

namespace patra::app::reach_of_slices_test {

BatchReport Page(std::int64_t received, std::int64_t announced) {
  return {.slice_received = received, .slice_announced = announced};
}

TEST(ReachOfSlices, WhatIsCutIsReceivedAnew) {
  ReachOfSlices reach;
  SlicesReached sum;
  reach.Note(1, Page(100, 400), sum);
  reach.Cut(1, false, sum);
  EXPECT_EQ(sum.received, 0);
  EXPECT_EQ(sum.announced + sum.owed, 400);
  reach.Note(2, Page(150, 150), sum);
  reach.Note(3, Page(250, 250), sum);
  EXPECT_EQ(sum.received, 400);
  EXPECT_EQ(sum.announced, 400);
  EXPECT_EQ(sum.owed, 0);
  EXPECT_EQ(sum.slices, 1);
}

// Its ends are asked for alone, and have nothing.
TEST(ReachOfSlices, WhatASliceHasProvenBeforeItWasCutStaysDone) {
  ReachOfSlices reach;
  SlicesReached sum;
  reach.Note(1, Page(400, 400), sum);
  reach.Cut(1, true, sum);
  EXPECT_EQ(sum.received, 400);
  EXPECT_EQ(sum.announced, 400);
  EXPECT_EQ(sum.owed, 0) << "they owe nothing";

  reach.Note(2, Page(100, 300), sum);
  reach.Cut(2, true, sum);
  EXPECT_EQ(sum.received, 500);
  EXPECT_EQ(sum.owed, 200) << "what takes over from it has the rest";
}

}  // namespace patra::app::reach_of_slices_test
