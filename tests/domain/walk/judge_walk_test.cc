#include "domain/walk/judge_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace patra::domain::judge_walk_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using Kind = WalkVerdict::Kind;

class JudgeWalkTest : public ::testing::Test {
 protected:
  // Of a list of one page with so many records, after another walk that is remembered.
  WalkVerdict Judge(int records, const SlicesLikeIt& others) {
    Walk walk(spec_, slice_, memory_);
    PageFacts page{.announced = records};
    for (int i = 0; i < records; ++i)
      page.ids.push_back(MixBits(static_cast<std::uint64_t>(i) + 1));
    walk.After({.page = 1}, page);
    memory_ = walk.memory().Next();
    return JudgeWalk(walk, others);
  }
  // How long each walk has to wait for the next until the list is believed.
  std::vector<Duration> WaitsUntilBelieved(int records, const SlicesLikeIt& others) {
    std::vector<Duration> waits;
    for (auto verdict = Judge(records, others);
         verdict.kind == Kind::kWalkAgain && waits.size() < 9; verdict = Judge(records, others)) {
      waits.push_back(verdict.again_after);
    }
    return waits;
  }

  const Instant from_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const SpecSnapshot spec_{.paging = {.size = 100, .ends = {WalkEnd::kShortPage}},
                           .window = {.settles = true},
                           .response = {.total = "$.total", .total_kind = TotalKind::kExact}};
  const SliceSpec slice_{.window = *Window::Between(from_, from_ + 1h)};
  WalkMemory memory_{};
};

TEST_F(JudgeWalkTest, AListWithRecordsIsBelieved) {
  EXPECT_EQ(Judge(3, {}).kind, Kind::kProven);
  EXPECT_EQ(Judge(3, {.usual = UsualRecords{.mean = 1'000, .deviation = 10}}).kind, Kind::kProven);
}

TEST_F(JudgeWalkTest, TheFirstEmptyListHasToStayEmptyForAWhile) {
  EXPECT_EQ(WaitsUntilBelieved(0, {}), (std::vector<Duration>{1s, 10s}));
}

TEST_F(JudgeWalkTest, WhereOthersWereEmptyAnEmptyListIsBelieved) {
  EXPECT_EQ(Judge(0, {.was_any_empty = true}).kind, Kind::kProven);
}

TEST_F(JudgeWalkTest, AnEmptyListIsOddWhereManyRecordsAreUsual) {
  const auto verdict =
      Judge(0, {.usual = UsualRecords{.mean = 40, .deviation = 13}, .was_any_empty = true});
  EXPECT_EQ(verdict.kind, Kind::kWalkAgain);
  EXPECT_THAT(verdict.reason, HasSubstr("about 40 records"));
  EXPECT_EQ(
      Judge(0, {.usual = UsualRecords{.mean = 39, .deviation = 13}, .was_any_empty = true}).kind,
      Kind::kProven);
}

TEST_F(JudgeWalkTest, LessThanHalfOfWhatAnotherWalkSawIsReadAgainForMinutes) {
  memory_.records_most = 9;
  EXPECT_THAT(Judge(4, {}).reason, HasSubstr("4 records came, and 9 before"));
  memory_ = {.records_most = 9};
  EXPECT_EQ(WaitsUntilBelieved(4, {}), (std::vector<Duration>{1s, 15s, 60s, 240s}));
  memory_ = {.records_most = 9};
  EXPECT_EQ(Judge(5, {}).kind, Kind::kProven);
}

TEST_F(JudgeWalkTest, AListThatBroughtRecordsIsNotBelievedToBeEmptyWhateverOthersWere) {
  Judge(9, {.was_any_empty = true});
  EXPECT_EQ(WaitsUntilBelieved(0, {.was_any_empty = true}),
            (std::vector<Duration>{1s, 15s, 60s, 240s}));
}

TEST_F(JudgeWalkTest, AListThatComesBackIsBelievedAtOnce) {
  Judge(9, {});
  EXPECT_EQ(Judge(0, {}).kind, Kind::kWalkAgain);
  EXPECT_EQ(Judge(9, {}).kind, Kind::kProven);
}

}  // namespace patra::domain::judge_walk_test
