#include "domain/walk/proof.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/plan/slice_spec.h"
#include "domain/walk/first_page.h"
#include "domain/walk/isolated_page.h"

namespace patra::domain::proof_test {

using ::testing::HasSubstr;
using ::testing::Optional;

TEST(WhyUnproven, AProviderThatIgnoresItsFilterProvesNothing) {
  SpecSnapshot spec;
  EXPECT_EQ(WhyUnproven(spec, {}, std::nullopt), std::nullopt);
  EXPECT_EQ(WhyUnproven(spec, {.received = 100, .outside = 5}, 100), std::nullopt);
  EXPECT_THAT(WhyUnproven(spec, {.received = 100, .outside = 6}, 100),
              Optional(HasSubstr("6 of 100 records lie outside")));
  EXPECT_TRUE(WhyUnproven(spec, {.received = 1, .outside = 1}, 1));
  spec.window.outside_max = 0.5;
  EXPECT_EQ(WhyUnproven(spec, {.received = 100, .outside = 50}, 100), std::nullopt);
  spec.window.outside_max = 0;
  EXPECT_TRUE(WhyUnproven(spec, {.received = 100, .outside = 1}, 100));
}

TEST(WhyUnproven, APageInQuarantineIsAGap) {
  EXPECT_THAT(WhyUnproven({}, {.received = 201, .isolated_pages = 1}, 300),
              Optional(HasSubstr("300 records announced, 200 received")));
  EXPECT_TRUE(WhyUnproven({}, {.received = 1, .isolated_pages = 1}, std::nullopt));
}

TEST(LeadsOn, WhereWeCountOurselvesAndNotForEver) {
  SpecSnapshot spec;
  const auto leads_on = [&](PagingStyle style, int in_a_row = 1) {
    spec.paging.style = style;
    return LeadsOn(spec, in_a_row);
  };
  EXPECT_TRUE(leads_on(PagingStyle::kPage));
  EXPECT_TRUE(leads_on(PagingStyle::kOffset));
  EXPECT_FALSE(leads_on(PagingStyle::kToken));
  EXPECT_FALSE(leads_on(PagingStyle::kUrl));
  EXPECT_FALSE(leads_on(PagingStyle::kTime));
  EXPECT_FALSE(leads_on(PagingStyle::kPage, 11));
  spec.paging.step = OffsetStep::kReceived;
  EXPECT_FALSE(leads_on(PagingStyle::kOffset)) << "how many there were is not known";
}

TEST(OwesTotal, OnlyTheFirstPageWhereTheDefinitionSaysSo) {
  const Instant from{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const SliceSpec slice{.window = Window::Between(from, from + std::chrono::hours(1)).value()};
  SpecSnapshot spec;
  EXPECT_FALSE(OwesTotal(spec, slice, {.page = 1}));
  spec.response.total = "$.total";
  spec.response.total_kind = TotalKind::kExact;
  EXPECT_FALSE(OwesTotal(spec, slice, {.page = 1})) << "then every page does, and its reader knows";
  spec.response.total_on_first_page = true;
  EXPECT_TRUE(OwesTotal(spec, slice, {.page = 1}));
  EXPECT_FALSE(OwesTotal(spec, slice, {.page = 2}));
  EXPECT_TRUE(OwesTotal(spec, slice, {}));
  EXPECT_FALSE(OwesTotal(spec, slice, {.token = "x"}));
  EXPECT_TRUE(OwesTotal(spec, slice, {.time = from}));
  EXPECT_FALSE(OwesTotal(spec, slice, {.time = from + Duration(1)}));
  EXPECT_FALSE(OwesTotal(spec, slice, {.is_detail = true}));
  spec.paging.first_token = "*";
  EXPECT_TRUE(OwesTotal(spec, slice, {.token = "*"}));
}

class ProvenEdgeTest : public ::testing::Test {
 protected:
  std::optional<Instant> Edge() {
    return *ProvenEdge(spec_, {.slice = slice_,
                               .is_sound = is_sound_,
                               .has_batches = has_batches_,
                               .newest = newest_,
                               .provable_to = provable_to_});
  }

  const Instant from_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  SpecSnapshot spec_{.paging = {.style = PagingStyle::kTime}};
  SliceSpec slice_{.window = *Window::Between(from_, from_ + std::chrono::hours(8))};
  bool is_sound_ = true;
  bool has_batches_ = true;
  std::optional<Instant> newest_ = from_ + std::chrono::hours(3) + std::chrono::milliseconds(1);
  std::optional<Instant> provable_to_;
};

TEST_F(ProvenEdgeTest, IsTheLastRecordOfASortedListWhereTheProviderCanCut) {
  EXPECT_EQ(Edge(), from_ + std::chrono::hours(3));
  provable_to_ = from_ + std::chrono::hours(2);
  EXPECT_EQ(Edge(), provable_to_) << "what the provider had not reached yet is not proven";
}

TEST_F(ProvenEdgeTest, NeedsAListThatIsSortedByTheTimeItIsFilteredBy) {
  spec_.paging.style = PagingStyle::kPage;
  EXPECT_EQ(Edge(), std::nullopt);
  spec_.order = {.direction = SortDirection::kAsc, .stable = true};
  EXPECT_EQ(Edge(), std::nullopt);
  spec_.window.updated_is_filtered = true;
  EXPECT_TRUE(Edge());
  spec_.order.by = "id";
  EXPECT_EQ(Edge(), std::nullopt) << "what comes last is not the latest";
  spec_.order.by = spec_.window.watermark_key;
  EXPECT_TRUE(Edge());
  spec_.order.stable = false;
  EXPECT_EQ(Edge(), std::nullopt);
}

TEST_F(ProvenEdgeTest, NeedsAWalkThatNothingSpeaksAgainst) {
  is_sound_ = false;
  EXPECT_EQ(Edge(), std::nullopt);
  is_sound_ = true;
  has_batches_ = false;
  EXPECT_EQ(Edge(), std::nullopt);
  has_batches_ = true;
  slice_.split = {{.name = "kind", .value = "a"}};
  EXPECT_EQ(Edge(), std::nullopt) << "others have the rest of that time";
}

TEST_F(ProvenEdgeTest, LiesWithinTheWindow) {
  newest_ = from_;
  EXPECT_EQ(Edge(), std::nullopt);
  newest_ = slice_.window.to();
  EXPECT_EQ(Edge(), std::nullopt);
  newest_.reset();
  EXPECT_EQ(Edge(), std::nullopt);
}

}  // namespace patra::domain::proof_test
