// What every id ledger and signal repository must do.
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::id_ledger_contract_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class IdLedgerContract : public testing::LedgerTest {
 protected:
  const std::vector<std::string> kIds{"3", "1", "2"};

  // A batch of the next slice that finds them, and one that answers.
  Id Find(const std::vector<std::string>& ids, const std::vector<std::string>& answered,
          const std::vector<app::BadId>& bad = {}) {
    const auto task = Claim(1).front();
    const auto run = ports_->runs().Open(task, kFirstPage);
    EXPECT_TRUE(run);
    auto found = BatchOf(task, *run, {});
    found.found_ids = ids;
    found.after = app::Position{.is_detail = true};
    const auto committed = ports_->runs().Commit(found);
    EXPECT_TRUE(committed) << committed.error().Describe();
    auto details = BatchOf(task, *run, {});
    details.lineage.batch = committed->next_batch;
    details.batch_no = 2;
    details.before = *found.after;
    details.answered_ids = answered;
    details.bad_ids = bad;
    EXPECT_TRUE(ports_->runs().Commit(details));
    return task.lineage.slice;
  }

  std::vector<std::string> Open(Id slice, int ids_max = 10) {
    return *ports_->found_ids().NextOpen(slice, ids_max);
  }
};
RUN_ON_EVERY_LEDGER(IdLedgerContract);

TEST_P(IdLedgerContract, FoundIdsWaitUntilTheirDetailsAreFetched) {
  Planned(0, 2);
  const auto slice = Find(kIds, {});
  EXPECT_THAT(Open(slice, 2), ElementsAre("1", "2"));
  EXPECT_THAT(Open(slice), ElementsAre("1", "2", "3"));
  EXPECT_THAT(Open(Find(kIds, {"1", "2"})), ElementsAre("3"));
}

TEST_P(IdLedgerContract, ABadIdIsSkippedByLaterSlicesUntilItIsReleased) {
  Planned(0, 3);
  EXPECT_THAT(Open(Find(kIds, {}, {{"2", "no detail came"}})), ElementsAre("1", "3"));
  EXPECT_THAT(Open(Find(kIds, {})), ElementsAre("1", "3"));
  const auto release = [&] {
    return ports_->quarantine().ReleaseId("demo", "items", "2", {{"anna"}, "it is there again"});
  };
  EXPECT_EQ(release(), true);
  EXPECT_EQ(release(), false);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE action = 'RELEASE_ID' AND actor = "
                          "'anna' AND reason = 'it is there again'"),
            1);
  EXPECT_THAT(Open(Find(kIds, {})), ElementsAre("1", "2", "3"));
}

TEST_P(IdLedgerContract, BadIdsAreListedWithReasonAndTimeAndReleasedTogether) {
  Planned(0, 4);
  const auto first = clock_.Now();
  Find(kIds, {}, {{"2", "HTTP 404"}, {"3", "the provider gives no details"}});
  clock_.Advance(std::chrono::hours(1));
  Find({"9"}, {}, {{"9", "HTTP 404"}});
  const auto listed = [&](const domain::BadIdFilter& filter) {
    std::vector<std::string> ids;
    const auto found = ports_->quarantine().BadIds(filter, 10);
    EXPECT_TRUE(found) << found.error().Describe();
    for (const auto& id : *found) ids.push_back(id.item_id);
    return ids;
  };
  EXPECT_THAT(listed({}), ElementsAre("9", ::testing::AnyOf("2", "3"), ::testing::AnyOf("2", "3")));
  EXPECT_THAT(listed({.reason = "404", .listed_before = first + std::chrono::seconds(1)}),
              ElementsAre("2"));
  EXPECT_THAT(listed({.provenance = "demo", .endpoint = "other"}), IsEmpty());
  const auto one = ports_->quarantine().BadIds({.reason = "404"}, 1);
  ASSERT_TRUE(one && one->size() == 1);
  EXPECT_EQ(one->at(0).provenance, "demo");
  EXPECT_EQ(one->at(0).reason, "HTTP 404");
  EXPECT_EQ(one->at(0).listed_at, first + std::chrono::hours(1));
  EXPECT_NE(one->at(0).batch, 0);

  const auto released = ports_->quarantine().ReleaseIds({.reason = "404"}, 10, {{"anna"}, "back"});
  ASSERT_TRUE(released);
  EXPECT_THAT(*released, SizeIs(2));
  EXPECT_THAT(listed({}), ElementsAre("3"));
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE action = 'RELEASE_ID' AND actor = "
                          "'anna' AND reason = 'back' AND details LIKE '%HTTP 404%'"),
            2)
      << "each has its line, with why it was listed";
  EXPECT_THAT(*ports_->quarantine().ReleaseIds({.reason = "404"}, 10, {{"anna"}, "again"}),
              IsEmpty());
  EXPECT_THAT(Open(Find(kIds, {})), ElementsAre("1", "2"));
}

