#include "contract/ledger_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "contract/timeline.h"

namespace patra::contract::ledger_rows_test {

TEST(RecordSums, AddUpAndKnowWhatIsMissing) {
  RecordSums sums{.announced = 5, .received = 3, .inserted = 2, .quarantined = 1};
  EXPECT_EQ(sums.missing(), 2);
  EXPECT_EQ(sums.accounted(), 3);
  sums += {.received = 4, .unchanged = 4};
  EXPECT_EQ(sums.announced, 5) << "a slice without a total adds none";
  EXPECT_EQ(sums.received, 7);
  EXPECT_EQ(sums.missing(), 0) << "more than announced is not missing";
  EXPECT_EQ((RecordSums{.received = 1}).missing(), 0) << "nothing was announced";
}

TEST(Facts, IdsAreTextAndAbsentIdsAreNull) {
  const auto object = ToObject(FactsOf(SliceRow{.id = 380265666970779649, .plan = 7}));
  EXPECT_EQ(*object.Find("id")->AsString(), "380265666970779649");
  EXPECT_TRUE(object.Find("parent")->is_null());
  EXPECT_TRUE(object.Find("windowFrom")->is_null());
}

TEST(Facts, StoredJsonIsAValueAndBrokenJsonStaysText) {
  EXPECT_EQ(*JsonFact(R"({"a":1})").Find("a")->AsInteger(), 1);
  EXPECT_EQ(*JsonFact("{").AsString(), "{");
}

TEST(Timeline, PutsCausesBeforeEffectsInTheSameMoment) {
  const Instant at(std::chrono::seconds(5));
  Timeline timeline;
  timeline.Add(CursorEventRow{.id = 1, .direction = "FORWARD", .after = "x", .at = at});
  timeline.Add(RunRow{.id = 9, .status = "SUCCEEDED", .started_at = at, .finished_at = at});
  timeline.Add(PlanRow{.id = 8, .status = "READY", .created_at = at});
  std::vector<std::string> whats;
  for (const auto& event : timeline.Events()) whats.push_back(event.what);
  EXPECT_THAT(whats,
              ::testing::ElementsAre("plan made", "run opened", "run SUCCEEDED", "cursor moved"));
}

TEST(Timeline, TellsWhoMovedACursorAndWhy) {
  Timeline timeline;
  timeline.Add(CursorEventRow{.id = 1,
                              .key = "updated_at",
                              .direction = "MANUAL",
                              .after = "x",
                              .remarks = R"({"by":"anna","reason":"MANUAL","why":"read again"})"});
  EXPECT_EQ(timeline.Events().at(0).detail, "MANUAL updated_at: nothing → x, by anna: read again");
}

}  // namespace patra::contract::ledger_rows_test
