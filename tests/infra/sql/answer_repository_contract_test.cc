// What every store must remember of answers to requests that come again.
#include <atomic>
#include <thread>

#include "tests/infra/sql/every_ledger.h"

namespace patra::answer_repository_contract_test {

using namespace std::chrono_literals;
using testing::kHour;

class AnswerRepositoryContract : public testing::LedgerTest {
 protected:
  app::AnswerRepository& answers() { return ports_->store().answers(); }
  Result<app::AnswerBegun> Begin(const std::string& key, const std::string& request,
                                 const std::string& owner = "w") {
    return answers().Begin(
        {.key_hash = key, .request_hash = request, .owner = owner, .until = clock_.Now() + 2min},
        clock_.Now() - 24 * kHour);
  }
};
RUN_ON_EVERY_LEDGER(AnswerRepositoryContract);

TEST_P(AnswerRepositoryContract, OneThatBeginsIsUnderWayUntilItIsFinished) {
  EXPECT_FALSE(Begin("key", "request")->before);
  const auto under_way = Begin("key", "other")->before;
  ASSERT_TRUE(under_way);
  EXPECT_EQ(under_way->request_hash, "request");
  EXPECT_FALSE(under_way->status);
  ASSERT_TRUE(answers().Finish("key", "w", 201, "{\"a\":\"ä\"}"));
  const auto done = Begin("key", "request")->before;
  EXPECT_EQ(done->status, 201);
  EXPECT_EQ(done->body, "{\"a\":\"ä\"}");
  EXPECT_EQ(*answers().Count(10), 1);
  EXPECT_EQ(*answers().Count(0), 0);
}

TEST_P(AnswerRepositoryContract, OneThatIsForgottenHasNeverBegun) {
  EXPECT_FALSE(Begin("key", "request")->before);
  ASSERT_TRUE(answers().Forget("key", "somebody else"));
  EXPECT_TRUE(Begin("key", "other")->before);
  ASSERT_TRUE(answers().Forget("key", "w"));
  EXPECT_FALSE(Begin("key", "other")->before);
}

TEST_P(AnswerRepositoryContract, OneWhoseOwnerIsNotHeardOfAnyMoreIsTakenOverOnce) {
  EXPECT_FALSE(Begin("key", "request", "first")->before);
  clock_.Advance(90s);
  ASSERT_TRUE(answers().KeepAlive("key", "first", clock_.Now() + 2min));
  clock_.Advance(90s);
  EXPECT_TRUE(Begin("key", "request", "second")->before) << "it was heard of";
  clock_.Advance(31s);
  EXPECT_TRUE(Begin("key", "other", "second")->before) << "another request has no right to it";
  const auto taken = Begin("key", "request", "second");
  EXPECT_FALSE(taken->before);
  EXPECT_TRUE(taken->is_taken_over);
  EXPECT_TRUE(Begin("key", "request", "third")->before) << "the second has it for a while";
  ASSERT_TRUE(answers().KeepAlive("key", "first", clock_.Now() + 48 * kHour));
  ASSERT_TRUE(answers().Finish("key", "first", 500, "too late"));
  ASSERT_TRUE(answers().Finish("key", "second", 200, "in time"));
  clock_.Advance(kHour);
  EXPECT_EQ(Begin("key", "request", "third")->before->body, "in time") << "what is done stays";
}

TEST_P(AnswerRepositoryContract, WhatAnOlderProgramBeganIsTakenOverAfterAnHour) {
  EXPECT_FALSE(Begin("key", "request", "old")->before);
  ports_->Execute("UPDATE ing_api_answer SET owner = NULL, leased_until = NULL");
  clock_.Advance(59min);
  EXPECT_TRUE(Begin("key", "request", "new")->before);
  clock_.Advance(2min);
  EXPECT_TRUE(Begin("key", "request", "new")->is_taken_over);
}

TEST_P(AnswerRepositoryContract, OldOnesGoAway) {
  EXPECT_FALSE(Begin("old", "request")->before);
  clock_.Advance(25 * kHour);
  EXPECT_FALSE(Begin("new", "request")->before);
  EXPECT_EQ(*answers().Count(10), 1);
  EXPECT_FALSE(Begin("old", "request")->before);
}

TEST_P(AnswerRepositoryContract, OfSeveralAtOnceOneBegins) {
  std::atomic<int> begun = 0, told = 0, refused = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i) {
      threads.emplace_back([&] {
        const auto found = Begin("key", "request");
        if (!found) {
          ++refused;
        } else {
          ++(found->before ? told : begun);
        }
      });
    }
  }
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(told, 7);
  EXPECT_EQ(refused, 0);
}

}  // namespace patra::answer_repository_contract_test
