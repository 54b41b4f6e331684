#include "domain/plan/wide_slice.h"

#include <gtest/gtest.h>

#include "domain/plan/cut_rest.h"

namespace patra::domain {
namespace {

using namespace std::chrono_literals;

constexpr Duration kYears = 24h * 365 * 24;

SpecSnapshot Source() {
  SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  spec.paging.size = 100;
  spec.window.width = 1h;
  spec.window.width_max = 24h;
  spec.response.total_kind = TotalKind::kExact;
  return spec;
}

SliceSpec Slice(Duration width = kYears) {
  const Instant from{std::chrono::sys_days{std::chrono::year{2002} / 1 / 1}};
  return {.window = *Window::Between(from, from + width)};
}

int PiecesOf(const SpecSnapshot& spec, const SliceSpec& slice, std::int64_t announced) {
  const auto cut = CutOfWide(spec, slice, {.announced = announced, .leads_on = true});
  return cut ? cut->pieces : 1;
}

TEST(WideSlice, OfAQueryWithFewHitsIsReadAsItIs) {
  EXPECT_EQ(PiecesOf(Source(), Slice(), 454), 1);
  EXPECT_EQ(PiecesOf(Source(), Slice(), 0), 1);
  EXPECT_EQ(PiecesOf(Source(), Slice(), 2'000), 1) << "20 pages";
}

TEST(WideSlice, OfMoreIsCutSoThatSeveralWorkersHaveSomethingToDo) {
  EXPECT_EQ(PiecesOf(Source(), Slice(), 5'000), 5) << "ten requests each";
  EXPECT_EQ(PiecesOf(Source(), Slice(), 100'000), 16);
}

TEST(WideSlice, OfMuchMoreIsCutSoThatNoneHoldsTooMuch) {
  EXPECT_EQ(PiecesOf(Source(), Slice(), 10'000'000), kPiecesMax);
  auto spec = Source();
  spec.paging.reach = 1'000;
  EXPECT_GE(PiecesOf(spec, Slice(), 3'000), 6) << "half of what paging reaches";
  spec.paging.reach.reset();
  spec.paging.replayable = false;
  EXPECT_GE(PiecesOf(spec, Slice(), 20'000), 20) << "a walk that starts over has to be short";
}

TEST(WideSlice, CountsTheRequestsForDetails) {
  auto spec = Source();
  spec.paging.size = 10'000;
  spec.details = DetailSpec{.id_batch_size = 200};
  EXPECT_EQ(PiecesOf(spec, Slice(), 2'000), 1);
  EXPECT_EQ(PiecesOf(spec, Slice(), 9'000), 4) << "46 requests";
}

TEST(WideSlice, IsCutAgainOnlyWhereAPieceHoldsTooMuch) {
  auto piece = Slice(kYears / 16);
  piece.total_of_whole = 100'000;
  EXPECT_EQ(PiecesOf(Source(), piece, 9'000), 1);
  EXPECT_GE(PiecesOf(Source(), piece, 60'000), 6);
}

TEST(WideSlice, IsCutToTheDefinitionsWidthWhereNothingIsAnnounced) {
  auto spec = Source();
  spec.response.total_kind = TotalKind::kEstimate;
  EXPECT_FALSE(CutOfWide(spec, Slice(), {.leads_on = false})) << "one page is all";
  const auto cut = CutOfWide(spec, Slice(), {.leads_on = true});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->pieces, kPiecesMax);
  EXPECT_FALSE(CutOfWide(spec, Slice(24h), {.leads_on = true})) << "as wide as the definition says";
}

TEST(WideSlice, IsNoSliceThatTheDefinitionOrHistoryMade) {
  EXPECT_EQ(PiecesOf(Source(), Slice(24h), 1'000'000), 1);
  auto uncounted = Source();
  uncounted.response.total_kind = TotalKind::kNone;
  EXPECT_FALSE(CutOfWide(uncounted, Slice(), {.leads_on = true}));
  auto part = Slice();
  part.split = {{.name = "created"}};
  EXPECT_EQ(PiecesOf(Source(), part, 1'000'000), 1);
}

}  // namespace
}  // namespace patra::domain
