#include "domain/walk/ask_again.h"

#include <gtest/gtest.h>

namespace patra::domain {
namespace {

using namespace std::chrono_literals;

TEST(DeservesSecondLook, AListThatMayHaveGrownWhileItsLastPageWasRead) {
  SpecSnapshot spec;
  const Position last{.page = 3};
  EXPECT_FALSE(DeservesSecondLook(spec, last)) << "the lag gave it time to settle";
  spec.window.safety_lag = 0s;
  EXPECT_TRUE(DeservesSecondLook(spec, last));
  EXPECT_FALSE(DeservesSecondLook(spec, {.token = "scroll", .token_is_position = false}));
  spec.order.stable = true;
  EXPECT_FALSE(DeservesSecondLook(spec, last));
  spec.order.stable = false;
  spec.paging.replayable = false;
  EXPECT_FALSE(DeservesSecondLook(spec, last));
  spec.paging.replayable = true;
  spec.window.filter = WindowFilter::kClient;
  EXPECT_FALSE(DeservesSecondLook(spec, last));
}

TEST(CanComeBack, AsLongAsItsTokenLives) {
  SpecSnapshot spec;
  EXPECT_TRUE(CanComeBack(spec, 1h));
  spec.paging.token_lifetime = 10min;
  EXPECT_TRUE(CanComeBack(spec, 9min));
  EXPECT_FALSE(CanComeBack(spec, 10min));
  spec.paging.token_lifetime.reset();
  spec.paging.replayable = false;
  EXPECT_FALSE(CanComeBack(spec, 0s));
}

}  // namespace
}  // namespace patra::domain
