#include "app/service/duty.h"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::app::duty_test {

using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class EventNames final : public Log {
 public:
  void Write(LogLevel, std::string_view event, const domain::Lineage&,
             const Value::Object&) override {
    names.emplace_back(event);
  }

  std::vector<std::string> names;
};

struct DutyTest : ::testing::Test {
  // Each round takes the next result; there is nothing more to do where none is left.
  Result<bool> Round() {
    ++rounds;
    if (results.empty()) return false;
    auto next = std::move(results.front());
    results.erase(results.begin());
    return next;
  }

  VirtualClock clock{Instant{} + std::chrono::hours(500'000)};
  ServiceHealth health{clock};
  EventNames log;
  StopRequest stop;
  std::vector<Result<bool>> results;
  int rounds = 0;
  Duty duty{
      {.part = "planner", .every = seconds(1), .pause = {.first = seconds(2), .most = seconds(8)}},
      [this] { return Round(); },
      clock,
      health,
      log,
      stop};
  const Error away{ErrorCode::kUnavailable, "the store is away", {}, ""};
};

TEST_F(DutyTest, GoesOnAtOnceWhileThereIsMoreToDo) {
  results = {true, true, false};
  duty.RunIfDue();
  EXPECT_EQ(rounds, 3);
  EXPECT_THAT(log.names, IsEmpty());
}

TEST_F(DutyTest, ARoundThatFailsIsTriedAgainAfterAPauseThatGrows) {
  results = {std::unexpected(away), std::unexpected(away), false};
  duty.RunIfDue();
  clock.SleepFor(seconds(1));
  duty.RunIfDue();
  EXPECT_EQ(rounds, 1) << "the first pause is two seconds";
  clock.SleepFor(seconds(1));
  duty.RunIfDue();
  EXPECT_EQ(rounds, 2);
  clock.SleepFor(seconds(3));
  duty.RunIfDue();
  EXPECT_EQ(rounds, 2) << "the second is four";
  clock.SleepFor(seconds(1));
  duty.RunIfDue();
  EXPECT_EQ(rounds, 3);
}

TEST_F(DutyTest, TroubleIsToldWhenItBeginsAndWhenItEnds) {
  results = {std::unexpected(away), std::unexpected(away), false, false};
  for (int i = 0; i < 4; ++i) {
    duty.RunIfDue();
    clock.SleepFor(seconds(8));
  }
  EXPECT_THAT(log.names, ElementsAre("service.failing", "service.recovered"));
}

TEST_F(DutyTest, WhatFailsIsKnownWithWhenItBegan) {
  results = {std::unexpected(away), std::unexpected(away)};
  const auto began = clock.Now();
  duty.RunIfDue();
  clock.SleepFor(seconds(8));
  duty.RunIfDue();
  const auto parts = health.Parts();
  ASSERT_THAT(parts, SizeIs(1));
  EXPECT_EQ(parts[0].part, "planner");
  EXPECT_EQ(parts[0].error, away);
  EXPECT_EQ(parts[0].failing_since, began);
}

TEST_F(DutyTest, WhatIsWellAgainHasNoErrorAnyMore) {
  results = {std::unexpected(away), false};
  duty.RunIfDue();
  clock.SleepFor(seconds(8));
  duty.RunIfDue();
  EXPECT_EQ(health.Parts()[0].error, std::nullopt);
  EXPECT_EQ(health.Parts()[0].done_at, clock.Now());
}

TEST_F(DutyTest, BeginsNoRoundOnceItWasToldToStop) {
  stop.Ask();
  duty.RunIfDue();
  EXPECT_EQ(rounds, 0);
}

}  // namespace patra::app::duty_test
