// How the candidates of a plan are found.
#include "domain/spec/enumerator.h"

#include <gtest/gtest.h>

namespace patra::domain::enumerator_test {

SpecSnapshot Searched() {
  SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  spec.response.total = "$.total";
  spec.response.total_kind = TotalKind::kExact;
  return spec;
}

struct Enumerated {
  Enumerator kind;
  const char* operation;
  void (*change)(SpecSnapshot&);
};

TEST(Enumeration, FollowsFromWhatTheEndpointCanDo) {
  const auto same = [](SpecSnapshot&) {};
  const auto has_details = [](SpecSnapshot& spec) { spec.details = DetailSpec{}; };
  const auto is_refreshed = [](SpecSnapshot& spec) {
    spec.details = DetailSpec{.for_update_only = true};
  };
  using enum Enumerator;
  const Enumerated cases[] = {
      {kSearchByDateRange, "HARVEST", same},
      {kSearchByDateRange, "BACKFILL", same},
      {kExistingSet, "UPDATE", same},
      {kExistingSet, "UPDATE", has_details},
      {kExistingSet, "UPDATE", is_refreshed},
      {kTwoPhase, "HARVEST", has_details},
      {kTwoPhase, "BACKFILL", has_details},
      {kSearchByDateRange, "HARVEST", is_refreshed},
      {kScanByCursor, "HARVEST",
       [](SpecSnapshot& spec) { spec.window.filter = WindowFilter::kNone; }},
      {kScanByCursor, "HARVEST",
       [](SpecSnapshot& spec) { spec.window.filter = WindowFilter::kClient; }},
      {kNoCount, "HARVEST",
       [](SpecSnapshot& spec) { spec.response.total_kind = TotalKind::kNone; }},
      {kSearchByDateRange, "HARVEST",
       [](SpecSnapshot& spec) { spec.response.total_kind = TotalKind::kEstimate; }}};
  for (const auto& [kind, operation, change] : cases) {
    auto spec = Searched();
    spec.operation = operation;
    change(spec);
    EXPECT_EQ(EnumerationOf(spec).kind, kind) << operation << ' ' << CodeOf(kind);
  }
}

TEST(Enumeration, OfTwoPhasesAlsoSaysHowTheIdsAreListed) {
  auto spec = Searched();
  spec.details = DetailSpec{};
  EXPECT_EQ(EnumerationOf(spec), (Enumeration{.kind = Enumerator::kTwoPhase,
                                              .gives_ids = true,
                                              .knows_time = true,
                                              .is_counted = true}));
  spec.window.filter = WindowFilter::kNone;
  spec.response.total_kind = TotalKind::kNone;
  EXPECT_EQ(EnumerationOf(spec), (Enumeration{.kind = Enumerator::kTwoPhase,
                                              .gives_ids = true,
                                              .knows_time = false,
                                              .is_counted = false}));
}

TEST(Enumeration, AsksByIdOnlyWhereThePlanDoes) {
  auto spec = Searched();
  spec.details = DetailSpec{.for_update_only = true};
  EXPECT_FALSE(EnumerationOf(spec).gives_ids) << "the walk of a harvest gives whole records";
  spec.operation = "UPDATE";
  EXPECT_TRUE(EnumerationOf(spec).gives_ids);
  spec.details.reset();
  EXPECT_FALSE(EnumerationOf(spec).gives_ids);
}

}  // namespace patra::domain::enumerator_test
