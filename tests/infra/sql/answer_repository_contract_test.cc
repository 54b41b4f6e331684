// What every store must remember of answers to requests that come again.
#include <atomic>
#include <thread>

#include "tests/infra/sql/every_ledger.h"

namespace patra::answer_repository_contract_test {

using testing::kHour;

class AnswerRepositoryContract : public testing::LedgerTest {
 protected:
  app::AnswerRepository& answers() { return ports_->store().answers(); }
  Instant LastDay() { return clock_.Now() - 24 * kHour; }
};
RUN_ON_EVERY_LEDGER(AnswerRepositoryContract);

TEST_P(AnswerRepositoryContract, OneThatBeginsIsUnderWayUntilItIsFinished) {
  EXPECT_FALSE(*answers().Begin("key", "request", LastDay()));
  const auto under_way = *answers().Begin("key", "other", LastDay());
  ASSERT_TRUE(under_way);
  EXPECT_EQ(under_way->request_hash, "request");
  EXPECT_FALSE(under_way->status);
  ASSERT_TRUE(answers().Finish("key", 201, "{\"a\":\"ä\"}"));
  const auto done = *answers().Begin("key", "request", LastDay());
  EXPECT_EQ(done->status, 201);
  EXPECT_EQ(done->body, "{\"a\":\"ä\"}");
  EXPECT_EQ(*answers().Count(10), 1);
  EXPECT_EQ(*answers().Count(0), 0);
}

TEST_P(AnswerRepositoryContract, OneThatIsForgottenHasNeverBegun) {
  EXPECT_FALSE(*answers().Begin("key", "request", LastDay()));
  ASSERT_TRUE(answers().Forget("key"));
  EXPECT_FALSE(*answers().Begin("key", "other", LastDay()));
}

TEST_P(AnswerRepositoryContract, OldOnesGoAway) {
  EXPECT_FALSE(*answers().Begin("old", "request", LastDay()));
  clock_.Advance(25 * kHour);
  EXPECT_FALSE(*answers().Begin("new", "request", LastDay()));
  EXPECT_EQ(*answers().Count(10), 1);
  EXPECT_FALSE(*answers().Begin("old", "request", LastDay()));
}

TEST_P(AnswerRepositoryContract, OfSeveralAtOnceOneBegins) {
  std::atomic<int> begun = 0, told = 0, refused = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        const auto found = answers().Begin("key", "request", LastDay());
        if (!found) {
          ++refused;
        } else {
          ++(*found ? told : begun);
        }
      });
    }
  }
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(told, 7);
  EXPECT_EQ(refused, 0);
}

}  // namespace patra::answer_repository_contract_test
