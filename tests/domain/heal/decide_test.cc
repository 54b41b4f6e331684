// A test for each row of the seeds' tables of self-healing.
#include "domain/heal/decide.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::decide_test {

using namespace std::chrono_literals;
using enum HealAction::Kind;
using Kind = HealAction::Kind;

const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// A lane that is well: 100 batches in five minutes.
Observations Healthy() {
  Observations seen{.lane = {"demo", "items", Operation::kHarvest}, .now = kNow};
  seen.batches = 100;
  seen.requests = 100;
  seen.records = 10'000;
  seen.latency = 200ms;
  seen.safety_lag = 10min;
  seen.cursor_lag = 12min;
  seen.plans = {{.plan = 7, .slices = 10}};
  seen.running = {{.task = 9, .no_progress_for = 1min}};
  return seen;
}

std::vector<Kind> KindsOf(const Observations& seen) {
  std::vector<Kind> kinds;
  for (const auto& action : Decide(seen, HealPolicy{})) {
    EXPECT_FALSE(action.reason.empty()) << Code(action.kind);
    kinds.push_back(action.kind);
  }
  return kinds;
}

struct Row {
  const char* name;
  std::function<void(Observations&)> change;
  std::vector<Kind> expected;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class EveryRow : public ::testing::TestWithParam<Row> {};

TEST_P(EveryRow, HasItsActions) {
  auto seen = Healthy();
  GetParam().change(seen);
  EXPECT_THAT(KindsOf(seen), ::testing::UnorderedElementsAreArray(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(
    OfTheTable, EveryRow,
    ::testing::Values(
        Row{"Healthy", [](Observations&) {}, {}},
        Row{"Throttled", [](auto& s) { s.throttled = 6; }, {kSlowDown}},
        Row{"ThrottledAtTheThreshold", [](auto& s) { s.throttled = 5; }, {}},
        Row{"MostlyThrottled", [](auto& s) { s.throttled = 60; }, {kSlowDown, kPausePlanner}},
        Row{"SlowBatches",
            [](auto& s) {
              s.latency = 4s;
              s.can_shrink_page = true;
            },
            {kLowerConcurrency, kShrinkPage}},
        Row{"SlowBatchesOfAFixedSize", [](auto& s) { s.latency = 4s; }, {kLowerConcurrency}},
        Row{"FarFromEstimate",
            [](auto& s) { s.slices = {{.slice = 3, .is_far_from_estimate = true}}; },
            {kReslice}},
        Row{"FailuresInARow", [](auto& s) { s.failures_in_a_row = 3; }, {kOpenCircuit}},
        Row{"WrongRequests", [](auto& s) { s.l2 = 11; }, {kPausePlanner, kHoldCursor}},
        Row{"NamedParameter", [](auto& s) { s.wrong_parameter = "from-date"; }, {kPausePlanner}},
        Row{"AFewBadRecords", [](auto& s) { s.quarantined = 3; }, {}},
        Row{"Fatal", [](auto& s) { s.l4 = 1; }, {kStopSource}},
        Row{"StoreUnderPressure",
            [](auto& s) { s.store_wait = 250ms; },
            {kLowerConcurrency, kPausePlanner}},
        Row{"ErrorRate", [](auto& s) { s.l1 = 3; }, {kRaiseSafetyLag}},
        Row{"CursorStandsStill", [](auto& s) { s.cursor_still_for = 31min; }, {kReview}},
        Row{"CursorIsHeldStill",
            [](auto& s) {
              s.cursor_still_for = 31min;
              s.is_cursor_held = true;
              s.records = 3;
            },
            {}},
        Row{"TooManyQueued", [](auto& s) { s.queued = 100'001; }, {kPausePlanner}},
        Row{"QueueSurges",
            [](auto& s) {
              s.queued = 500;
              s.queued_mean = 100;
              s.queued_deviation = 100;
            },
            {kPausePlanner}},
        Row{"UnconsumedPlan", [](auto& s) { s.plans[0].unconsumed_for = 31min; }, {kWakeExecutors}},
        Row{"BudgetNearlyUsed", [](auto& s) { s.budget_left = 0.09; }, {kSlowDown, kPausePlanner}},
        Row{"SameFailureThreeTimes", [](auto& s) { s.same_l1_in_a_row = 3; }, {kSlowDown}},
        Row{"ManyTransient", [](auto& s) { s.l1 = 31; }, {kHalveRate, kRaiseSafetyLag}},
        Row{"L1_MostBatchesFail",
            [](auto& s) { s.l1 = 51; },
            {kHalveRate, kRaiseSafetyLag, kReview}},
        Row{"WrongSlicesOfAPlan", [](auto& s) { s.plans[0].l2_slices = 3; }, {kMarkPartial}},
        Row{"OneSliceWrongAgainAndAgain",
            [](auto& s) { s.slices = {{.slice = 3, .l2 = 6}}; },
            {kFailSlice}},
        Row{"L2_HitsManySlices", [](auto& s) { s.slices = {{1, 1}, {2, 1}, {3, 1}}; }, {kReview}},
        Row{"PollutedTooLong",
            [](auto& s) { s.polluted_since = kNow - 16min; },
            {kCancelPlan, kStopSource}},
        Row{"LagsWhileFailing",
            [](auto& s) {
              s.l1 = 40;
              s.cursor_lag = 2h;
            },
            {kHalveRate, kRaiseSafetyLag, kSlowDown, kPrepareBackfill}},
        Row{"LagsQuietly", [](auto& s) { s.cursor_lag = 2h; }, {}},
        Row{"PollutionGrows", [](auto& s) { s.quarantined = 600; }, {kHoldCursor}},
        Row{"PollutionOfAFewRecords",
            [](auto& s) {
              s.records = 20;
              s.quarantined = 3;
            },
            {}},
        Row{"PollutionIsOver", [](auto& s) { s.is_cursor_held = true; }, {kReleaseCursor}},
        Row{"PollutionGoesOn",
            [](auto& s) {
              s.is_cursor_held = true;
              s.quarantined = 600;
            },
            {kHoldCursor}},
        Row{"NobodyKnowsYet",
            [](auto& s) {
              s.is_cursor_held = true;
              s.records = 3;
            },
            {}},
        // 002 decision 7
        Row{"NoProgress", [](auto& s) { s.running[0].no_progress_for = 11min; }, {kTakeTaskAway}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Decide, APauseForAQuotaEndsWithItsWindow) {
  Observations seen = Healthy();
  seen.budget_left = 0;
  seen.budget_until = 3min;
  for (const auto& action : Decide(seen, {})) EXPECT_EQ(action.span, 3min) << Code(action.kind);
  seen.budget_until = 10h;
  for (const auto& action : Decide(seen, {})) EXPECT_EQ(action.span, HealPolicy{}.pause);
}

TEST(Decide, WhoHasSpentItsOwnPartOfAQuotaSlowsNobodyDown) {
  Observations seen = Healthy();
  seen.budget_left = 0;
  seen.is_budget_own_part = true;
  const auto actions = Decide(seen, {});
  ASSERT_THAT(actions, ::testing::SizeIs(1));
  EXPECT_EQ(actions[0].kind, HealAction::Kind::kPausePlanner);
}

TEST(Decide, FailuresSpareWhoSharesThePaceAndThrottlingDoesNot) {
  Observations failing = Healthy();
  failing.same_l1_in_a_row = 10;
  for (const auto& action : Decide(failing, {})) EXPECT_TRUE(action.spares_others);
  Observations throttled = Healthy();
  throttled.batches = throttled.requests = 100;
  throttled.throttled = 10;
  const auto actions = Decide(throttled, {});
  ASSERT_FALSE(actions.empty());
  for (const auto& action : actions) EXPECT_FALSE(action.spares_others) << Code(action.kind);
}

TEST(Decide, SaysNothingAboutPartsOfAFew) {
  auto seen = Healthy();
  seen.batches = seen.requests = 4;
  seen.throttled = 2;
  seen.l1 = 2;
  seen.l2 = 1;
  EXPECT_THAT(Decide(seen, HealPolicy{}), ::testing::IsEmpty());
}

TEST(Decide, NeverSlowsDownBelowTheFloor) {
  auto seen = Healthy();
  seen.throttled = 50;
  seen.rate_share = 0.35;
  EXPECT_DOUBLE_EQ(*Decide(seen, HealPolicy{}).front().amount, 0.3);
  seen.rate_share = 1;
  EXPECT_DOUBLE_EQ(*Decide(seen, HealPolicy{}).front().amount, 0.5);
}

TEST(Decide, HalvesWhatCanBeHalvedAndNotMore) {
  auto seen = Healthy();
  seen.latency = 4s;
  seen.can_shrink_page = true;
  seen.page_size = 100;
  seen.executing = 4;
  auto actions = Decide(seen, HealPolicy{});
  ASSERT_EQ(actions.size(), 2U);
  EXPECT_DOUBLE_EQ(*actions[0].amount, 2);
  EXPECT_DOUBLE_EQ(*actions[1].amount, 50);
  seen.page_size = seen.executing = 1;
  actions = Decide(seen, HealPolicy{});
  EXPECT_DOUBLE_EQ(*actions[0].amount, 1);
  EXPECT_DOUBLE_EQ(*actions[1].amount, 1);
}

TEST(Decide, RaisesTheSafetyLagWithinTheDefinitionsBound) {
  auto seen = Healthy();
  seen.l1 = 3;
  EXPECT_EQ(Decide(seen, HealPolicy{}).front().span, 15min);
  seen.safety_lag_max = 12min;
  EXPECT_EQ(Decide(seen, HealPolicy{}).front().span, 12min);
  seen.safety_lag = seen.safety_lag_max = 0s;
  EXPECT_EQ(Decide(seen, HealPolicy{}).front().span, 1min);
}

TEST(Decide, FollowsTheConfiguredThresholds) {
  auto seen = Healthy();
  seen.throttled = 6;
  HealPolicy patient;
  patient.throttled_part_over = 0.5;
  EXPECT_THAT(Decide(seen, patient), ::testing::IsEmpty());
}

TEST(Decide, NamesTheParameterThatIsWrong) {
  auto seen = Healthy();
  seen.wrong_parameter = "from-date";
  const auto actions = Decide(seen, HealPolicy{});
  EXPECT_THAT(actions.front().reason, ::testing::HasSubstr("from-date"));
  EXPECT_FALSE(actions.front().span) << "until a person has corrected it";
  seen.first_error = "the provider refuses 'from-date': HTTP 400";
  EXPECT_EQ(Decide(seen, HealPolicy{}).front().reason, seen.first_error) << "said once";
}

TEST(Decide, LetsWhatAPersonHasToEndGoBeforeAPauseForAWhile) {
  auto seen = Healthy();
  seen.throttled = 60;
  seen.wrong_parameter = "from-date";
  const auto actions = Decide(seen, HealPolicy{});
  const auto pause = std::ranges::find(actions, kPausePlanner, &HealAction::kind);
  ASSERT_NE(pause, actions.end());
  EXPECT_FALSE(pause->span);
  EXPECT_THAT(pause->reason, ::testing::HasSubstr("from-date"));
  EXPECT_EQ(std::ranges::count(actions, kPausePlanner, &HealAction::kind), 1);
}

TEST(Decide, IsJournalledAsJson) {
  auto seen = Healthy();
  seen.running[0].no_progress_for = 11min;
  const auto action = Decide(seen, HealPolicy{}).front();
  EXPECT_EQ(*action.ToValue().Find("action")->AsString(), "TAKE_TASK_AWAY");
  EXPECT_EQ(*action.ToValue().Find("task")->AsString(), "9");
  EXPECT_EQ(*seen.ToValue().Find("batches")->AsInteger(), 100);
}

TEST(HealPolicy, QueuesPausePlanningBeforeItStopsByItself) {
  EXPECT_LT(HealPolicy{}.queued_max, PlanLimits{}.open_tasks_max);
}

}  // namespace patra::domain::decide_test
