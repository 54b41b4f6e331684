// What every store must do for those who follow its records: tell every change once, in the order of commits, whoever
// committed and wherever one goes on.
#include <algorithm>
#include <thread>

#include <fmt/format.h>

#include "base/random.h"
#include "tests/infra/sql/every_ledger.h"

namespace patra::change_queries_contract_test {

using testing::kStart;

class ChangeQueriesContract : public testing::LedgerTest {
 protected:
  // One batch in a task of its own.
  void Store(const std::vector<domain::Record>& records, const std::string& source = "demo") {
    const auto hour = next_hour_++;
    Planned(hour, hour + 1, source);
    const auto task = Claim(1).at(0);
    const auto run = ports_->runs().Open(task, kFirstPage);
    ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, *run, records)));
  }

  domain::Record Deleted(const std::string& id, int hour) {
    auto record = RecordOf(id, kStart + hour * testing::kHour);
    record.version.deleted = true;
    return record;
  }
  domain::Record At(const std::string& id, int hour) {
    return RecordOf(id, kStart + hour * testing::kHour, fmt::format("title {}", hour));
  }

  void Number() { ASSERT_TRUE(ports_->outbox().NumberChanges(1'000)); }
  Result<contract::ChangePage> After(const contract::ChangePlace& place, int changes_max,
                                     const contract::ChangeFilter& filter = {}) {
    return ports_->read().changes().After(place, filter, changes_max);
  }

 private:
  int next_hour_ = 0;
};
RUN_ON_EVERY_LEDGER(ChangeQueriesContract);

TEST_P(ChangeQueriesContract, TellsWhatBecameOfEachRecordInTheOrderOfCommits) {
  Store({At("a", 1), At("b", 1), At("c", 1)});
  Store({At("a", 1), At("b", 2)});
  auto merged = At("a", 3);
  merged.merged_into = "b";
  Store({merged, Deleted("c", 3)});
  EXPECT_EQ(Told(), (std::vector<std::string>{"inserted a", "inserted b", "inserted c", "updated b",
                                              "deleted c", "merged a"}));
}

TEST_P(ChangeQueriesContract, ARecordThatAPageEndsAndHasAgainIsThere) {
  Store({Deleted("a", 1), At("a", 2)});
  EXPECT_EQ(Told(), std::vector<std::string>{"inserted a"});
}

TEST_P(ChangeQueriesContract, WhatChangesNothingIsNotTold) {
  Store({At("a", 1)});
  Store({At("a", 1)});
  EXPECT_EQ(Told(), std::vector<std::string>{"inserted a"});
}

TEST_P(ChangeQueriesContract, PagesOfAnySizeTellEachChangeOnce) {
  for (int batch = 0; batch < 4; ++batch) {
    std::vector<domain::Record> records;
    for (int i = 0; i < 5; ++i) records.push_back(At(fmt::format("{}-{}", batch, i), 1));
    Store(records);
  }
  Number();
  const auto whole = *After({}, 1'000);
  ASSERT_EQ(whole.changes.size(), 20u);
  EXPECT_FALSE(whole.has_more);
  for (const int size : {1, 3, 5, 7, 19, 20}) {
    std::vector<std::string> told;
    contract::ChangePlace place;
    for (bool has_more = true; has_more;) {
      const auto page = *After(place, size);
      for (const auto& row : page.changes) told.push_back(row.change.id);
      place = page.place;
      has_more = page.has_more;
    }
    EXPECT_EQ(told.size(), 20u) << size;
    EXPECT_TRUE(std::ranges::equal(told, whole.changes, {}, {}, [](const contract::ChangeRow& row) {
      return row.change.id;
    })) << size;
    EXPECT_EQ(place, whole.place) << "the same place, however one came there";
  }
}

TEST_P(ChangeQueriesContract, OnlyWhatIsAskedForIsToldAndTheRestIsPassedOver) {
  Store({At("a", 1)}, "one");
  Store({At("b", 1)}, "two");
  Store({At("c", 1)}, "one");
  Number();
  const auto page = *After({}, 10, {.source = "two"});
  ASSERT_EQ(page.changes.size(), 1u);
  EXPECT_EQ(page.changes[0].change.id, "b");
  EXPECT_EQ(page.place, *ports_->read().changes().End());
  EXPECT_TRUE(After({}, 10, {.source = "three"})->changes.empty());
}

TEST_P(ChangeQueriesContract, WhoKnowsTheEndHearsWhatComesAfterItAlone) {
  Store({At("a", 1)});
  Number();
  const auto end = *ports_->read().changes().End();
  EXPECT_TRUE(After(end, 10)->changes.empty());
  Store({At("b", 1)});
  EXPECT_TRUE(After(end, 10)->changes.empty()) << "not before it has a place";
  Number();
  const auto page = *After(end, 10);
  ASSERT_EQ(page.changes.size(), 1u);
  EXPECT_EQ(page.changes[0].change.id, "b");
}

TEST_P(ChangeQueriesContract, WhatWasCollectedIsMissedAloud) {
  for (int i = 0; i < 3; ++i) Store({At(fmt::format("r{}", i), 1)});
  Number();
  const auto second = After({}, 1)->place;
  ports_->Execute("DELETE FROM ing_outbox_message WHERE position <= 2");
  const auto missed = After(second, 10);
  ASSERT_FALSE(missed);
  EXPECT_EQ(missed.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missed.error().message.find("from 2 to 2"), std::string::npos)
      << missed.error().message;
  EXPECT_EQ(After({}, 10)->changes.size(), 1u) << "from the beginning is from what is kept";
  ports_->Execute("DELETE FROM ing_outbox_message");
  EXPECT_FALSE(After(second, 10)) << "also where nothing is left";
  EXPECT_TRUE(After(*ports_->read().changes().End(), 10));
}

TEST_P(ChangeQueriesContract, APlaceOfAnotherStoreIsRefused) {
  EXPECT_EQ(After({.position = 7}, 10).error().code, ErrorCode::kInvalidInput);
}

// Two processes store changes of the same records, two more number them, one follows: it hears each, and of each record in the order
// in which it changed.
TEST_P(ChangeQueriesContract, WhoeverStoresAndNumbersMeanwhileEachChangeIsHeardOnceAndInOrder) {
  constexpr int kVersions = 12;
  std::vector<app::LeasedTask> tasks;
  for (const auto* source : {"one", "two"}) {
    Planned(0, kVersions, source);
    for (auto& task : Claim(kVersions)) tasks.push_back(std::move(task));
  }
  ASSERT_EQ(tasks.size(), 2u * kVersions);
  std::atomic<int> writers = 2;
  std::vector<std::thread> threads;
  for (const std::size_t source : {std::size_t{0}, std::size_t{1}}) {
    threads.emplace_back([&, source] {
      const auto ports = backend_->Connect(clock_);
      for (int version = 0; version < kVersions; ++version) {
        const auto& task = tasks[source * kVersions + static_cast<std::size_t>(version)];
        const auto run = ports->runs().Open(task, kFirstPage);
        EXPECT_TRUE(run);
        EXPECT_TRUE(run &&
                    ports->runs().Commit(BatchOf(
                        task, *run, {At("a", version + 1), At(fmt::format("n{}", version), 1)})));
      }
      --writers;
    });
  }
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      const auto ports = backend_->Connect(clock_);
      while (writers > 0) EXPECT_TRUE(ports->outbox().NumberChanges(3));
    });
  }
  std::map<std::string, std::vector<std::string>> heard;
  contract::ChangePlace place;
  const auto follow = [&] {
    for (bool has_more = true; has_more;) {
      const auto page = After(place, 5);
      ASSERT_TRUE(page) << page.error().Describe();
      for (const auto& row : page->changes) heard[row.source].push_back(row.change.id);
      place = page->place;
      has_more = page->has_more;
    }
  };
  while (writers > 0) follow();
  for (auto& thread : threads) thread.join();
  Number();
  follow();
  std::vector<std::string> expected;
  for (int version = 0; version < kVersions; ++version) {
    // A page tells of what is new before what is another version.
    expected.push_back(version == 0 ? "a" : fmt::format("n{}", version));
    expected.push_back(version == 0 ? "n0" : "a");
  }
  EXPECT_EQ(heard["one"], expected);
  EXPECT_EQ(heard["two"], expected);
}

}  // namespace patra::change_queries_contract_test
