// What every outbox must do.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::outbox_repository_contract_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class OutboxRepositoryContract : public testing::LedgerTest {
 protected:
  void Send(const std::vector<std::string>& partition_keys) {
    for (const auto& key : partition_keys) {
      const auto number = sent_++;
      ports_->Execute(fmt::format(
          "INSERT INTO ing_outbox_message (id, aggregate_type, aggregate_id, channel, op_type, "
          "partition_key, dedup_key, payload_json, not_before, created_at) "
          "VALUES ({0}, 'BATCH', 1, 'items', 'ITEM_UPDATED', '{1}', '{2}', '{{}}', {3}, {3})",
          1'000 + number, key, number, clock_.Now().time_since_epoch().count()));
    }
  }

  std::vector<app::LeasedMessage> Lease(const std::string& owner = "relay", int max = 100) {
    return *ports_->outbox().Lease(
        {.channel = "items", .owner = owner, .messages_max = max, .lease = 30s});
  }

  static std::vector<std::string> Keys(const std::vector<app::LeasedMessage>& messages) {
    std::vector<std::string> keys;
    for (const auto& message : messages) keys.push_back(message.message.dedup_key);
    return keys;
  }

 private:
  int sent_ = 0;
};
RUN_ON_EVERY_LEDGER(OutboxRepositoryContract);

TEST_P(OutboxRepositoryContract, AMessageIsLeasedByOneRelayAtATime) {
  Send({"a", "b"});
  EXPECT_THAT(Keys(Lease("one")), ElementsAre("0", "1"));
  EXPECT_THAT(Lease("two"), IsEmpty());
}

TEST_P(OutboxRepositoryContract, MessagesOfOneKeyLeaveInTheirOrder) {
  Send({"a", "a", "b"});
  auto leased = Lease();
  EXPECT_THAT(Keys(leased), ElementsAre("0", "2"));
  ASSERT_TRUE(ports_->outbox().Published(leased[0], "relay"));
  EXPECT_THAT(Keys(Lease()), ElementsAre("1"));
}

TEST_P(OutboxRepositoryContract, WhatARelayDiedWithIsSentAgainAndItsLateMarkIsRefused) {
  Send({"a"});
  const auto dead = Lease("dead");
  clock_.Advance(31s);
  const auto again = Lease("alive");
  ASSERT_THAT(again, SizeIs(1));
  EXPECT_EQ(again[0].attempts, 1);
  EXPECT_EQ(ports_->outbox().Published(dead[0], "dead").error().code, ErrorCode::kLeaseLost);
  EXPECT_TRUE(ports_->outbox().Published(again[0], "alive"));
  EXPECT_EQ(ports_->Count(
                "SELECT count(*) FROM ing_outbox_relay_log WHERE relay_status = 'LEASE_MISSED'"),
            1);
}

TEST_P(OutboxRepositoryContract, AFailedMessageWaitsAndHoldsBackOnlyItsOwnKey) {
  Send({"a", "a", "b"});
  const auto leased = Lease();
  ASSERT_TRUE(ports_->outbox().Failed(leased[0], "relay", "503", clock_.Now() + 60s));
  ASSERT_TRUE(ports_->outbox().Published(leased[1], "relay"));
  Send({"b"});
  const auto others = Lease();
  EXPECT_THAT(Keys(others), ElementsAre("3"));
  ASSERT_TRUE(ports_->outbox().Published(others[0], "relay"));
  clock_.Advance(61s);
  EXPECT_THAT(Keys(Lease()), ElementsAre("0"));
}

// However many stand behind a stubborn message, another key's are reached.
TEST_P(OutboxRepositoryContract, AStubbornMessageDoesNotHideOthersBehindIt) {
  Send(std::vector<std::string>(50, "a"));
  ASSERT_TRUE(ports_->outbox().Failed(Lease("relay", 1)[0], "relay", "503", clock_.Now() + 60s));
  Send({"b"});
  std::vector<std::string> reached;
  for (int turn = 0; turn < 20 && reached.empty(); ++turn) reached = Keys(Lease("relay", 1));
  EXPECT_THAT(reached, ElementsAre("50"));
}

TEST_P(OutboxRepositoryContract, ADeadMessageLetsTheNextOnesGoAndCanBeQueuedAgain) {
  Send({"a", "a"});
  ASSERT_TRUE(ports_->outbox().Failed(Lease()[0], "relay", "400", std::nullopt));
  EXPECT_THAT(Keys(Lease()), ElementsAre("1"));
  const auto dead = *ports_->outbox().List({.channel = "items", .dead = true});
  ASSERT_THAT(dead, SizeIs(1));
  EXPECT_EQ(dead[0].error, "400");
  const app::Decision anna{{"anna"}, "fixed"};
  ASSERT_TRUE(ports_->outbox().Requeue(dead[0].id, anna));
  EXPECT_EQ(ports_->outbox().Requeue(dead[0].id, anna).error().code, ErrorCode::kConflict);
  EXPECT_THAT(*ports_->outbox().List({.channel = "items"}), SizeIs(1));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE object_type = 'OUTBOX'"), 1);
}

}  // namespace patra::outbox_repository_contract_test
