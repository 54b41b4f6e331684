#include "domain/task/at_once.h"

#include <gtest/gtest.h>

namespace patra::domain::at_once_test {

using namespace std::chrono_literals;

GateRules Rules(std::vector<Limit> limits) { return {.limits = std::move(limits)}; }

TEST(TasksThatKeepBusy, AreAsManyAsTheRateLetsThroughWhileOnePageIsDealtWith) {
  struct Case {
    Limit limit;
    Duration latency;
    int tasks;
  };
  for (const auto& [limit, latency, tasks] : std::vector<Case>{
           {{.count = 1, .window = 3s}, 200ms, 1},
           {{.count = 5, .window = 1s}, 200ms, 3},
           {{.count = 40, .window = 1s}, 150ms, 16},
           {{.kind = LimitKind::kSlidingWindow, .count = 195, .window = 60s}, 10s, 34},
           {{.kind = LimitKind::kConcurrency, .count = 4, .window = 60s}, 250ms, 8},
           {{.kind = LimitKind::kConcurrency, .count = 4, .window = 60s}, 10s, 5},
       }) {
    EXPECT_EQ(TasksThatKeepBusy(Rules({limit}), latency), tasks)
        << limit.count << " in " << limit.window.count();
  }
}

TEST(TasksThatKeepBusy, GoByTheTightestLimitButNotByQuotas) {
  EXPECT_EQ(TasksThatKeepBusy(Rules({{.count = 40, .window = 1s},
                                     {.kind = LimitKind::kConcurrency, .count = 1, .window = 60s}}),
                              1s),
            2);
  EXPECT_EQ(TasksThatKeepBusy(Rules({{.count = 40, .window = 1s},
                                     {.kind = LimitKind::kQuota, .count = 100, .window = 24h}}),
                              150ms),
            16);
}

TEST(TasksThatKeepBusy, AreUnknownWhereTheLimitIs) {
  EXPECT_EQ(TasksThatKeepBusy(Rules({}), 1s), std::nullopt);
  auto adaptive = Rules({{.count = 40, .window = 1s}});
  adaptive.adapt.limit_is_known = false;
  EXPECT_EQ(TasksThatKeepBusy(adaptive, 1s), std::nullopt);
  auto guessed = Rules({{.count = 1, .window = 1s}});
  guessed.told_may_raise = true;
  EXPECT_EQ(TasksThatKeepBusy(guessed, 1s), std::nullopt);
}

TEST(TasksInAll, AreSixteenForEachExecutorOrItsWorkersUnlessTheConfigurationSaysOtherwise) {
  EXPECT_EQ(TasksInAll({}, 0, 4), 16);
  EXPECT_EQ(TasksInAll({}, 3, 4), 48);
  EXPECT_EQ(TasksInAll({}, 3, 24), 72);
  EXPECT_EQ(TasksInAll({.in_all = 5}, 3, 24), 5);
}

TEST(AtOnce, KnowsSomeLanesAndSaysOneNumberForTheOthers) {
  const AtOnce bounds{.lanes = {{"a", 2}}, .other_lane = 7};
  EXPECT_EQ(bounds.Of("a"), 2);
  EXPECT_EQ(bounds.Of("b"), 7);
  EXPECT_EQ(AtOnce{}.Of("b"), std::nullopt);
}

}  // namespace patra::domain::at_once_test
