#include "domain/item/elsewhere.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::elsewhere_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Optional;

constexpr Id kPlan = 7;
const Instant kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

Window Days(int from, int to) { return *Window::Between(kBegin + from * 24h, kBegin + to * 24h); }

// Of one record that is dated `date`, and was stored with another or the same date by a slice over `there`.
class OneRecord {
 public:
  Instant date = kBegin + 12h;
  std::optional<Instant> before{};  // else the same
  Window there = Days(0, 1);
  Window here = Days(4, 5);
  Id plan = kPlan;
  bool are_dated = true;

  bool came_elsewhere() const {
    Record record{.id = "a"};
    record.version.updated_at = date;
    const std::vector met{MetVersion{&record, 9, before.value_or(date)}};
    const auto plan_window = Days(0, 9);
    return CountElsewhere(met, {{9, {.plan = plan, .window = there}}},
                          {.plan = kPlan,
                           .plan_window = plan_window,
                           .window = here,
                           .are_dated = are_dated,
                           .step = 1s}) == 1;
  }
};

TEST(Elsewhere, ARecordOfAnotherWindowIsCountedWhateverItsDates) {
  OneRecord record;
  EXPECT_TRUE(record.came_elsewhere()) << "a list that does not look at the window";
  record.before = record.date;
  record.date = kBegin + 4 * 24h + 12h;
  EXPECT_TRUE(record.came_elsewhere()) << "two records under one id";
  record.here = Days(1, 2);
  EXPECT_TRUE(record.came_elsewhere()) << "also of neighbours";
}

TEST(Elsewhere, WhatIsOfAnotherPlanOrOfAWindowWithCommonMomentsIsNot) {
  OneRecord record;
  record.plan = kPlan + 1;
  EXPECT_FALSE(record.came_elsewhere());
  record.plan = kPlan;
  record.there = Days(0, 5);
  EXPECT_FALSE(record.came_elsewhere()) << "of what this one was cut from";
  record.there = record.here;
  EXPECT_FALSE(record.came_elsewhere()) << "an earlier walk, or another part of the same time";
}

TEST(Elsewhere, WhatLiesWhereTwoWindowsMeetMayBelongToBoth) {
  OneRecord record;
  record.there = Days(3, 4);
  for (const auto from_end : {-20h, 0h, 20h}) {
    record.date = kBegin + 4 * 24h + from_end;
    EXPECT_FALSE(record.came_elsewhere()) << "a provider that counts in days";
  }
  record.date = kBegin + 4 * 24h - 25h;
  EXPECT_TRUE(record.came_elsewhere());
  record.are_dated = false;
  EXPECT_FALSE(record.came_elsewhere()) << "nobody knows where it lies";
  record.there = Days(2, 3);
  EXPECT_TRUE(record.came_elsewhere());
}

TEST(Elsewhere, WhatHasChangedSinceThePlanWasMadeIsInNoWindowOfIt) {
  OneRecord record;
  record.before = record.date;
  record.date = kBegin + 9 * 24h;
  EXPECT_FALSE(record.came_elsewhere());
  record.date = kBegin + 8 * 24h + 1h;
  EXPECT_TRUE(record.came_elsewhere());
  const Instant today = kBegin + 8 * 24h;
  record.date = today;
  EXPECT_TRUE(record.came_elsewhere()) << "a day before the plan";
  std::swap(record.date, *record.before);
  record.before = kBegin + 9 * 24h;
  EXPECT_FALSE(record.came_elsewhere()) << "an older version, from a copy that lags behind";
}

TEST(WhyElsewhere, MostOfWhatASliceBringsHasToBeItsOwn) {
  const SpecSnapshot spec{};
  const SliceSpec slice{.window = Days(0, 1)};
  const auto why = [&](const SpecSnapshot& with, const SliceSpec& of, std::int64_t elsewhere) {
    RecordCounts counts{.received = 30, .inserted = 30 - elsewhere, .updated = elsewhere};
    counts.elsewhere = elsewhere;
    return WhyElsewhere(with, of, {}, counts);
  };
  EXPECT_EQ(why(spec, slice, 20), std::nullopt);
  EXPECT_THAT(why(spec, slice, 21),
              Optional(HasSubstr("21 of 30 records came with other windows")));
  auto repeats = spec;
  repeats.response.repeats = true;
  EXPECT_EQ(why(repeats, slice, 30), std::nullopt);
  auto whole_list = spec;
  whole_list.window.filter = WindowFilter::kNone;
  EXPECT_EQ(why(whole_list, slice, 30), std::nullopt);
  auto part = slice;
  part.split = {{.name = "set", .value = "a"}};
  EXPECT_EQ(why(spec, part, 30), std::nullopt) << "a record may be in two sets";
  auto pages = slice;
  pages.dimension = SliceDimension::kPage;
  EXPECT_EQ(why(spec, pages, 30), std::nullopt);
}

TEST(WhyElsewhere, FewRecordsTellNothing) {
  const SliceSpec slice{.window = Days(0, 1)};
  RecordCounts counts{.received = 4, .updated = 4};
  counts.elsewhere = 4;
  EXPECT_EQ(WhyElsewhere({}, slice, {}, counts), std::nullopt);
}

// The first walk wrote the records anew: to the second they are its own.
TEST(WhyElsewhere, AWalkThatSawTheSameRemembersWhatTheOneBeforeItMet) {
  const SliceSpec slice{.window = Days(0, 1)};
  WalkMemory memory{.account = {.records = 30, .digest = 5, .is_ended = true}};
  memory = memory.Next(30);
  memory = *WalkMemory::FromValue(memory.ToValue());
  memory.account = {.records = 30, .digest = 5};
  const RecordCounts counts{.received = 30, .unchanged = 30};
  EXPECT_TRUE(WhyElsewhere({}, slice, memory, counts));
  memory.account.digest = 6;
  EXPECT_EQ(WhyElsewhere({}, slice, memory, counts), std::nullopt) << "the provider was mended";
}

}  // namespace patra::domain::elsewhere_test
