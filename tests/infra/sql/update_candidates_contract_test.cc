// Which records have to be fetched again, as every store must tell it.
#include "tests/infra/sql/every_ledger.h"

namespace patra::update_candidates_contract_test {

using namespace std::chrono_literals;
using testing::kStart;

class UpdateCandidatesContract : public testing::LedgerTest {
 protected:
  // One batch of a plan of its own with that prototype.
  void Store(domain::Operation operation, const std::string& prototype,
             std::vector<domain::Record> records, std::vector<domain::BadRecord> bad = {}) {
    const auto hour = next_hour_++;
    auto plan = Draft(hour, hour + 1, "demo", operation);
    plan.expr_proto_hash = prototype;
    ASSERT_TRUE(ports_->plans().AddIfAbsent(plan));
    ASSERT_TRUE(ports_->plans().Move(plan.id, domain::PlanStatus::kSlicing));
    ASSERT_TRUE(ports_->plans().AddSlices(plan, Cut(plan), plan.window.to()));
    const auto task = Claim(1).at(0);
    const auto run = ports_->runs().Open(task, kFirstPage);
    auto batch = BatchOf(task, *run, std::move(records));
    batch.bad_records = std::move(bad);
    if (operation == domain::Operation::kUpdate) {
      for (const auto& record : batch.records) batch.answered_ids.push_back(record.id);
      for (const auto& record : batch.bad_records) batch.answered_ids.push_back(*record.id);
    }
    const auto committed = ports_->runs().Commit(batch);
    ASSERT_TRUE(committed) << committed.error().Describe();
    ASSERT_TRUE(ports_->runs().Close({.task = task, .lineage = run->lineage}));
    clock_.Advance(1min);
  }

  std::vector<std::string> Changed(const std::string& prototype) {
    const std::vector<std::string> prototypes{prototype};
    return ports_->candidates()
        .OfOtherPrototypes({"demo", "items", domain::Operation::kUpdate}, prototypes, "", 10)
        .value_or(std::vector<std::string>{"unreadable"});
  }

  std::vector<std::string> Stale(Instant before) {
    return ports_->candidates()
        .Stale({"demo", "items", domain::Operation::kUpdate}, before, "", 10)
        .value_or(std::vector<std::string>{"unreadable"});
  }

 private:
  int next_hour_ = 0;
};
RUN_ON_EVERY_LEDGER(UpdateCandidatesContract);

using Ids = std::vector<std::string>;
constexpr auto kHarvest = domain::Operation::kHarvest;
constexpr auto kUpdate = domain::Operation::kUpdate;

TEST_P(UpdateCandidatesContract, ARecordIsAskedForOnceWhateverComesOfIt) {
  Store(kHarvest, "old",
        {RecordOf("newer", kStart), RecordOf("older", kStart + 2h), RecordOf("same", kStart),
         RecordOf("unreadable", kStart), RecordOf("unasked", kStart)});
  EXPECT_EQ(Changed("new"), (Ids{"newer", "older", "same", "unasked", "unreadable"}));
  const auto before = clock_.Now();
  Store(kUpdate, "new",
        {RecordOf("newer", kStart + 1h, "N"), RecordOf("older", kStart + 1h, "O"),
         RecordOf("same", kStart)},
        {{.id = "unreadable", .path = "$", .rule = "type", .reason = "r", .bytes = "{}"}});
  EXPECT_EQ(Changed("new"), Ids{"unasked"});
  EXPECT_EQ(Stale(before), Ids{"unasked"});
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_item WHERE provider_item_id IN ('older', "
                          "'unreadable') AND fields LIKE '%\"T\"%'"),
            2)
      << "what is stored stays";
}

TEST_P(UpdateCandidatesContract, ALaterDefinitionAsksAgain) {
  Store(kHarvest, "old", {RecordOf("a", kStart + 2h)});
  Store(kUpdate, "new", {RecordOf("a", kStart + 1h, "O")});
  EXPECT_EQ(Changed("newest"), Ids{"a"});
  EXPECT_EQ(Changed("new"), Ids{});
  EXPECT_EQ(Changed("old"), Ids{}) << "which wrote it";
}

// A plan that was made before the definition changed may still be at work.
TEST_P(UpdateCandidatesContract, WhatAnOlderPlanWritesAfterTheLookIsAskedForAgain) {
  Store(kHarvest, "old", {RecordOf("a", kStart + 2h)});
  Store(kUpdate, "new", {RecordOf("a", kStart + 1h, "O")});
  Store(kHarvest, "old", {RecordOf("a", kStart + 3h, "P")});
  EXPECT_EQ(Changed("new"), Ids{"a"});
}

}  // namespace patra::update_candidates_contract_test
