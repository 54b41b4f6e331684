// What every repository of executors must do.
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::executor_repository_contract_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::SizeIs;

class ExecutorRepositoryContract : public testing::LedgerTest {};
RUN_ON_EVERY_LEDGER(ExecutorRepositoryContract);

TEST_P(ExecutorRepositoryContract, ABeatKeepsTheStartAndRenewsTheRest) {
  auto& executors = ports_->executors();
  const auto start = clock_.Now();
  ASSERT_TRUE(executors.Beat("one", "host", 1));
  clock_.Advance(10s);
  ASSERT_TRUE(executors.Beat("one", "host", 3));
  const auto alive = *executors.Alive(30s);
  ASSERT_THAT(alive, SizeIs(1));
  EXPECT_EQ(alive[0].started_at, start);
  EXPECT_EQ(alive[0].last_seen_at, start + 10s);
  EXPECT_EQ(alive[0].tasks, 3);
}

TEST_P(ExecutorRepositoryContract, WhoIsSilentForTooLongIsNotAliveAndIsForgottenLater) {
  auto& executors = ports_->executors();
  ASSERT_TRUE(executors.Beat("dead", "host", 1));
  clock_.Advance(60s);
  ASSERT_TRUE(executors.Beat("alive", "host", 1));
  EXPECT_THAT(*executors.Alive(30s), ElementsAre(Field(&app::Executor::owner, "alive")));
  EXPECT_THAT(*executors.Alive(2min), SizeIs(2));
  EXPECT_EQ(*executors.Forget(30s), 1);
  EXPECT_THAT(*executors.Alive(2min), SizeIs(1));
}

TEST_P(ExecutorRepositoryContract, WhoLeavesIsGoneAtOnce) {
  auto& executors = ports_->executors();
  ASSERT_TRUE(executors.Beat("one", "host", 1));
  ASSERT_TRUE(executors.Leave("one"));
  EXPECT_THAT(*executors.Alive(30s), SizeIs(0));
}

}  // namespace patra::executor_repository_contract_test
