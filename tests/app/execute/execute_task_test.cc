#include "app/execute/execute_task.h"

#include <new>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/canonical_json.h"
#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::execute_task_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ExecutingTask : public ExecuteRoom {
 protected:
  Result<app::TaskOutcome> Run() {
    task_.plan_snapshot = CanonicalJson(spec_.ToValue());
    return execute_.Run(task_, on_batch_, on_wait_);
  }
  // Six records on two pages.
  void ServeSix() {
    CountExactly();
    Serve([](const app::HttpRequest& request) {
      return NumberOf(request, "page") == 1 ? PageOf({"a", "b", "c", "d"}, 6)
                                            : PageOf({"e", "f"}, 6);
    });
  }

  app::ExecuteTask execute_{runs_, ids_, holds_, sender_, sources_, clock_, log_, stop_, policy_};
};

TEST_F(ExecutingTask, ASliceWhoseAccountBalancesSucceeds) {
  ServeSix();
  const auto outcome = Run();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, domain::TaskStatus::kSucceeded);
  EXPECT_EQ(outcome->counts.received, 6);
  EXPECT_EQ(outcome->tally.sent.requests, 2);
  ASSERT_THAT(runs_.closed, SizeIs(1));
  EXPECT_EQ(runs_.closed[0].announced, 6);
  EXPECT_EQ(runs_.closed[0].gap, std::nullopt);
}

TEST_F(ExecutingTask, WhatSelfHealingAskedForIsDoneBeforeAnythingIsFetched) {
  ServeSix();
  runs_.opened.request = app::HealRequest{domain::SliceRequest::kReslice, "it is slow"};
  const auto outcome = Run();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->children, 2);
  EXPECT_EQ(outcome->status, domain::TaskStatus::kCancelled) << "it brought nothing itself";
  EXPECT_THAT(transport_.requests, IsEmpty());
}

TEST_F(ExecutingTask, ASliceThatAnEarlierRunReadToItsEndIsOnlyJudged) {
  CountExactly();
  runs_.opened.is_resumed = true;
  runs_.opened.is_at_end = true;
  runs_.opened.so_far = {.received = 6, .inserted = 6};
  runs_.opened.walk.account = {
      .pages = 2, .rows = 6, .records = 6, .total_first = 6, .total = 6, .is_ended = true};
  ASSERT_TRUE(Run());
  EXPECT_THAT(transport_.requests, IsEmpty());
  ASSERT_THAT(runs_.closed, SizeIs(1));
  EXPECT_EQ(runs_.closed[0].status, domain::TaskStatus::kSucceeded);

  runs_.opened.walk.account.total = 7;
  ASSERT_TRUE(Run());
  EXPECT_THAT(runs_.closed, SizeIs(1)) << "one is missing: it is tried again";
  EXPECT_THAT(runs_.given_back, SizeIs(1));
}

TEST_F(ExecutingTask, WhatThereIsNoMemoryForFailsThisRunOnly) {
  ServeSix();
  runs_.on_commit = [](const auto&) { throw std::bad_alloc(); };
  const auto outcome = Run();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->status, domain::TaskStatus::kQueued);
  ASSERT_THAT(runs_.given_back, SizeIs(1));
  EXPECT_THAT(runs_.given_back[0].reason, HasSubstr("out of memory"));
  EXPECT_EQ(runs_.given_back[0].again_at, clock_.Now() + 15s);
}

TEST_F(ExecutingTask, ASnapshotThatCannotBeCompiledIsAnErrorOfItsOwnTask) {
  ServeSix();
  spec_.http.query.push_back({"q", "${lowr(x)}"});
  const auto outcome = Run();
  ASSERT_FALSE(outcome);
  EXPECT_TRUE(app::ExecuteTask::IsOfTask(outcome.error()));
  EXPECT_THAT(outcome.error().Describe(), HasSubstr("the parameter 'q'"));
  EXPECT_THAT(transport_.requests, IsEmpty());
}

TEST_F(ExecutingTask, ATaskThatEndsItsProcessEachTimeIsGivenUp) {
  ServeSix();
  task_.fruitless_claims = 20;
  EXPECT_TRUE(Run());
  task_.fruitless_claims = 21;
  transport_.requests.clear();
  const auto refused = Run();
  ASSERT_FALSE(refused);
  EXPECT_TRUE(app::ExecuteTask::IsOfTask(refused.error()));
  EXPECT_THAT(transport_.requests, IsEmpty());

  const auto given_up = execute_.GiveUp(task_, refused.error(), {});
  ASSERT_TRUE(given_up);
  EXPECT_EQ(given_up->status, domain::TaskStatus::kFailed);
  EXPECT_THAT(runs_.given_up, ElementsAre(HasSubstr("claimed 20 times")));
  EXPECT_TRUE(HasLogged("task.given_up"));
}

TEST_F(ExecutingTask, AStoreThatCannotBeReachedIsNoReasonToGiveATaskUp) {
  const auto is_of_task = [](ErrorCode code) {
    return app::ExecuteTask::IsOfTask(Error{code, "", {}, {}});
  };
  EXPECT_FALSE(is_of_task(ErrorCode::kUnavailable));
  EXPECT_FALSE(is_of_task(ErrorCode::kLeaseLost));
  EXPECT_TRUE(is_of_task(ErrorCode::kDuplicate));
  EXPECT_TRUE(is_of_task(ErrorCode::kCorruption));
  task_.damage = "its slice cannot be read";
  const auto damaged = Run();
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::kCorruption);
}

}  // namespace patra::testing::execute_task_test
