#include "tests/simulation/fleet_model.h"

#include <gtest/gtest.h>

namespace patra::testing::fleet_model_test {

// Where nothing but the providers decides.
Fleet Easy() {
  return {
      .machines = 4, .workers = 8, .sources = 20, .rate = 1, .latency = 0.2, .pages_of_task = 5};
}

TEST(FleetModel, EveryPageIsCommittedOnceOrStillThere) {
  const auto done = Play(Easy(), {}, 3'003, 1e6);
  EXPECT_EQ(done.pages, 3'003);
  EXPECT_EQ(done.fetched, 3'003);
  EXPECT_EQ(done.left, 0);
  EXPECT_EQ(done.tasks, 20 * 30 + 3) << "150 pages make 30 tasks, one page more makes another";
}

TEST(FleetModel, WhatTimeDoesNotSufficeForIsLeft) {
  const auto cut = Play(Easy(), {}, 100'000, 60);
  EXPECT_EQ(cut.fetched + cut.left, 100'000);
  EXPECT_LE(cut.pages, cut.fetched);
  EXPECT_GE(cut.pages, cut.fetched - 4 * 8)
      << "a worker has one page at most that is not committed";
}

TEST(FleetModel, ProvidersAreAskedAsOftenAsTheyAllowAndNoMore) {
  const auto report = Play(Easy(), {}, 100'000, 300);
  EXPECT_LE(report.pages_a_second(), 20.1);
  EXPECT_GE(report.pages_a_second(), 18.5);
  EXPECT_EQ(report.busiest().name, "providers' limits");
}

TEST(FleetModel, MoreOfWhatIsShortHelpsAndMoreOfTheRestDoesNot) {
  auto fleet = Easy();
  fleet.rate = 50;  // a thousand a second: far more than a core can store
  fleet.workers = 32;
  fleet.pages_of_task = 50;
  fleet.cores = 1;
  const auto short_of_cores = Play(fleet, {}, 1'000'000, 60);
  EXPECT_EQ(short_of_cores.busiest().name, "server cores");
  EXPECT_GE(short_of_cores.busiest().busy, 0.9);
  auto more = fleet;
  more.machines = 40;
  EXPECT_LE(Play(more, {}, 1'000'000, 60).pages_a_second(), short_of_cores.pages_a_second() * 1.1);
  more = fleet;
  more.cores = 2;
  EXPECT_GE(Play(more, {}, 1'000'000, 60).pages_a_second(), short_of_cores.pages_a_second() * 1.7);
}

TEST(FleetModel, ClaimsThatTakeLongerThanTheirTasksEndTheQueueFirst) {
  auto fleet = Easy();
  fleet.machines = 40;
  fleet.sources = 400;
  fleet.pages_of_task = 1;
  const auto report = Play(fleet, {}, 1'000'000, 60);
  EXPECT_EQ(report.busiest().name, "queue lock");
  EXPECT_GE(report.part("queue lock").busy, 0.99);
  auto spread = fleet;
  spread.databases = 4;
  EXPECT_GE(Play(spread, {}, 1'000'000, 60).tasks, report.tasks * 4);
}

TEST(FleetModel, ARedisThatEverybodyAsksBoundsThePermits) {
  auto fleet = Easy();
  fleet.rate = 50;
  fleet.cores = 64;
  const auto report = Play(fleet, {.permit = 0.01}, 1'000'000, 60);
  EXPECT_EQ(report.busiest().name, "Redis");
  EXPECT_LE(report.pages_a_second(), 101);
}

}  // namespace patra::testing::fleet_model_test
