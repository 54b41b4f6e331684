#include "domain/heal/failing_batches.h"

#include <gtest/gtest.h>

namespace patra::domain::failing_batches_test {

TEST(FailingBatches, ARunEndsWhenMoreThanTheAllowedPartOfItsBatchesFails) {
  const FailingPolicy policy{.part_over = 0.5, .batches_min = 10};
  EXPECT_FALSE(TooManyFail({.batches = 10, .failing = 5}, policy)) << "half is allowed";
  const auto why = TooManyFail({.batches = 10, .failing = 6}, policy);
  ASSERT_TRUE(why);
  EXPECT_EQ(*why, "6 of 10 batches came only after failures, more than 50 %");
}

TEST(FailingBatches, AFewBatchesSayNothing) {
  EXPECT_FALSE(TooManyFail({.batches = 9, .failing = 9}, {.part_over = 0.5, .batches_min = 10}));
}

}  // namespace patra::domain::failing_batches_test
