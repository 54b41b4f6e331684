// What every index of archived rows must do.
#include <gmock/gmock.h>

#include "tests/infra/sql/every_ledger.h"

namespace patra::archive_index_contract_test {

using ::testing::ElementsAre;
using ::testing::Field;

class ArchiveIndexContract : public testing::LedgerTest {
 protected:
  static app::ArchivedRows Range(Id first, Id last) {
    return {.table = "ing_task_run_batch",
            .first = first,
            .last = last,
            .rows = 10,
            .location = "batches-" + std::to_string(first),
            .sha256 = "s"};
  }
};
RUN_ON_EVERY_LEDGER(ArchiveIndexContract);

TEST_P(ArchiveIndexContract, ARowIsFoundInTheRangeThatHoldsIt) {
  auto& archive = ports_->archive();
  ASSERT_TRUE(archive.Add(Range(10, 19)));
  ASSERT_TRUE(archive.Add(Range(30, 39)));
  EXPECT_EQ((*archive.Find("ing_task_run_batch", 19))->location, "batches-10");
  EXPECT_EQ((*archive.Find("ing_task_run_batch", 30))->location, "batches-30");
  for (const Id nowhere : {9, 20, 40}) EXPECT_FALSE(*archive.Find("ing_task_run_batch", nowhere));
  EXPECT_FALSE(*archive.Find("ing_item", 15));
}

TEST_P(ArchiveIndexContract, NoRowIsArchivedTwice) {
  auto& archive = ports_->archive();
  ASSERT_TRUE(archive.Add(Range(10, 19)));
  for (const auto& overlapping :
       {Range(10, 19), Range(5, 10), Range(19, 25), Range(12, 13), Range(0, 50)})
    EXPECT_EQ(archive.Add(overlapping).error().code, ErrorCode::kConflict) << overlapping.first;
  EXPECT_TRUE(archive.Add(Range(20, 20)));
}

TEST_P(ArchiveIndexContract, AListGoesOnWhereTheLastOneEnded) {
  auto& archive = ports_->archive();
  for (const Id first : {30, 10, 20}) ASSERT_TRUE(archive.Add(Range(first, first + 9)));
  EXPECT_THAT(
      *archive.List("ing_task_run_batch", 0, 2),
      ElementsAre(Field(&app::ArchivedRows::first, 10), Field(&app::ArchivedRows::first, 20)));
  EXPECT_THAT(*archive.List("ing_task_run_batch", 21, 2),
              ElementsAre(Field(&app::ArchivedRows::first, 30)));
}

}  // namespace patra::archive_index_contract_test
