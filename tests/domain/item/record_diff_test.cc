#include "domain/item/record_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::record_diff_test {

using Kind = RecordDiff::Kind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const Instant kThen{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
constexpr Duration kHour = std::chrono::hours(1);

Record Came(const std::string& fields, Instant updated = kThen) {
  Record record{.id = "a", .fields = fields};
  record.version.updated_at = updated;
  return record;
}

StoredItem Stored(const std::string& fields) {
  StoredItem stored{.fields = fields};
  stored.version.updated_at = kThen;
  return stored;
}

RecordDiff Diff(const StoredItem& stored, const Record& record) {
  const auto diff = Compare(&stored, record);
  EXPECT_TRUE(diff) << diff.error().Describe();
  return diff.value_or(RecordDiff{});
}

TEST(RecordDiff, WhatIsNotStoredIsNew) {
  EXPECT_EQ(Compare(nullptr, Came("{}"))->kind, Kind::kNew);
}

TEST(RecordDiff, WhenItWasFetchedMakesNoDifference) {
  auto record = Came(R"({"x":1})");
  record.version.fetched_at = kThen + kHour;
  EXPECT_FALSE(Diff(Stored(R"({"x":1})"), record).differs());
}

TEST(RecordDiff, NamesEveryFieldThatIsOtherOrOnlyInOne) {
  const auto diff = Diff(Stored(R"({"gone":1,"other":1,"same":1})"),
                         Came(R"({"added":1,"other":2,"same":1})", kThen + kHour));
  EXPECT_EQ(diff.kind, Kind::kChanged);
  EXPECT_TRUE(diff.is_newer);
  EXPECT_THAT(diff.fields, ElementsAre("added", "gone", "other"));
}

TEST(RecordDiff, TellsNewerOlderAndNeitherApart) {
  const auto stored = Stored(R"({"x":1})");
  EXPECT_EQ(Diff(stored, Came(R"({"x":2})", kThen - kHour)).kind, Kind::kOlder);
  const auto same_moment = Diff(stored, Came(R"({"x":2})"));
  EXPECT_EQ(same_moment.kind, Kind::kChanged);
  EXPECT_FALSE(same_moment.is_newer) << "the provider does not admit a change";
}

TEST(RecordDiff, ATombstoneAndAMergerAreDifferences) {
  auto deleted = Came("{}");
  deleted.version.deleted = true;
  EXPECT_THAT(Diff(Stored("{}"), deleted).fields, ElementsAre("(deleted)"));
  auto merged = Came("{}");
  merged.merged_into = "b";
  EXPECT_THAT(Diff(Stored("{}"), merged).fields, ElementsAre("(merged into)"));
}

TEST(RecordDiff, AFieldThatKeepsItsValueDoesNotDifferByComingEmpty) {
  auto record = Came(R"({"title":""})");
  record.kept_fields =
      std::make_shared<const std::vector<std::string>>(std::vector<std::string>{"title"});
  EXPECT_THAT(Diff(Stored(R"({"title":"T"})"), record).fields, IsEmpty());
  record.fields = R"({"title":"U"})";
  EXPECT_THAT(Diff(Stored(R"({"title":"T"})"), record).fields, ElementsAre("title"));
}

TEST(RecordDiff, StoredFieldsThatAreNoObjectAreCorrupt) {
  const auto stored = Stored("[1]");
  EXPECT_EQ(Compare(&stored, Came("{}")).error().code, ErrorCode::kCorruption);
}

}  // namespace patra::domain::record_diff_test
