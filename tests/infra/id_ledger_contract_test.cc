// What every id ledger and signal repository must do.
#include <set>
#include <thread>

#include <gmock/gmock.h>

#include "tests/infra/sqlite_backend.h"

namespace patra {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class IdLedgerContract : public testing::LedgerTest {
 protected:
  const domain::Partition kPartition{"pubmed", "articles", domain::Operation::kHarvest};
  const std::vector<std::string> kIds{"3", "1", "2"};
};
RUN_ON_EVERY_LEDGER(IdLedgerContract);

TEST_P(IdLedgerContract, FoundIdsWaitUntilTheirDetailsAreFetched) {
  EXPECT_EQ(ports_->found_ids().AddFound(7, kPartition, kIds, 1), 3);
  EXPECT_THAT(*ports_->found_ids().NextOpen(7, 2), ElementsAre("1", "2"));
  ASSERT_TRUE(ports_->found_ids().MarkFetched(7, std::vector<std::string>{"1", "2"}, 5));
  EXPECT_THAT(*ports_->found_ids().NextOpen(7, 2), ElementsAre("3"));
}

TEST_P(IdLedgerContract, AnIdThatIsFoundAgainIsNotFetchedAgain) {
  ASSERT_TRUE(ports_->found_ids().AddFound(7, kPartition, kIds, 1));
  ASSERT_TRUE(ports_->found_ids().MarkFetched(7, kIds, 2));
  EXPECT_EQ(ports_->found_ids().AddFound(7, kPartition, kIds, 3), 0);
  EXPECT_THAT(*ports_->found_ids().NextOpen(7, 10), IsEmpty());
}

TEST_P(IdLedgerContract, ABadIdIsSkippedByLaterSlicesUntilItIsReleased) {
  ASSERT_TRUE(ports_->found_ids().AddFound(7, kPartition, kIds, 1));
  ASSERT_TRUE(ports_->found_ids().MarkBad(7, kPartition, std::vector<std::string>{"2"},
                                          "no detail came", 2));
  EXPECT_THAT(*ports_->found_ids().NextOpen(7, 10), ElementsAre("1", "3"));
  EXPECT_EQ(ports_->found_ids().AddFound(8, kPartition, kIds, 3), 2);
  const auto release = [&] {
    return ports_->quarantine().ReleaseId(kPartition.provenance, kPartition.endpoint, "2",
                                          {"anna", "it is there again"});
  };
  EXPECT_EQ(release(), true);
  EXPECT_EQ(release(), false);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE action = 'RELEASE_ID' AND actor = "
                          "'anna' AND reason = 'it is there again'"),
            1);
  EXPECT_EQ(ports_->found_ids().AddFound(9, kPartition, kIds, 4), 3);
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
  IdGenerator other_ids(clock_, 2);
  const auto other = backend_->Connect(clock_, other_ids);
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

}  // namespace
}  // namespace patra