TEST_P(IdLedgerContract, KnownAreTheRecordsThatWereLookedAtLastAndCanBeAskedFor) {
  Planned(0, 3);
  const auto bring = [&](const std::string& id, bool is_deleted) {
    const auto task = Claim(1).front();
    auto record = RecordOf(id, clock_.Now());
    record.version.deleted = is_deleted;
    const auto run = ports_->runs().Open(task, kFirstPage);
    ASSERT_TRUE(run);
    ASSERT_TRUE(ports_->runs().Commit(BatchOf(task, *run, {record})));
    clock_.Advance(std::chrono::minutes(1));
  };
  bring("old", false);
  bring("gone", true);
  bring("new", false);
  const domain::Lane lane{"demo", "items", domain::Operation::kUpdate};
  EXPECT_THAT(*ports_->found_ids().Known(lane, 10), ElementsAre("new", "old"));
  EXPECT_THAT(*ports_->found_ids().Known(lane, 1), ElementsAre("new"));
  ListBad("new");
  EXPECT_THAT(*ports_->found_ids().Known(lane, 10), ElementsAre("old"));
  EXPECT_THAT(*ports_->found_ids().Known({"demo", "others", lane.operation}, 10), IsEmpty());
}

class SignalRepositoryContract : public testing::LedgerTest {
 protected:
  app::Signal Of(const std::string& item) {
    return {.provenance = "pubmed",
            .endpoint = "articles",
            .item_id = item,
            .type = "RETRACTION",
            .origin = "test"};
  }
};
RUN_ON_EVERY_LEDGER(SignalRepositoryContract);

TEST_P(SignalRepositoryContract, TheSameSignalWaitsOnceAndMayComeAgainAfterItWasTaken) {
  EXPECT_EQ(ports_->signals().Add(Of("1")), true);
  EXPECT_EQ(ports_->signals().Add(Of("1")), false);
  EXPECT_THAT(*ports_->signals().TakeFor(5, "pubmed", "articles", 10), SizeIs(1));
  EXPECT_EQ(ports_->signals().Add(Of("1")), true);
}

TEST_P(SignalRepositoryContract, SignalsAreTakenOldestFirstAndByOnePlanOnly) {
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(ports_->signals().Add(Of(std::to_string(i))));
  const auto other = backend_->Connect(clock_);
  EXPECT_EQ(ports_->signals().TakeFor(1, "pubmed", "articles", 1)->at(0).item_id, "0");
  std::mutex mutex;
  std::vector<std::string> taken;
  {
    std::vector<std::jthread> threads;
    for (auto* ports : {ports_.get(), other.get()}) {
      threads.emplace_back([&, ports] {
        while (true) {
          const auto mine = ports->signals().TakeFor(2, "pubmed", "articles", 3);
          ASSERT_TRUE(mine);
          if (mine->empty()) return;
          const std::lock_guard lock(mutex);
          for (const auto& signal : *mine) taken.push_back(signal.item_id);
        }
      });
    }
  }
  EXPECT_EQ(taken.size(), 39u);
  EXPECT_EQ(std::set(taken.begin(), taken.end()).size(), 39u);
}

TEST_P(SignalRepositoryContract, SignalsOfOtherEndpointsStay) {
  ASSERT_TRUE(ports_->signals().Add(Of("1")));
  EXPECT_THAT(*ports_->signals().TakeFor(1, "pubmed", "other", 10), IsEmpty());
}

}  // namespace patra::id_ledger_contract_test
