#include "domain/plan/slice_spec.h"

#include <gtest/gtest.h>

#include "base/canonical_json.h"

namespace patra::domain::slice_spec_test {

using namespace std::chrono_literals;

SliceSpec Full() {
  return {.dimension = SliceDimension::kId,
          .window = *Window::Between(Instant(0h), Instant(1h)),
          .pages = PageBounds{.from = 1, .to = 201, .size = 100, .base1 = false},
          .ids = IdBounds{.from = "a", .to = "b", .hash_bucket = 7},
          .split = {{.name = "crdt", .from = "1", .to = "2"}},
          .phase = {.two_phase = true, .id_batch_size = 200},
          .pagination = {.style = PagingStyle::kToken, .offset = 1, .page = 2, .token = "*"},
          .safety_lag = 10min,
          .watermark_key = "updated_at",
          .budget = {.requests_max = 800,
                     .records_max = 9'000,
                     .duration_max = 900s,
                     .pause = 5min,
                     .priority = 3},
          .expected_records = 42'000,
          .expected_requests = 420,
          .budget_hint = BudgetHint{.permits = 10, .concurrency = 2, .horizon = 1h},
          .comment = "why"};
}

TEST(SliceSpec, IsReadBackAsItWasWritten) {
  const auto read = SliceSpec::FromValue(Full().ToValue());
  ASSERT_TRUE(read) << read.error().Describe();
  EXPECT_EQ(*read, Full());
}

// The fields that no slice goes without.
TEST(SliceSpec, HasTheMandatoryFieldsUnderTheirNames) {
  const auto value = SliceSpec{.window = *Window::Between(Instant(0h), Instant(1h))}.ToValue();
  EXPECT_EQ(*value.Find("dimension")->AsString(), "TIME");
  EXPECT_NE(value.Find("bounds")->Find("time")->Find("from"), nullptr);
  EXPECT_EQ(*value.Find("pagination")->Find("type")->AsString(), "PAGE");
  for (const auto* name : {"maxRequests", "maxRecords", "maxDurationSec", "priority"})
    EXPECT_NE(value.Find("budget")->Find(name), nullptr) << name;
}

TEST(SliceSpec, IdentityLeavesOutBudgetAndExpectations) {
  auto other = Full();
  other.budget = {};
  other.budget_hint.reset();
  other.expected_records.reset();
  other.expected_requests.reset();
  other.comment.clear();
  other.safety_lag.reset();
  EXPECT_EQ(CanonicalJson(other.Identity()), CanonicalJson(Full().Identity()));
  other.ids->to = "c";
  EXPECT_NE(CanonicalJson(other.Identity()), CanonicalJson(Full().Identity()));
}

TEST(SliceBudget, IsUsedUpByTheFirstOfItsPartsThatIs) {
  const SliceBudget budget{.requests_max = 10, .records_max = 500, .duration_max = 90s};
  EXPECT_EQ(WhatIsUsedUp(budget, {.requests = 9, .records = 499, .elapsed = 89s}), std::nullopt);
  EXPECT_EQ(WhatIsUsedUp(budget, {.requests = 10}), "10 requests");
  EXPECT_EQ(WhatIsUsedUp(budget, {.records = 501}), "500 records");
  EXPECT_EQ(WhatIsUsedUp(budget, {.elapsed = 2min}), "1m 30s");
  EXPECT_EQ(WhatIsUsedUp({}, {.requests = 1'000'000, .records = 1'000'000, .elapsed = 24h}),
            std::nullopt);
}

TEST(SliceSpec, RefusesWhatIsNoSlice) {
  EXPECT_FALSE(SliceSpec::FromValue(Value::Object{}));
  auto value = Full().ToValue();
  value["dimension"] = "COLOUR";
  EXPECT_FALSE(SliceSpec::FromValue(value));
  value = Full().ToValue();
  value["pagination"]["type"] = "GUESS";
  EXPECT_FALSE(SliceSpec::FromValue(value));
}

}  // namespace patra::domain::slice_spec_test
