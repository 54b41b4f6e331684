#include "domain/schedule/judge_execution.h"

#include <gmock/gmock.h>

namespace patra::domain::judge_execution_test {

using namespace std::chrono_literals;
using Kind = ExecutionVerdict::Kind;
using ::testing::HasSubstr;

const Instant kNow = *ParseRfc3339("2026-01-01T12:00:00Z");

UnfinishedSlice Failed(const std::string& reason, std::optional<Instant> provable_to = {}) {
  return {.plan = 1,
          .window = *Window::Between(kNow - 24h, kNow),
          .reason = reason,
          .provable_to = provable_to,
          .has_failed = !provable_to};
}

// One plan that goes on, which a planner was at a minute ago.
ExecutionSeen Working() {
  return {.plans = {{.id = 1, .has_open_slices = true}}, .planned_at = kNow - 1min};
}

TEST(Execution, IsASuccessWhenItsPlansAreComplete) {
  ExecutionSeen seen{.plans = {{.id = 1, .status = PlanStatus::kCompleted},
                               {.id = 2, .status = PlanStatus::kCompleted}}};
  EXPECT_EQ(Judge(seen, kNow).kind, Kind::kSucceeded);
  seen.plans[1] = {.id = 2, .has_open_slices = true, .progress_at = kNow};
  EXPECT_EQ(Judge(seen, kNow).kind, Kind::kGoesOn);
}

TEST(Execution, ThatHasNoPlanProvesNothing) { EXPECT_EQ(Judge({}, kNow).kind, Kind::kFailed); }

TEST(Execution, SaysWhatIsMissing) {
  ExecutionSeen seen{.plans = {{.id = 1, .unfinished = {Failed("HTTP 500"), Failed("timeout")}}}};
  const auto verdict = Judge(seen, kNow);
  EXPECT_EQ(verdict.kind, Kind::kFailed);
  EXPECT_THAT(verdict.reason, HasSubstr("2 slices of plan 1 not complete"));
  EXPECT_THAT(verdict.reason, HasSubstr("HTTP 500"));
}

TEST(Execution, FailsOnlyWhenAllOfItsPlansAreOver) {
  ExecutionSeen seen{.plans = {{.id = 1, .unfinished = {Failed("HTTP 500")}},
                               {.id = 2, .has_open_slices = true, .progress_at = kNow}},
                     .planned_at = kNow};
  EXPECT_EQ(Judge(seen, kNow).kind, Kind::kGoesOn);
  seen.plans[1] = {.id = 2, .status = PlanStatus::kCompleted};
  EXPECT_EQ(Judge(seen, kNow).kind, Kind::kFailed);
}

TEST(Execution, IsASuccessWhereTheRestCannotBeThereYet) {
  const ExecutionSeen seen{.plans = {{.id = 1, .unfinished = {Failed("early", kNow)}}}};
  const auto verdict = Judge(seen, kNow);
  EXPECT_EQ(verdict.kind, Kind::kSucceeded);
  EXPECT_THAT(verdict.reason, HasSubstr("the next firing asks for the rest"));
}

TEST(Execution, OfAWithdrawnPlanHasFailed) {
  for (const auto status : {PlanStatus::kCancelled, PlanStatus::kFailed}) {
    const ExecutionSeen seen{.plans = {{.id = 1, .status = status}}};
    EXPECT_EQ(Judge(seen, kNow).kind, Kind::kFailed);
  }
}

TEST(Execution, WaitsForTheRestOfItsPlanUnlessTheNextFiringTakesIt) {
  ExecutionSeen seen{.plans = {{.id = 1,
                                .status = PlanStatus::kPartial,
                                .is_wholly_cut = false,
                                .stopped = "1,000 requests are planned"}},
                     .planned_at = kNow};
  EXPECT_EQ(Judge(seen, kNow).kind, Kind::kGoesOn);
  seen.takes_rest = false;
  const auto verdict = Judge(seen, kNow);
  EXPECT_EQ(verdict.kind, Kind::kSucceeded);
  EXPECT_THAT(verdict.reason, HasSubstr("waits for the next firing: 1,000 requests"));
  seen.plans[0].unfinished = {Failed("HTTP 500")};
  EXPECT_EQ(Judge(seen, kNow).kind, Kind::kFailed);
}

TEST(Execution, ThatNobodyWorksAtForLongIsDead) {
  auto seen = Working();
  EXPECT_EQ(Judge(seen, kNow).kind, Kind::kGoesOn);
  seen.planned_at = kNow - 11min;
  const auto verdict = Judge(seen, kNow);
  EXPECT_EQ(verdict.kind, Kind::kFailed);
  EXPECT_EQ(verdict.reason, "nobody works at it: no progress for 11m, and no executor is alive");
}

TEST(Execution, IsNotDeadWhileSomethingStillMayHappen) {
  const auto lives = [](auto change) {
    auto seen = Working();
    seen.planned_at = kNow - 11min;
    change(seen);
    return Judge(seen, kNow).kind == Kind::kGoesOn;
  };
  EXPECT_TRUE(lives([](auto& seen) { seen.plans[0].progress_at = kNow - 9min; }));
  EXPECT_TRUE(lives([](auto& seen) { seen.plans[0].is_leased = true; }));
  EXPECT_TRUE(lives([](auto& seen) { seen.plans[0].waits_until = kNow + 24h; }));
  EXPECT_TRUE(lives([](auto& seen) { seen.executors_alive = true; }));
  EXPECT_FALSE(lives([](auto& seen) { seen.plans[0].waits_until = kNow - 1min; }));
  EXPECT_FALSE(lives([](auto& seen) {
    seen.executors_alive = true;
    seen.held = "demo is stopped: its key is refused";
  })) << "no time that passes helps";
  EXPECT_FALSE(lives([](auto& seen) {
    seen.executors_alive = true;
    seen.plans[0] = {.id = 1, .status = PlanStatus::kSlicing, .is_wholly_cut = false};
  })) << "its planner died";
}

}  // namespace patra::domain::judge_execution_test
