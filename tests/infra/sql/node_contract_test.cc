// The numbers with which processes make ids.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "infra/sql/node_table.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::node_contract_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class NodeContract : public testing::LedgerTest {};
RUN_ON_EVERY_LEDGER(NodeContract);

TEST_P(NodeContract, ProcessesOnOneStoreMakeDifferentIdsAlsoWhileTheClockStandsStill) {
  constexpr int kProcesses = 16;
  std::set<Id> ids;
  for (int i = 0; i < kProcesses; ++i) {
    const auto process = backend_->Connect(clock_);
    for (int n = 0; n < 100; ++n) ids.insert(process->ids().Next());
  }
  EXPECT_EQ(ids.size(), kProcesses * 100u) << "though each was gone when the next one came";
}

TEST_P(NodeContract, ABeatKeepsTheNumber) {
  clock_.Advance(50min);
  ASSERT_TRUE(ports_->executors().Beat("w", "host", 1));
  clock_.Advance(50min);
  ASSERT_TRUE(ports_->executors().Beat("w", "host", 1));
  const auto leased = clock_.Now().time_since_epoch().count();
  EXPECT_EQ(
      ports_->Count("SELECT count(*) FROM ing_node WHERE leased_until > " + std::to_string(leased)),
      1);
}

TEST_P(NodeContract, WhoeverSleptThroughItsLeaseIsToldThatAnotherHasItsNumber) {
  ports_->Execute("UPDATE ing_node SET owner = 'another'");
  const auto beat = ports_->executors().Beat("w", "host", 1);
  ASSERT_FALSE(beat);
  EXPECT_EQ(beat.error().code, ErrorCode::kLeaseLost);
}

TEST_P(NodeContract, FreshNumbersComeFirstThenTheOneThatIsFreeForLongest) {
  auto& database = ports_->database();
  const auto take = [&](const std::string& owner) {
    return database.Write([&](infra::sql::Session& session) {
      return infra::sql::node_table::Take(session, owner, clock_.Now() + 1h, clock_.Now());
    });
  };
  for (int number = 2; number <= 1023; ++number) EXPECT_EQ(*take("p"), number);
  const auto none = take("late");
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kExhausted);
  EXPECT_THAT(none.error().hint, HasSubstr("free at 2026-01-31T01:00:00Z"));

  ports_->Execute("UPDATE ing_node SET leased_until = 20 WHERE node_no = 7");
  ports_->Execute("UPDATE ing_node SET leased_until = 10 WHERE node_no = 700");
  EXPECT_EQ(*take("late"), 700);
  EXPECT_EQ(*take("later"), 7);
}

}  // namespace patra::node_contract_test
