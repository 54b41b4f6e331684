#include "domain/walk/judge_walk.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"

namespace patra::domain {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using Kind = WalkVerdict::Kind;

class JudgeWalkTest : public ::testing::Test {
 protected:
  // Of a list of one page with so many records, after another walk that is remembered.
  WalkVerdict Judge(int records, const SlicesLikeIt& others,
                    std::optional<WalkAccount> earlier = std::nullopt) {
    Walk walk(spec_, slice_, {.earlier = std::move(earlier)});
    PageFacts page{.announced = records};
    for (int i = 0; i < records; ++i)
      page.ids.push_back(MixBits(static_cast<std::uint64_t>(i) + 1));
    walk.After({.page = 1}, page);
    return JudgeWalk(walk, others);
  }

  const Instant from_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const SpecSnapshot spec_{.paging = {.size = 100, .ends = {WalkEnd::kShortPage}},
                           .window = {.settles = true},
                           .response = {.total = "$.total", .total_kind = TotalKind::kExact}};
  const SliceSpec slice_{.window = *Window::Between(from_, from_ + 1h)};
};

TEST_F(JudgeWalkTest, AListWithRecordsIsBelieved) {
  EXPECT_EQ(Judge(3, {}).kind, Kind::kProven);
  EXPECT_EQ(Judge(3, {.usual = UsualRecords{.mean = 1'000, .deviation = 10}}).kind, Kind::kProven);
}

TEST_F(JudgeWalkTest, TheFirstEmptyListHasToBeTheSameALittleLater) {
  const auto verdict = Judge(0, {});
  EXPECT_EQ(verdict.kind, Kind::kWalkAgain);
  EXPECT_TRUE(verdict.is_for_later);
  EXPECT_EQ(Judge(0, {.was_any_empty = true}).kind, Kind::kProven);
  EXPECT_EQ(Judge(0, {}, WalkAccount{.pages = 1, .is_ended = true}).kind, Kind::kProven)
      << "it was as empty a moment before";
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

TEST_F(JudgeWalkTest, LessThanHalfOfWhatAnotherWalkHasJustSeenIsReadAgain) {
  const auto verdict = Judge(4, {}, WalkAccount{.pages = 1, .rows = 9, .records = 9});
  EXPECT_EQ(verdict.kind, Kind::kWalkAgain);
  EXPECT_TRUE(verdict.is_for_later);
  EXPECT_THAT(verdict.reason, HasSubstr("4 records came, and 9 a moment before"));
  EXPECT_EQ(Judge(5, {}, WalkAccount{.pages = 1, .rows = 9, .records = 9}).kind, Kind::kProven);
}

}  // namespace
}  // namespace patra::domain
