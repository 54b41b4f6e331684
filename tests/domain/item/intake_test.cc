#include "domain/item/intake.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/hash.h"

namespace patra::domain::intake_test {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using enum ItemWrite::Kind;

const Instant kDay{std::chrono::sys_days{std::chrono::year{2026} / 1 / 10}};
const IntakeFor kHarvest{.now = kDay + 12h};
const IntakeFor kUpdate{.is_update = true, .now = kDay + 12h};

Record RecordOf(const std::string& id, Instant updated_at, const std::string& title = "T") {
  Record record{.id = id};
  record.fields = "{\"title\":\"" + title + "\"}";
  record.version = {
      .updated_at = updated_at, .fetched_at = kDay + 12h, .content_hash = Sha256(record.fields)};
  return record;
}

Record Tombstone(const std::string& id, Instant updated_at) {
  auto record = RecordOf(id, updated_at);
  record.version.deleted = true;
  return record;
}

StoredItem Stored(Id row, const Record& record) {
  return {.row = row,
          .version = record.version,
          .refreshed_at = record.version.fetched_at,
          .merged_into = record.merged_into,
          .fields = record.fields};
}

Intake Take(const std::vector<Record>& records, StoredItems stored = {},
            const IntakeFor& purpose = kHarvest) {
  auto intake = TakeIn(records, std::move(stored), purpose);
  EXPECT_TRUE(intake) << intake.error().Describe();
  return *std::move(intake);
}

TEST(Intake, EveryRecordIsCountedAndOnlyNewsAreWritten) {
  const std::vector records{RecordOf("new", kDay), RecordOf("newer", kDay + 1h, "other"),
                            RecordOf("same", kDay), RecordOf("older", kDay - 1h, "other")};
  const auto intake = Take(records, {{"newer", Stored(1, RecordOf("newer", kDay))},
                                     {"same", Stored(2, RecordOf("same", kDay))},
                                     {"older", Stored(3, RecordOf("older", kDay))}});
  EXPECT_THAT(intake.outcomes, ElementsAre(Overwrite::kInsert, Overwrite::kUpdate,
                                           Overwrite::kUnchanged, Overwrite::kStale));
  EXPECT_TRUE(intake.counts.Balances());
  EXPECT_EQ(intake.counts.received, 4);
  ASSERT_THAT(intake.writes, SizeIs(2));
  EXPECT_EQ(intake.writes[0].kind, kInsert);
  EXPECT_EQ(intake.writes[1].kind, kReplace);
  EXPECT_EQ(intake.writes[1].row, 1);
  EXPECT_THAT(intake.inserted, ElementsAre("new"));
  EXPECT_THAT(intake.updated, ElementsAre("newer"));
}

TEST(Intake, WhatAListMissedComesBackInWhicheverVersionItIsNamedAgain) {
  auto missed = Stored(1, RecordOf("a", kDay));
  missed.version.deleted = true;
  missed.version.fetched_at = kDay + 2h;
  auto older = RecordOf("a", kDay - 24h, "restored");
  older.version.fetched_at = kDay + 3h;
  EXPECT_THAT(Take({older}, {{"a", missed}}).outcomes, ElementsAre(Overwrite::kStale))
      << "the provider said that it is deleted";
  missed.is_missed = true;
  EXPECT_THAT(Take({older}, {{"a", missed}}).outcomes, ElementsAre(Overwrite::kUpdate));
  older.version.fetched_at = kDay + 1h;
  EXPECT_THAT(Take({older}, {{"a", missed}}).outcomes, ElementsAre(Overwrite::kStale))
      << "that was seen before it was missed";
}

TEST(Intake, AnIdThatComesTwiceIsOneRowWithItsNewestVersion) {
  const std::vector records{RecordOf("a", kDay), RecordOf("a", kDay + 1h, "newest"),
                            RecordOf("a", kDay - 1h, "old")};
  const auto intake = Take(records);
  ASSERT_THAT(intake.writes, SizeIs(1));
  EXPECT_EQ(intake.writes[0].kind, kInsert);
  EXPECT_EQ(intake.writes[0].record, &records[1]);
  EXPECT_THAT(intake.outcomes,
              ElementsAre(Overwrite::kInsert, Overwrite::kUpdate, Overwrite::kStale));
  EXPECT_THAT(intake.inserted, ElementsAre("a"));
  EXPECT_THAT(intake.updated, IsEmpty()) << "nobody else has seen the first";
}

TEST(Intake, AnEndIsToldWhereTheRowEndsWithIt) {
  const StoredItems stored{{"a", Stored(1, RecordOf("a", kDay))},
                           {"gone", Stored(2, Tombstone("gone", kDay))}};
  EXPECT_THAT(Take({Tombstone("a", kDay + 1h)}, stored).ended, SizeIs(1));
  EXPECT_THAT(Take({Tombstone("a", kDay - 1h)}, stored).ended, IsEmpty()) << "older than the row";
  EXPECT_THAT(Take({Tombstone("gone", kDay + 1h)}, stored).ended, IsEmpty()) << "told before";
  auto merged = RecordOf("a", kDay + 1h);
  merged.merged_into = "b";
  EXPECT_THAT(Take({merged}, stored).ended, SizeIs(1)) << "though its fields are the same";
}

TEST(Intake, AnUpdateThatFindsARecordUnchangedConfirmsIt) {
  const auto same = RecordOf("a", kDay);
  const StoredItems stored{{"a", Stored(7, same)}};
  EXPECT_THAT(Take({same}, stored).writes, IsEmpty());
  const std::vector records{same};
  const auto intake = Take(records, stored, kUpdate);
  ASSERT_THAT(intake.writes, SizeIs(1));
  EXPECT_EQ(intake.writes[0].kind, kConfirm);
  EXPECT_EQ(intake.writes[0].row, 7);
}

TEST(Intake, ConcernsSignalWhatIsStoredAndWasNotLookedAtSince) {
  auto notice = RecordOf("notice", kDay);
  notice.concerns = {
      {"stored", "RETRACTION", ""}, {"seen", "RETRACTION", ""}, {"unknown", "RETRACTION", ""}};
  auto seen = Stored(2, RecordOf("seen", kDay));
  seen.refreshed_at = kDay + 25h;
  const std::vector records{notice};
  const StoredItems stored{{"stored", Stored(1, RecordOf("stored", kDay))}, {"seen", seen}};
  const auto intake = Take(records, stored);
  ASSERT_THAT(intake.signals, SizeIs(1));
  EXPECT_EQ(intake.signals[0]->item_id, "stored");
  EXPECT_THAT(IdsToRead(records), ElementsAre("notice", "stored", "seen", "unknown"));
}

TEST(Intake, AnUpdateDoesNotAskForItsOwnRecordAgain) {
  auto wanting = RecordOf("a", kDay);
  wanting.concerns = {{"a", "MISSING_FIELD", ""}};
  EXPECT_THAT(Take({wanting}).signals, SizeIs(1));
  EXPECT_THAT(Take({wanting}, {}, kUpdate).signals, IsEmpty());
}

TEST(Intake, WhatANewerVersionLeftEmptyAnOlderOneFillsInAnyOrder) {
  const auto kept =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"title"});
  auto older = RecordOf("a", kDay, "kept"), newer = RecordOf("a", kDay + 1h, "");
  older.kept_fields = newer.kept_fields = kept;
  for (const auto& records : {std::vector{older, newer}, std::vector{newer, older}}) {
    const auto intake = Take(records);
    ASSERT_THAT(intake.writes, SizeIs(1));
    const auto& write = intake.writes[0];
    EXPECT_EQ(write.kind, kInsert);
    EXPECT_EQ(write.record->version.updated_at, kDay + 1h);
    ASSERT_TRUE(write.folded);
    EXPECT_EQ(write.folded->fields, older.fields);
  }
  const std::vector late{older};
  const auto filled = Take(late, {{"a", Stored(4, newer)}});
  ASSERT_THAT(filled.writes, SizeIs(1));
  EXPECT_EQ(filled.writes[0].kind, kFillIn);
  EXPECT_EQ(filled.writes[0].row, 4);
}

TEST(Intake, StoredFieldsThatCannotBeReadAreAnError) {
  auto record = RecordOf("a", kDay + 1h);
  record.kept_fields = std::make_shared<const std::vector<std::string>>();
  auto broken = Stored(1, RecordOf("a", kDay));
  broken.fields = "[]";
  const std::vector records{record};
  EXPECT_FALSE(TakeIn(records, {{"a", broken}}, kHarvest));
}

}  // namespace patra::domain::intake_test
