// What every store must do for those who apply a changed definition to the raw vault.
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::remap_store_contract_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::kHour;
using testing::kStart;

const std::string kMapping(64, 'a');

class RemapStoreContract : public testing::LedgerTest {
 protected:
  // A run of as many pages, each with one record.
  app::RunOpened Walk(int hour, int pages, bool keeps = true) {
    Planned(hour, hour + 1);
    const auto task = Claim(1).at(0);
    auto run = *ports_->runs().Open(task, {.page = 1});
    for (int i = 1; i <= pages; ++i) {
      auto batch = BatchOf(task, run, {RecordOf(fmt::format("r{}-{}", hour, i), kStart)});
      batch.batch_no = i;
      batch.before = {.page = i};
      batch.after = app::Position{.page = i + 1};
      if (keeps) batch.raw_page = app::RawPage{"application/json", "[]", clock_.Now()};
      const auto committed = ports_->runs().Commit(batch);
      EXPECT_TRUE(committed) << committed.error().Describe();
      run.lineage.batch = committed->next_batch;
    }
    return run;
  }

  app::Remap Begin(const std::string& mapping = kMapping, std::optional<Instant> since = {}) {
    auto remap = ports_->remaps().Begin({.lane = lane_, .mapping_hash = mapping, .since = since},
                                        {{"anna"}, "because"});
    EXPECT_TRUE(remap) << remap.error().Describe();
    return *std::move(remap);
  }

  std::vector<std::int64_t> Numbers(const app::RemapPlace& after, int pages_max = 100,
                                    std::optional<Instant> since = {}) {
    const auto pages = ports_->remaps().Pages(lane_, since, after, pages_max);
    EXPECT_TRUE(pages) << pages.error().Describe();
    std::vector<std::int64_t> numbers;
    for (const auto& page : *pages) numbers.push_back(page.batch_no);
    return numbers;
  }

  const domain::Lane lane_{"demo", "items", domain::Operation::kHarvest};
};
RUN_ON_EVERY_LEDGER(RemapStoreContract);

TEST_P(RemapStoreContract, PagesComeRunByRunAndEachOnce) {
  const auto first = Walk(0, 3);
  clock_.Advance(kHour);
  const auto second = Walk(1, 2);
  EXPECT_THAT(Numbers({}), ElementsAre(1, 2, 3, 1, 2));
  EXPECT_THAT(Numbers({}, 2), ElementsAre(1, 2));
  EXPECT_THAT(Numbers({first.lineage.run, 2}, 2), ElementsAre(3, 1));
  EXPECT_THAT(Numbers({second.lineage.run, 1}), ElementsAre(2));
  EXPECT_THAT(Numbers({second.lineage.run, 2}), ElementsAre());
  EXPECT_THAT(Numbers({}, 100, clock_.Now()), ElementsAre(1, 2)) << "fetched since then";
}

TEST_P(RemapStoreContract, WhatTheVaultDoesNotHaveIsNamed) {
  Walk(0, 2, false);
  const auto pages = ports_->remaps().Pages(lane_, {}, {}, 10);
  ASSERT_EQ(pages->size(), 2u);
  EXPECT_FALSE(pages->at(0).is_kept);
}

TEST_P(RemapStoreContract, TheSameWishGoesOnUntilItIsFinishedAndAnotherIsNewer) {
  Walk(0, 1);
  auto remap = Begin();
  EXPECT_EQ(remap.generation, 1);
  EXPECT_FALSE(remap.is_taken_up);
  remap.at = {.run = 7, .batch_no = 3};
  remap.sums = {.pages = 3, .records = 30, .updated = 20};
  ASSERT_TRUE(ports_->remaps().Note(remap));
  const auto again = Begin();
  EXPECT_TRUE(again.is_taken_up);
  EXPECT_EQ(again.id, remap.id);
  EXPECT_EQ(again.at.run, 7);
  EXPECT_EQ(again.at.batch_no, 3);
  EXPECT_EQ(again.sums.updated, 20);

  auto behind = again;
  behind.at = {.run = 7, .batch_no = 1};
  behind.sums.updated = 1;
  ASSERT_TRUE(ports_->remaps().Note(behind));
  EXPECT_EQ(Begin().at.batch_no, 3) << "whoever is behind takes nothing back";

  EXPECT_EQ(Begin(std::string(64, 'b')).generation, 2);
  EXPECT_EQ(Begin(kMapping, kStart).generation, 3) << "of other pages";
  ASSERT_TRUE(ports_->remaps().Finish(again));
  EXPECT_EQ(Begin().generation, 4);
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_audit WHERE action = 'REMAP'"), 4);
}

// A plan that was made before goes on by its own mapping, which is older.
TEST_P(RemapStoreContract, WhatIsPlannedSinceIsAsNewAsWhatWasMappedAnew) {
  Planned(0, 1);
  Walk(1, 1);
  const auto before = Claim(1).at(0);
  EXPECT_EQ(before.mapping_generation, 0);
  Begin();
  Planned(2, 3);
  EXPECT_EQ(Claim(1).at(0).mapping_generation, 1);
}

TEST_P(RemapStoreContract, RecordsAreTakenInByTheOverwriteRuleAndToldOnce) {
  const auto run = Walk(0, 1);
  const auto page = ports_->remaps().Pages(lane_, {}, {}, 10)->at(0);
  const auto batch = ports_->replays().Read(run.lineage.run, page.batch);
  ASSERT_TRUE(batch) << batch.error().Describe();
  auto remap = Begin();
  auto changed = RecordOf("r0-1", kStart, "another title");
  changed.version.mapping_generation = remap.generation;
  changed.version.fetched_at = clock_.Now();
  remap.at = page.place();
  for (int round = 0; round < 2; ++round) {
    const auto counts =
        ports_->remaps().Commit({.remap = remap, .batch = *batch, .records = {changed}});
    ASSERT_TRUE(counts) << counts.error().Describe();
    EXPECT_EQ(counts->updated, round == 0 ? 1 : 0);
  }
  EXPECT_EQ(ports_->Count("SELECT count(*) FROM ing_outbox_message WHERE dedup_key LIKE 'remap/%'"),
            1);
  EXPECT_EQ(ports_->Count(fmt::format(
                "SELECT count(*) FROM ing_item WHERE batch_id = {} AND mapping_generation = 1",
                page.batch)),
            1)
      << "its lineage stays";
}

}  // namespace patra::remap_store_contract_test
