#include "app/verify/certify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::app::certify_test {

using contract::Certificate;
using contract::GapKind;
using contract::RecordSums;
using contract::SliceRow;
using contract::Stretch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr Duration kHour = std::chrono::hours(1);
const Instant kStart{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
const contract::CoverageKey kKey{"demo", "items", "q"};
const contract::TotalPromise kExact{.kind = "EXACT"};

Stretch Hours(int from, int to) { return {kStart + from * kHour, kStart + to * kHour}; }
domain::Window WindowOf(int from, int to) {
  return *domain::Window::Between(Hours(from, to).from, Hours(from, to).to);
}

SliceRow Slice(Id id, int from, int to, const std::string& status = "SUCCEEDED",
               RecordSums sums = {.announced = 3, .received = 3, .inserted = 3}) {
  return {.id = id,
          .plan = 1,
          .task = id + 1000,
          .scope = {"demo", "items", "HARVEST"},
          .status = status,
          .window = Hours(from, to),
          .sums = sums,
          .closed_at = kStart + std::chrono::days(2) + id * kHour};
}

Certificate Certify(const domain::Window& range, const std::vector<Stretch>& proven,
                    const std::vector<SliceRow>& slices,
                    const contract::TotalPromise& promise = kExact) {
  CertificateDraft draft(kKey, range, proven);
  for (const auto& slice : slices) draft.Add(slice, promise);
  return std::move(draft).Finish(0, kStart + std::chrono::hours(12));
}

TEST(Certificate, AProvenRangeIsCompleteAndNamesThePlanWithItsSums) {
  const auto certificate = Certify(WindowOf(0, 2), {Hours(0, 2)}, {Slice(5, 0, 1), Slice(6, 1, 2)});
  EXPECT_TRUE(certificate.is_complete());
  ASSERT_EQ(certificate.proven.size(), 1u);
  EXPECT_EQ(certificate.proven[0].stretch, Hours(0, 2));
  ASSERT_EQ(certificate.proven[0].by.size(), 1u);
  const auto& by = certificate.proven[0].by[0];
  EXPECT_EQ(by.slices, 2);
  EXPECT_EQ(by.first_slice, 5);
  EXPECT_EQ(by.last_slice, 6);
  EXPECT_EQ(by.closed_last - by.closed_first, kHour);
  EXPECT_EQ(by.by_exact_total, 2);
  EXPECT_EQ(certificate.sums.received, 6);
  EXPECT_EQ(certificate.sums.announced, 6);
}

TEST(Certificate, TwoPlansOfOneStretchAreBothNamed) {
  auto again = Slice(9, 0, 2);
  again.plan = 2;
  const auto certificate = Certify(WindowOf(0, 2), {Hours(0, 2)}, {Slice(5, 0, 2), again});
  EXPECT_EQ(certificate.proven[0].by.size(), 2u);
}

// What it was not cut into it has read itself, and nobody else counts it.
TEST(Certificate, ASliceThatWasCutCountsForThePartThatItHasProven) {
  const auto whole = Slice(4, 0, 8, "PARTIAL", {.announced = 30, .received = 30, .inserted = 30});
  auto before = Slice(5, 0, 2);
  auto behind = Slice(6, 6, 8);
  before.parent = behind.parent = whole.id;
  const auto certificate =
      Certify(WindowOf(0, 8), {Hours(0, 8)}, {whole, before, behind, Slice(7, 8, 9)});
  EXPECT_TRUE(certificate.is_complete());
  EXPECT_EQ(certificate.sums.received, 36);
  EXPECT_EQ(certificate.sums.announced, 36);
  EXPECT_EQ(certificate.proven[0].by[0].slices, 3);
  EXPECT_EQ(certificate.proven[0].by[0].by_exact_total, 3);
}

TEST(Certificate, WhatASliceAnnouncedForItsPartsCountsWithThese) {
  const auto whole =
      Slice(4, 0, 8, "PARTIAL", {.announced = 30, .received = 10, .inserted = 9, .updated = 1});
  auto rest = Slice(5, 2, 8, "SUCCEEDED", {.announced = 20, .received = 20, .inserted = 20});
  rest.parent = whole.id;
  const auto certificate = Certify(WindowOf(0, 8), {Hours(0, 8)}, {whole, rest});
  EXPECT_TRUE(certificate.is_complete());
  EXPECT_EQ(certificate.sums.announced, 30);
  EXPECT_EQ(certificate.sums.received, 30);

  rest.window = Hours(0, 8);
  const auto all = Certify(WindowOf(0, 8), {Hours(0, 8)}, {whole, rest});
  EXPECT_EQ(all.sums.received, 20) << "nothing of what it read is left to it";
}

TEST(Certificate, ASliceThatWasReadTooEarlyCountsForWhatTheProviderHadByThen) {
  auto early = Slice(4, 0, 8, "PARTIAL");
  early.provable_to = Hours(6, 8).from;
  const auto certificate = Certify(WindowOf(0, 8), {Hours(0, 6)}, {early});
  EXPECT_EQ(certificate.sums.received, 3);
  EXPECT_EQ(certificate.proven[0].by[0].slices, 1);
}

TEST(Certificate, WhatOnlyAnEarlierDefinitionProvedIsCompleteForWhatThatOneAsked) {
  CertificateDraft draft(kKey, WindowOf(0, 4), {Hours(0, 3)});
  draft.Add(Slice(1, 0, 1), kExact, {"request.query.type"});
  draft.Add(Slice(2, 1, 2), kExact, {"request.query.type"});
  draft.Add(Slice(3, 1, 2), kExact);
  auto cut = Slice(4, 2, 4, "PARTIAL");
  draft.Add(cut, kExact, {"request.query.type"});
  auto part = Slice(5, 3, 4, "FAILED");
  part.parent = cut.id;
  draft.Add(part, kExact, {"request.query.type"});
  const auto certificate = std::move(draft).Finish(0, kStart + std::chrono::hours(12));
  EXPECT_THAT(certificate.asked_otherwise, ElementsAre(Hours(0, 1), Hours(2, 3)));
  EXPECT_THAT(certificate.asked_otherwise_by, ElementsAre("request.query.type"));
}

TEST(Certificate, WhatWasReadAgainInVainIsStillWhatTheEarlierDefinitionAsked) {
  CertificateDraft draft(kKey, WindowOf(0, 1), {Hours(0, 1)});
  draft.Add(Slice(1, 0, 1), kExact, {"request.path"});
  draft.Add(Slice(2, 0, 1, "PARTIAL"), kExact);
  const auto certificate = std::move(draft).Finish(0, kStart + std::chrono::hours(12));
  EXPECT_THAT(certificate.asked_otherwise, ElementsAre(Hours(0, 1)));
}

TEST(Certificate, WhatTheProviderCouldNotHaveYetIsNamedAndNotMissing) {
  auto early = Slice(2, 1, 3, "PARTIAL");
  early.provable_to = Hours(2, 3).from;
  const auto certificate = Certify(WindowOf(0, 3), {Hours(0, 2)}, {Slice(1, 0, 1), early});
  EXPECT_TRUE(certificate.is_complete());
  ASSERT_EQ(certificate.gaps.size(), 1u);
  EXPECT_EQ(certificate.gaps[0].kind, GapKind::kEarly);
  EXPECT_EQ(certificate.gaps[0].repair, "‹harvest.run demo/items›");
  EXPECT_TRUE(GapsToPlan(certificate).empty());
  // It failed besides: a part before the provider's now is missing.
  EXPECT_FALSE(Certify(WindowOf(0, 3), {Hours(0, 1)}, {Slice(1, 0, 1), early}).is_complete());
}

TEST(Certificate, EveryKindOfGapHasItsReasonAndItsCommand) {
  auto failed = Slice(2, 1, 2, "FAILED");
  failed.gap = "stopped at page 3: connection reset";
  auto partial = Slice(3, 2, 3, "PARTIAL");
  partial.gap = "10 records announced, 9 received";
  const auto certificate = Certify(WindowOf(0, 24), {Hours(0, 1), Hours(6, 7)},
                                   {Slice(1, 0, 1), failed, partial, Slice(4, 3, 4, "EXECUTING"),
                                    Slice(5, 4, 5, "CANCELLED"), Slice(6, 6, 7)});
  EXPECT_FALSE(certificate.is_complete());
  ASSERT_EQ(certificate.gaps.size(), 7u);
  const auto& gaps = certificate.gaps;
  EXPECT_EQ(gaps[0].kind, GapKind::kFailed);
  EXPECT_EQ(gaps[0].stretch, Hours(1, 2));
  EXPECT_THAT(gaps[0].reason, HasSubstr("connection reset"));
  EXPECT_EQ(gaps[0].repair, "‹task.requeue 1002›");
  EXPECT_EQ(gaps[1].kind, GapKind::kPartial);
  EXPECT_THAT(gaps[1].reason, HasSubstr("9 received"));
  EXPECT_EQ(gaps[2].kind, GapKind::kUnfinished);
  EXPECT_EQ(gaps[2].repair, "‹work.drain›");
  EXPECT_EQ(gaps[3].kind, GapKind::kCancelled);
  EXPECT_EQ(gaps[4].kind, GapKind::kNeverPlanned);
  EXPECT_EQ(gaps[4].repair,
            "‹backfill.window demo/items 2026-01-01T05:00:00Z 2026-01-01T06:00:00Z›");
  EXPECT_EQ(gaps[5].kind, GapKind::kNeverPlanned);
  EXPECT_EQ(gaps[5].stretch, Hours(7, 12));
  EXPECT_EQ(gaps[5].repair, "‹harvest.run demo/items›") << "news, not a hole";
  EXPECT_EQ(gaps[6].kind, GapKind::kEarly);
  EXPECT_EQ(gaps[6].stretch, Hours(12, 24)) << "it lies after now";
}

TEST(Certificate, AFailedSliceThatAnotherOneCoveredLeavesNoGap) {
  const auto certificate =
      Certify(WindowOf(0, 2), {Hours(0, 2)}, {Slice(1, 0, 2, "FAILED"), Slice(2, 0, 2)});
  EXPECT_TRUE(certificate.is_complete());
}

TEST(Certificate, TheNewestSliceSaysWhyAStretchIsOpen) {
  const auto certificate =
      Certify(WindowOf(0, 3), {},
              {Slice(1, 0, 3, "FAILED"), Slice(2, 1, 2, "READY"), Slice(3, 2, 3, "PARTIAL")});
  ASSERT_EQ(certificate.gaps.size(), 3u);
  EXPECT_EQ(certificate.gaps[0].slice, 1);
  EXPECT_EQ(certificate.gaps[0].stretch, Hours(0, 1));
  EXPECT_EQ(certificate.gaps[1].slice, 2);
  EXPECT_EQ(certificate.gaps[2].slice, 3);
}

TEST(Certificate, AWholeWhosePartsFallShortSpeaksForAllOfThem) {
  auto whole = Slice(1, 0, 4, "CANCELLED");
  whole.gap = "1950 records are announced for it, and 1000 for its parts";
  whole.cut_total = 1'950;
  whole.parts_total = 1'000;
  whole.whole_total = 1'950;
  auto last = Slice(4, 3, 4, "PARTIAL");
  last.gap = "the same";
  const std::vector<SliceRow> slices{whole, Slice(2, 0, 1), Slice(3, 1, 3), last};
  const auto certificate = Certify(WindowOf(0, 4), {}, slices);
  EXPECT_FALSE(certificate.is_complete());
  ASSERT_EQ(certificate.gaps.size(), 1u);
  const auto& gap = certificate.gaps[0];
  EXPECT_EQ(gap.kind, GapKind::kPartial);
  EXPECT_EQ(gap.stretch, Hours(0, 4));
  EXPECT_EQ(gap.slice, 1);
  EXPECT_THAT(gap.reason, HasSubstr("1950 records are announced"));
  EXPECT_THAT(gap.repair, HasSubstr("backfill.window"))
      << "its last part alone would prove nothing";

  whole.whole_total = 1'000;
  EXPECT_FALSE(whole.falls_short()) << "what is not there any more is in no part";
}

TEST(Certificate, TheRangeCutsStretchesAndGaps) {
  const auto certificate = Certify(WindowOf(2, 6), {Hours(0, 4)}, {Slice(1, 0, 4)});
  EXPECT_EQ(certificate.proven[0].stretch, Hours(2, 4));
  EXPECT_EQ(certificate.proven[0].by[0].slices, 1);
  ASSERT_EQ(certificate.gaps.size(), 1u);
  EXPECT_EQ(certificate.gaps[0].stretch, Hours(4, 6));
}

TEST(Certificate, NothingKnownIsOneGap) {
  const auto certificate = Certify(WindowOf(0, 6), {}, {});
  ASSERT_EQ(certificate.gaps.size(), 1u);
  EXPECT_EQ(certificate.gaps[0].stretch, Hours(0, 6));
}

struct BalanceCase {
  const char* name;
  RecordSums sums;
  contract::TotalPromise promise;
  const char* why;  // empty: balances
};

class Balance : public ::testing::TestWithParam<BalanceCase> {};

TEST_P(Balance, IsJudgedByWhatTheProviderTells) {
  const auto& [name, sums, promise, why] = GetParam();
  const auto certificate =
      Certify(WindowOf(0, 1), {Hours(0, 1)}, {Slice(1, 0, 1, "SUCCEEDED", sums)}, promise);
  EXPECT_EQ(certificate.is_complete(), std::string_view(why).empty());
  for (const auto& imbalance : certificate.imbalances)
    EXPECT_THAT(imbalance.reason, HasSubstr(why));
}

INSTANTIATE_TEST_SUITE_P(
    Table, Balance,
    ::testing::Values(
        BalanceCase{"Exact", {.announced = 2, .received = 2, .updated = 2}, kExact, ""},
        BalanceCase{"OneMissing",
                    {.announced = 3, .received = 2, .updated = 2},
                    kExact,
                    "3 records announced, 2 received"},
        BalanceCase{"ListedTwiceAndCountedTwice",
                    {.announced = 3, .received = 3, .inserted = 2, .unchanged = 1, .repeated = 1},
                    kExact,
                    ""},
        BalanceCase{"ListedTwiceAndCountedOnce",
                    {.announced = 2, .received = 3, .inserted = 2, .unchanged = 1, .repeated = 1},
                    kExact,
                    ""},
        BalanceCase{"TwiceMakesUpForNothing",
                    {.announced = 4, .received = 3, .inserted = 2, .unchanged = 1, .repeated = 1},
                    kExact,
                    "4 records announced, 2 received"},
        BalanceCase{"Unaccounted", {.received = 2, .updated = 1}, kExact, "1 accounted for"},
        BalanceCase{"NoTotal", {.received = 2, .updated = 2}, {.kind = "NONE"}, ""},
        BalanceCase{"NearEnough",
                    {.announced = 100, .received = 95, .inserted = 95},
                    {.kind = "ESTIMATE", .within = 0.05},
                    ""},
        BalanceCase{"TooFarOff",
                    {.announced = 100, .received = 94, .inserted = 94},
                    {.kind = "ESTIMATE", .within = 0.05},
                    "94 received"},
        BalanceCase{"QuarantinedCounts",
                    {.announced = 2, .received = 2, .updated = 1, .quarantined = 1},
                    kExact,
                    ""}),
    [](const auto& balance) { return std::string(balance.param.name); });

TEST(Certificate, WhatDidNotAddUpIsRightOnceItWasReadAgain) {
  const RecordSums wrong{.announced = 3, .received = 2, .inserted = 2};
  const std::vector slices{Slice(1, 0, 2, "SUCCEEDED", wrong), Slice(2, 0, 1), Slice(3, 1, 2)};
  const auto judge = [&](std::size_t newer) {
    CertificateDraft draft(kKey, WindowOf(0, 2), {Hours(0, 2)});
    draft.Add(slices[0], kExact);
    EXPECT_TRUE(draft.has_imbalances());
    for (std::size_t i = 0; i <= newer; ++i) draft.Outdate(slices[i], kExact);
    return std::move(draft).Finish(0, kStart + std::chrono::hours(12));
  };
  EXPECT_FALSE(judge(0).is_complete());
  EXPECT_FALSE(judge(1).is_complete()) << "half of it";
  EXPECT_THAT(WindowsToReadAgain(judge(1)), ElementsAre(WindowOf(0, 2)));
  EXPECT_TRUE(judge(2).is_complete());
}

TEST(GapsToPlan, LeavesOutWhatWillBeFetchedAnywayAndJoinsNeighbours) {
  const auto certificate =
      Certify(WindowOf(0, 6), {Hours(0, 1)},
              {Slice(1, 1, 2, "FAILED"), Slice(2, 2, 3, "PARTIAL"), Slice(3, 3, 4, "READY")});
  EXPECT_THAT(GapsToPlan(certificate), ElementsAre(WindowOf(1, 3), WindowOf(4, 6)));
  EXPECT_THAT(GapsToPlan(Certify(WindowOf(0, 1), {Hours(0, 1)}, {})), IsEmpty());
}

}  // namespace patra::app::certify_test
