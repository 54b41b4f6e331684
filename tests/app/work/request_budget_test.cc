#include "app/work/request_budget.h"

#include <vector>

#include <gtest/gtest.h>

namespace patra::app::request_budget_test {

TEST(RequestBudget, GivesAShareForEachRequestThatIsLeftAndTakesItBack) {
  RequestBudget budget(3);
  auto first = budget.Take();
  auto second = budget.Take();
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
  EXPECT_FALSE(budget.Note(1)) << "two runs have sent one request so far";
  EXPECT_FALSE(budget.Take()) << "what is left is theirs";
  first.reset();
  EXPECT_TRUE(budget.Take());
}

TEST(RequestBudget, IsSpentWithItsLastRequest) {
  RequestBudget budget(3);
  EXPECT_FALSE(budget.is_spent());
  EXPECT_TRUE(budget.Note(3));
  EXPECT_TRUE(budget.is_spent());
  EXPECT_FALSE(budget.Take());
}

TEST(RequestBudget, HasNoEndWhereNobodySaysOne) {
  RequestBudget budget(std::nullopt);
  std::vector<RequestBudget::Share> shares;
  for (int i = 0; i < 100; ++i) shares.push_back(budget.Take());
  EXPECT_TRUE(shares.back());
  EXPECT_FALSE(budget.Note(1'000'000));
}

}  // namespace patra::app::request_budget_test
