#include "domain/plan/sum_of_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::sum_of_parts_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

const Instant kFrom{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
const SliceSpec kWhole{.window = *Window::Between(kFrom, kFrom + 24h)};

SpecSnapshot Counted() {
  SpecSnapshot spec;
  spec.response.total_kind = TotalKind::kExact;
  return spec;
}

SumOfParts Sum(std::int64_t announced, std::int64_t parts,
               std::optional<std::int64_t> now = std::nullopt) {
  return {.window = kWhole.window, .announced = announced, .parts = parts, .now = now};
}

TEST(SumOfParts, PartsThatAnnounceAsMuchAsTheirWholeReachIt) {
  EXPECT_EQ(Judge(Sum(100, 100), false), PartsVerdict::kReach);
  EXPECT_EQ(Judge(Sum(100, 120), false), PartsVerdict::kReach)
      << "records at an end may be in two of them";
  EXPECT_EQ(Judge(Sum(0, 0), false), PartsVerdict::kReach);
}

TEST(SumOfParts, ASmallerSumAloneProvesNothingAndTheWholeIsAskedOnceMore) {
  EXPECT_EQ(Judge(Sum(100, 99), false), PartsVerdict::kAskWhole);
  EXPECT_EQ(Judge(Sum(100, 99, 99), false), PartsVerdict::kReach) << "one has left";
  EXPECT_EQ(Judge(Sum(100, 99, 90), false), PartsVerdict::kReach);
  EXPECT_EQ(Judge(Sum(100, 99, 100), false), PartsVerdict::kFallShort);
  EXPECT_EQ(Judge(Sum(100, 90, 91), false), PartsVerdict::kFallShort)
      << "nine have left, and one is in no part";
}

TEST(SumOfParts, WhereRecordsMayComeInThePartsAreAskedBeforeTheyFallShort) {
  auto sum = Sum(100, 90, 95);
  EXPECT_EQ(Judge(sum, true), PartsVerdict::kAskParts);
  sum.parts_now = 95;
  EXPECT_EQ(Judge(sum, true), PartsVerdict::kReach) << "what came in is in one of them";
  sum.parts_now = 94;
  EXPECT_EQ(Judge(sum, true), PartsVerdict::kFallShort);
  EXPECT_THAT(WhyShort(Counted(), sum), HasSubstr("94 for the slices"));
  EXPECT_EQ(Judge(Sum(100, 90, 90), true), PartsVerdict::kReach);
}

TEST(SumOfParts, OnlyExactTotalsOfStretchesOfTimeAreOwed) {
  EXPECT_EQ(OwedByParts(Counted(), kWhole, 100, 2), 100);
  EXPECT_EQ(OwedByParts(Counted(), kWhole, std::nullopt, 2), std::nullopt);
  EXPECT_EQ(OwedByParts(Counted(), kWhole, 100, 1), std::nullopt) << "it is the same slice again";
  for (const auto kind : {TotalKind::kNone, TotalKind::kEstimate}) {
    auto spec = Counted();
    spec.response.total_kind = kind;
    EXPECT_EQ(OwedByParts(spec, kWhole, 100, 2), std::nullopt);
  }
  auto pages = kWhole;
  pages.dimension = SliceDimension::kPage;
  EXPECT_EQ(OwedByParts(Counted(), pages, 100, 2), std::nullopt);
}

TEST(SumOfParts, WhatFallsShortNamesBothNumbersAndWhereToLook) {
  auto spec = Counted();
  const auto why = WhyShort(spec, Sum(1'950, 1'000, 1'940));
  EXPECT_THAT(why, HasSubstr("1940 records are announced for " + kWhole.window.Describe()));
  EXPECT_THAT(why, HasSubstr("1000 for the slices that it was cut into: 940 are in none of them"));
  EXPECT_THAT(why, HasSubstr("window: {ends, granularity}"));
  EXPECT_THAT(why, HasSubstr("‹source.preview›"));
  EXPECT_THAT(why, Not(HasSubstr("split_by")));
  spec.paging.split_by = {{.name = "kind", .values = {"a", "b"}}};
  EXPECT_THAT(WhyShort(spec, Sum(1'950, 1'000, 1'940)), HasSubstr("split_by"));
}

TEST(SumOfParts, PartsThatHaveFarMoreThanTheirWholeAnnouncedShowWhereCountingEnds) {
  EXPECT_TRUE(IsCap(Sum(437, 874)));
  EXPECT_FALSE(IsCap(Sum(437, 437)));
  EXPECT_FALSE(IsCap(Sum(437, 450))) << "some may have come in since";
  EXPECT_FALSE(IsCap(Sum(19, 38))) << "so few are no limit";
}

}  // namespace patra::domain::sum_of_parts_test
