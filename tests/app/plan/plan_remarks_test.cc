// What a plan says about itself.
#include "app/plan/plan_remarks.h"

#include <gtest/gtest.h>

namespace patra::app::plan_remarks_test {

using namespace std::chrono_literals;
using domain::Operation;
using domain::SpecSnapshot;

SpecSnapshot Spec() {
  SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  spec.paging.ends = {domain::WalkEnd::kTotalReached};
  spec.response.total = "$.total";
  spec.response.total_kind = domain::TotalKind::kExact;
  return spec;
}

Value RemarksOf(const SpecSnapshot& spec) {
  const Instant day{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const domain::Plan plan{.lane = {"demo", "items", Operation::kHarvest},
                          .cursor = {.scope = "EXPR", .key = "k"},
                          .window = *domain::Window::Between(day, day + 24h)};
  const PlanOptions options{.requests_max = 800, .warnings = {"careful"}};
  const domain::PriceTag price{.slices = 210, .records = 42'000, .rate_per_second = 5.0};
  return PlanRemarks({spec, plan, options, price, "why"});
}

TEST(PlanRemarks, HasEveryField) {
  const auto remarks = RemarksOf(Spec());
  EXPECT_EQ(*remarks.Find("totalEstimated"), Value(42'000));
  EXPECT_EQ(*remarks.Find("sliceCount"), Value(210));
  EXPECT_EQ(*remarks.Find("window")->Find("from"), Value("2026-01-01T00:00:00Z"));
  EXPECT_EQ(*remarks.Find("window")->Find("to"), Value("2026-01-02T00:00:00Z"));
  EXPECT_EQ(*remarks.Find("window")->Find("safetyLag"), Value("PT10M"));
  EXPECT_EQ(*remarks.Find("budget")->Find("maxRequests"), Value(800));
  EXPECT_EQ(*remarks.Find("budget")->Find("qps"), Value(5.0));
  EXPECT_EQ(*remarks.Find("warnings"), Value(Value::Array{"careful"}));
  EXPECT_EQ(*remarks.Find("degradation"), Value(Value::Array{}));
  EXPECT_EQ(*remarks.Find("namespace")->Find("key"), Value("k"));
}

struct Degraded {
  const char* name;
  void (*change)(SpecSnapshot&);
};

TEST(PlanRemarks, EveryDegradationHasItsName) {
  const Degraded cases[] = {
      {"noCount", [](SpecSnapshot& spec) { spec.response.total_kind = domain::TotalKind::kNone; }},
      {"hasNextByPageSize",
       [](SpecSnapshot& spec) { spec.paging.ends = {domain::WalkEnd::kShortPage}; }},
      {"tokenNotReplayable", [](SpecSnapshot& spec) { spec.paging.replayable = false; }},
      {"clientFilter",
       [](SpecSnapshot& spec) { spec.window.filter = domain::WindowFilter::kClient; }},
      {"fullScan", [](SpecSnapshot& spec) { spec.window.filter = domain::WindowFilter::kNone; }}};
  for (const auto& [name, change] : cases) {
    auto spec = Spec();
    change(spec);
    EXPECT_EQ(*RemarksOf(spec).Find("degradation"), Value(Value::Array{name}));
  }
}

TEST(PlanRemarks, NamesTheEnumeratorThatTheDomainDecidedOn) {
  auto spec = Spec();
  EXPECT_EQ(*RemarksOf(spec).Find("enumerator"), Value("SearchByDateRange"));
  spec.operation = "UPDATE";
  EXPECT_EQ(*RemarksOf(spec).Find("enumerator"), Value("ExistingSet"));
}

}  // namespace patra::app::plan_remarks_test
