#include "domain/item/mapped_anew.h"

#include <gtest/gtest.h>

#include "domain/item/intake.h"

namespace patra::domain::mapped_anew_test {

constexpr Id kBatch = 7;
constexpr std::int64_t kGeneration = 3;

Instant At(int hours) { return Instant() + std::chrono::hours(hours); }

Record RecordOf(const std::string& fields, int updated = 1) {
  Record record{.id = "a", .fields = fields};
  record.version = {.updated_at = At(updated),
                    .mapping_generation = kGeneration,
                    .fetched_at = At(10),
                    .content_hash = Sha256(fields)};
  return record;
}

StoredItem StoredBy(Id batch, const std::string& fields, int updated = 1,
                    std::int64_t generation = 0) {
  return {.row = 1,
          .version = {.updated_at = At(updated),
                      .mapping_generation = generation,
                      .fetched_at = At(10),
                      .content_hash = Sha256(fields)},
          .batch = batch,
          .fields = fields};
}

Intake TakeInAnew(const std::vector<Record>& records, const StoredItem& stored) {
  return *TakeIn(records, {{"a", stored}}, {.now = At(20), .maps_anew = kBatch});
}

TEST(MappedAnew, ThePageThatBroughtARecordDecidesAboutItWhateverItsDatesAreNow) {
  const std::vector records{RecordOf("{\"b\":1}", -5)};
  const auto intake = TakeInAnew(records, StoredBy(kBatch, "{\"a\":1}", 5));
  ASSERT_EQ(intake.writes.size(), 1u);
  EXPECT_EQ(intake.writes[0].kind, ItemWrite::Kind::kReplace);
  EXPECT_EQ(intake.counts.updated, 1);
  EXPECT_EQ(intake.updated, std::vector<std::string_view>{"a"});
}

TEST(MappedAnew, WhatItMakesAgainIsNotWritten) {
  const std::vector records{RecordOf("{\"a\":1}")};
  const auto intake = TakeInAnew(records, StoredBy(kBatch, "{\"a\":1}"));
  EXPECT_TRUE(intake.writes.empty());
  EXPECT_EQ(intake.counts.unchanged, 1);
}

TEST(MappedAnew, ADateThatMovedIsWrittenAlsoWhereNothingElseDid) {
  const std::vector records{RecordOf("{\"a\":1}", 2)};
  EXPECT_EQ(TakeInAnew(records, StoredBy(kBatch, "{\"a\":1}", 1)).writes.size(), 1u);
}

TEST(MappedAnew, AnotherPageDecidesAboutWhatItBrought) {
  const std::vector records{RecordOf("{\"b\":1}", 9)};
  const auto intake = TakeInAnew(records, StoredBy(kBatch + 1, "{\"a\":1}", 5));
  EXPECT_TRUE(intake.writes.empty());
  EXPECT_EQ(intake.counts.stale, 1);
}

TEST(MappedAnew, OnceThatOneWasMappedAnewVersionsDecide) {
  const auto stored = StoredBy(kBatch + 1, "{\"a\":1}", 5, kGeneration);
  const std::vector older{RecordOf("{\"b\":1}", 4)};
  EXPECT_TRUE(TakeInAnew(older, stored).writes.empty());
  const std::vector newer{RecordOf("{\"b\":1}", 6)};
  EXPECT_EQ(TakeInAnew(newer, stored).writes.size(), 1u);
}

TEST(MappedAnew, AReplayOfTheSameBatchIsNewerThanItsPage) {
  auto stored = StoredBy(kBatch, "{\"a\":1}");
  stored.version.fetched_at = At(11);
  const std::vector records{RecordOf("{\"b\":1}")};
  EXPECT_EQ(WhoDecides(stored, records[0], kBatch), Decides::kItsOwnPage);
  EXPECT_TRUE(TakeInAnew(records, stored).writes.empty());
}

TEST(MappedAnew, ARecordTwiceOnThePageEndsAsTheNewerOfTheTwo) {
  const std::vector records{RecordOf("{\"b\":1}", 6), RecordOf("{\"b\":2}", 4)};
  const auto intake = TakeInAnew(records, StoredBy(kBatch, "{\"a\":1}", 5));
  ASSERT_EQ(intake.writes.size(), 1u);
  EXPECT_EQ(intake.writes[0].record, &records[0]);
}

}  // namespace patra::domain::mapped_anew_test
