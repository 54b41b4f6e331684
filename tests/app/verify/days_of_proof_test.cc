#include "app/verify/days_of_proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::app::days_of_proof_test {

using namespace std::chrono_literals;
using contract::GapKind;
using contract::Stretch;

const Instant kBegin = Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1});

Stretch Hours(int from, int to) { return {kBegin + from * 1h, kBegin + to * 1h}; }

contract::SliceRow Slice(int from, int to, std::int64_t received) {
  return {.status = "SUCCEEDED", .window = Hours(from, to), .sums = {.received = received}};
}

TEST(DaysOfProof, SayTheWorstOfEachDayAndHowMuchOfItIsProven) {
  DaysOfProofDraft draft(Hours(12, 5 * 24));
  for (const auto& slice :
       {Slice(12, 18, 3), Slice(18, 40, 4), Slice(40, 48, 5), Slice(0, 12, 100)})
    draft.Add(slice);
  contract::Certificate certificate{.range = Hours(12, 5 * 24)};
  certificate.proven = {{.stretch = Hours(12, 42), .by = {}}, {.stretch = Hours(48, 72), .by = {}}};
  certificate.gaps = {{.stretch = Hours(42, 48), .kind = GapKind::kUnfinished},
                      {.stretch = Hours(72, 80), .kind = GapKind::kNeverPlanned},
                      {.stretch = Hours(80, 100), .kind = GapKind::kFailed},
                      {.stretch = Hours(100, 120), .kind = GapKind::kEarly}};
  EXPECT_EQ(draft.from(), kBegin);
  const auto days = std::move(draft).Finish(certificate);
  ASSERT_EQ(days.size(), 5u);
  EXPECT_FALSE(days[0].worst) << "what of it is in the range is proven";
  EXPECT_EQ(days[0].proven, 1.0);
  EXPECT_EQ(days[0].slices, 2) << "those that begin on it, in the range";
  EXPECT_EQ(days[0].records, 7);
  EXPECT_EQ(days[1].worst, GapKind::kUnfinished);
  EXPECT_EQ(days[1].proven, 0.75);
  EXPECT_EQ(days[1].records, 5);
  EXPECT_FALSE(days[2].worst);
  EXPECT_EQ(days[3].worst, GapKind::kFailed) << "before one that was never planned";
  EXPECT_EQ(days[3].proven, 0.0);
  EXPECT_EQ(days[4].worst, GapKind::kFailed);
}

TEST(DaysOfProof, OfAStretchWithinOneDayAreThatDay) {
  DaysOfProofDraft draft(Hours(3, 4));
  draft.Add(Slice(3, 4, 1));
  contract::Certificate certificate{.range = Hours(3, 4)};
  certificate.proven = {{.stretch = Hours(3, 4), .by = {}}};
  const auto days = std::move(draft).Finish(certificate);
  ASSERT_EQ(days.size(), 1u);
  EXPECT_FALSE(days[0].worst);
  EXPECT_EQ(days[0].slices, 1);
}

TEST(DaysOfProof, OfNothingAreNone) {
  DaysOfProofDraft draft(Hours(3, 3));
  draft.Add(Slice(3, 4, 1));
  contract::Certificate certificate{.range = Hours(0, 24)};
  certificate.proven = {{.stretch = Hours(0, 24), .by = {}}};
  EXPECT_TRUE(std::move(draft).Finish(certificate).empty());
}

}  // namespace patra::app::days_of_proof_test
