#include "domain/task/fair_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::fair_choice_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

QueuedTask Task(Id id, int priority = 5) {
  return {id, priority, Instant(std::chrono::seconds(id))};
}

TEST(ChooseFairly, ServesTheMoreUrgentLaneFirst) {
  const std::vector<LaneBacklog> backlogs{{"a", 0, 0, {Task(1, 7), Task(2, 7)}},
                                          {"b", 0, 0, {Task(3, 3)}}};
  EXPECT_THAT(ChooseFairly(backlogs, {.tasks_max = 2}), ElementsAre(3, 1));
}

TEST(ChooseFairly, TakesTurnsBetweenEquallyUrgentLanes) {
  const std::vector<LaneBacklog> backlogs{{"a", 0, 0, {Task(1), Task(2), Task(3)}},
                                          {"b", 0, 0, {Task(4), Task(5)}}};
  EXPECT_THAT(ChooseFairly(backlogs, {.tasks_max = 4}), ElementsAre(1, 4, 2, 5));
}

TEST(ChooseFairly, ALaneThatRunsMuchWaitsForOneThatRunsNothing) {
  const std::vector<LaneBacklog> backlogs{{"a", 3, 3, {Task(1)}}, {"b", 0, 0, {Task(4), Task(5)}}};
  EXPECT_THAT(ChooseFairly(backlogs, {.tasks_max = 2}), ElementsAre(4, 5));
}

TEST(ChooseFairly, NeverExceedsAnyLimit) {
  const std::vector<LaneBacklog> backlogs{{"a", 3, 1, {Task(1), Task(2)}},
                                          {"b", 0, 0, {Task(4), Task(5), Task(6)}}};
  EXPECT_THAT(ChooseFairly(backlogs, {.tasks_max = 10, .running_per_lane_max = 2}),
              ElementsAre(4, 5, 1))
      << "what others run decides who is next, and not how many";
  EXPECT_THAT(ChooseFairly(backlogs, {.tasks_max = 1, .running_per_lane_max = 2}), ElementsAre(4));
  EXPECT_THAT(ChooseFairly(backlogs, {.tasks_max = 0}), IsEmpty());
  EXPECT_THAT(ChooseFairly({}, {.tasks_max = 10}), IsEmpty());
}

TEST(ChooseFairly, WhatTheStoreBoundsCountsWhoeverRunsIt) {
  const std::vector<LaneBacklog> backlogs{{"a", 3, 1, {Task(1), Task(2)}},
                                          {"b", 0, 0, {Task(4), Task(5), Task(6)}}};
  const FairnessLimits limits{.tasks_max = 10, .running_per_lane_max = 10, .running_in_all = 5};
  auto lane = limits;
  lane.at_once = {.lanes = {{"a", 4}}, .other_lane = 2};
  EXPECT_THAT(ChooseFairly(backlogs, lane), ElementsAre(4, 5, 1));
  auto all = limits;
  all.at_once.in_all = 7;
  EXPECT_THAT(ChooseFairly(backlogs, all), ElementsAre(4, 5));
  all.at_once.in_all = 4;
  EXPECT_THAT(ChooseFairly(backlogs, all), IsEmpty());
}

}  // namespace patra::domain::fair_choice_test
