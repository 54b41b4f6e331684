// Every store's sessions tell how long their statements took.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "infra/sql/slow_statements.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::slow_statements_contract_test {

using infra::sql::SlowStatement;
using infra::sql::SlowStatements;
using ::testing::HasSubstr;
using ::testing::Not;

class SlowStatementsContract : public testing::LedgerTest {};
RUN_ON_EVERY_LEDGER(SlowStatementsContract);

TEST_P(SlowStatementsContract, WhatTakesLongIsToldByItsTextAndNotByItsValues) {
  std::vector<std::string> told;
  SlowStatements slow(Duration(0), clock_,
                      [&](const SlowStatement& one) { told.push_back(one.statement); });
  const auto asked = ports_->database().Read([&](infra::sql::Session& session) -> Result<void> {
    session.WatchBy(&slow);
    auto asking = session.Integer("SELECT count(*) FROM ing_plan WHERE plan_key = :plan_key",
                                  {{"plan_key", "ann@example.org"}});
    session.WatchBy(nullptr);  // others use it next
    if (!asking) return std::unexpected(asking.error());
    return {};
  });
  ASSERT_TRUE(asked) << asked.error().Describe();
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0], HasSubstr("FROM ing_plan WHERE plan_key ="));
  EXPECT_THAT(told[0], Not(HasSubstr("ann")));
}

TEST_P(SlowStatementsContract, QuickOnesAreNot) {
  std::vector<std::string> told;
  SlowStatements slow(std::chrono::hours(1), clock_,
                      [&](const SlowStatement& one) { told.push_back(one.statement); });
  const auto asked = ports_->database().Read([&](infra::sql::Session& session) -> Result<void> {
    session.WatchBy(&slow);
    const auto asking = session.Integer("SELECT count(*) FROM ing_plan");
    session.WatchBy(nullptr);
    if (!asking) return std::unexpected(asking.error());
    return {};
  });
  ASSERT_TRUE(asked);
  EXPECT_TRUE(told.empty());
}

}  // namespace patra::slow_statements_contract_test
