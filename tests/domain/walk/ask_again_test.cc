#include "domain/walk/ask_again.h"

#include <gtest/gtest.h>

namespace patra::domain::ask_again_test {

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

TEST(WhyTokenIsDead, OneThatWasNotUsedForLongerThanItLives) {
  SpecSnapshot spec;
  spec.paging.token_lifetime = 5min;
  const Position next{.token = "t"};
  const Instant now{1'000h};
  const auto read = [&](Duration ago) { return WalkMemory::Edge{.read_at = now - ago}; };
  EXPECT_EQ(WhyTokenIsDead(spec, next, read(4min), now), std::nullopt);
  EXPECT_EQ(WhyTokenIsDead(spec, next, read(5min), now),
            "the token was not used for 5m, and lives for 5m");
  EXPECT_EQ(WhyTokenIsDead(spec, {}, read(1h), now), std::nullopt) << "nothing is sent";
  EXPECT_EQ(WhyTokenIsDead(spec, {.token = "id", .is_detail = true}, read(1h), now), std::nullopt);
  EXPECT_EQ(WhyTokenIsDead(spec, next, std::nullopt, now), std::nullopt) << "nobody knows";
  spec.paging.token_lifetime.reset();
  EXPECT_EQ(WhyTokenIsDead(spec, next, read(1h), now), std::nullopt) << "it lives for ever";
}

}  // namespace patra::domain::ask_again_test
