#include "domain/plan/slice_width.h"

#include <gtest/gtest.h>

#include "domain/plan/price.h"

namespace patra::domain::slice_width_test {

using namespace std::chrono_literals;

constexpr Duration kMonth = 24h * 30;

SpecSnapshot Source() {
  SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  spec.paging.size = 100;
  spec.window.width = 24h;
  spec.window.width_min = 1min;
  spec.window.width_max = 24h * 30;
  spec.limits = {{.rate = RateSpec{.requests = 10, .per = 1s}}};
  return spec;
}

TEST(ChooseWidth, IsTheDefinitionsWithoutHistory) {
  EXPECT_EQ(ChooseWidth(Source(), kMonth, {}, {}).width, 24h);
  EXPECT_EQ(
      ChooseWidth(Source(), kMonth, SliceHistory{.slices = 1, .records_per_hour = 1e6}, {}).width,
      24h);
}

TEST(ChooseWidth, IsAsWideAsCanBeWhereNothingIsKnownAndFirstPagesAnnounceTotals) {
  auto spec = Source();
  spec.response.total_kind = TotalKind::kExact;
  const Duration years = 24h * 365 * 24;
  EXPECT_GE(ChooseWidth(spec, years, {}, {}).width, years);
  EXPECT_GE(ChooseWidth(spec, years, SliceHistory{.slices = 1}, {}).width, years);
  EXPECT_EQ(
      ChooseWidth(spec, years, SliceHistory{.slices = 9, .records_per_hour = 10'000}, {}).width, 1h)
      << "history knows better";
  EXPECT_EQ(ChooseWidth(spec, 24h * 9, {}, {}).width, 24h) << "they are few as they are";
  EXPECT_EQ(ChooseWidth(Source(), years, {}, {}).width, 24h) << "nobody announces how many";
  auto scarce = spec;
  scarce.limits[0].quotas = {{.requests = 20, .per = 24h}};
  EXPECT_EQ(ChooseWidth(scarce, years, {}, {}).width, 24h) << "a large slice would keep others out";
  spec.window.filter = WindowFilter::kClient;
  EXPECT_EQ(ChooseWidth(spec, years, {}, {}).width, kEverything)
      << "each would read the whole list";
}

TEST(ChooseWidth, WhoDoesNotHearWhereWindowsEndGetsOneSlice) {
  auto spec = Source();
  spec.http.query = {{"since", "${window.from}"}};
  EXPECT_EQ(
      ChooseWidth(spec, 24h * 9, SliceHistory{.slices = 9, .records_per_hour = 10'000}, {}).width,
      kEverything);
  spec.http.query = {{"since", "${window.from}"}, {"until", "${window.to}"}};
  EXPECT_EQ(ChooseWidth(spec, 24h * 9, {}, {}).width, 24h);
}

TEST(ChooseWidth, NeverAsksForMoreThanTheProviderAnswersFor) {
  auto spec = Source();
  spec.response.total_kind = TotalKind::kExact;
  spec.window.longest = 24h * 120;
  EXPECT_EQ(ChooseWidth(spec, 24h * 3650, {}, {}).width, 24h * 120);
  spec.window.longest = spec.window.width_max;
  EXPECT_EQ(ChooseWidth(spec, 24h * 3650, {}, {}).width, 24h);
}

TEST(ChooseWidth, FollowsTheRecordsThatEarlierSlicesBrought) {
  EXPECT_EQ(ChooseWidth(Source(), kMonth, SliceHistory{.slices = 9, .records_per_hour = 10'000}, {})
                .width,
            1h);
  EXPECT_EQ(
      ChooseWidth(Source(), kMonth, SliceHistory{.slices = 9, .records_per_hour = 1}, {}).width,
      24h * 30);
}

TEST(ChooseWidth, StaysBetweenTheDefinitionsBounds) {
  EXPECT_EQ(
      ChooseWidth(Source(), kMonth, SliceHistory{.slices = 9, .records_per_hour = 1e9}, {}).width,
      1min);
  EXPECT_EQ(
      ChooseWidth(Source(), kMonth, SliceHistory{.slices = 9, .records_per_hour = 0}, {}).width,
      24h * 30);
}

TEST(ChooseWidth, IsNeverFinerThanTheProvidersFilter) {
  auto spec = Source();
  spec.window.granularity = Granularity::kDay;
  EXPECT_EQ(ChooseWidth(spec, kMonth, SliceHistory{.slices = 9, .records_per_hour = 1e9}, {}).width,
            24h);
}

TEST(ChooseWidth, KeepsSlicesSmallWhereTokensCannotBeSentTwice) {
  auto spec = Source();
  spec.paging.replayable = false;
  EXPECT_EQ(
      ChooseWidth(spec, kMonth, SliceHistory{.slices = 9, .records_per_hour = 1000}, {}).width, 1h);
  spec.paging.replayable = true;
  EXPECT_EQ(
      ChooseWidth(spec, kMonth, SliceHistory{.slices = 9, .records_per_hour = 1000}, {}).width, 6h);
}

TEST(ChooseWidth, StaysBelowThePageWallAndTheBudget) {
  auto spec = Source();
  spec.paging.reach = 1000;
  const SliceHistory history{.slices = 9, .records_per_hour = 1000};
  EXPECT_EQ(ChooseWidth(spec, kMonth, history, {}).width, 30min);
  EXPECT_EQ(ChooseWidth(Source(), kMonth, history, 1).width, 5min);
}

// BUDGET: slices are as narrow as it takes for their expected requests to fit.
TEST(ChooseWidth, ExpectedRequestsFitTheBudgetAndTheQuota) {
  for (const double per_hour : {50.0, 700.0, 9'000.0}) {
    for (const std::int64_t budget : {5, 20, 60}) {
      for (const bool by_quota : {false, true}) {
        auto spec = Source();
        spec.window.width_min = 1s;
        spec.details = DetailSpec{.id_batch_size = 200};
        if (by_quota) {
          spec.limits[0].quotas = {{.requests = static_cast<int>(budget), .per = 24h}};
          spec.limits[0].quota_reserve = 0;
        }
        const auto width =
            ChooseWidth(spec, kMonth, SliceHistory{.slices = 9, .records_per_hour = per_hour},
                        by_quota ? std::nullopt : std::optional(budget));
        const std::chrono::duration<double, std::ratio<3600>> hours = width.width;
        const auto records = static_cast<std::int64_t>(per_hour * hours.count());
        EXPECT_LE(RequestsFor(spec, records), budget + 1) << width.why << ": a page may be begun";
      }
    }
  }
}

TEST(ChooseWidth, SaysWhetherRequestsOrPagingBoundIt) {
  const SliceHistory history{.slices = 9, .records_per_hour = 1000};
  EXPECT_FALSE(ChooseWidth(Source(), kMonth, history, {}).is_budget);
  EXPECT_FALSE(ChooseWidth(Source(), kMonth, history, 1'000'000).is_budget);
  EXPECT_TRUE(ChooseWidth(Source(), kMonth, history, 3).is_budget);
}

TEST(RequestsFor, CountsPagesAndDetails) {
  EXPECT_EQ(RequestsFor(Source(), 0), 1);
  EXPECT_EQ(RequestsFor(Source(), 101), 2);
  auto spec = Source();
  spec.details = DetailSpec{.id_batch_size = 50};
  EXPECT_EQ(RequestsFor(spec, 101), 2 + 3);
}

TEST(PriceTag, RestsOnHistory) {
  auto spec = Source();
  spec.limits[0].quotas = {{.requests = 1000, .per = 24h}};
  spec.limits[0].quota_reserve = 0;
  const auto price = PriceOf(
      spec, 10, 10h, SliceHistory{.slices = 5, .records_per_hour = 1000, .bytes_per_record = 200});
  EXPECT_EQ(price.records, 10'000);
  EXPECT_EQ(price.requests, 100);
  EXPECT_EQ(price.bytes, 2'000'000);
  EXPECT_DOUBLE_EQ(*price.quota_part, 0.1);
  EXPECT_EQ(price.takes, Duration(10s));
  EXPECT_FALSE(price.requests_are_least);
}

TEST(PriceTag, SaysThatItKnowsLittleWithoutHistory) {
  const auto price = PriceOf(Source(), 50, 50h, {});
  EXPECT_EQ(price.requests, 50);
  EXPECT_TRUE(price.requests_are_least);
  EXPECT_FALSE(price.records);
  EXPECT_NE(price.basis.find("no history"), std::string::npos);
}

TEST(PriceTag, SaysThatFirstPagesWillTell) {
  auto spec = Source();
  spec.response.total_kind = TotalKind::kExact;
  const auto price = PriceOf(spec, 1, 24h * 3650, {});
  EXPECT_EQ(price.requests, 1);
  EXPECT_TRUE(price.requests_are_least);
  EXPECT_NE(price.basis.find("begins with 1 slice,"), std::string::npos) << price.basis;
}

TEST(PriceTag, OfWhatTheProviderAnnouncedIsNoGuess) {
  const auto day = *Window::Between(Instant(), Instant() + 24h);
  const auto price = PriceOfAnnounced(Source(), PriceOf(Source(), 1, 24h, {}), day, 454);
  EXPECT_EQ(price.records, 454);
  EXPECT_EQ(price.requests, 5);
  EXPECT_FALSE(price.requests_are_least);
  EXPECT_NE(price.basis.find("1 request was sent"), std::string::npos) << price.basis;
}

TEST(PriceTag, OfWhatIsCutAtItsFirstPageIsTheLeast) {
  auto spec = Source();
  spec.response.total_kind = TotalKind::kExact;
  const auto years = *Window::Between(Instant(), Instant() + 24h * 3650);
  const auto price = PriceOfAnnounced(spec, PriceOf(spec, 1, years.width(), {}), years, 1'450);
  EXPECT_EQ(price.requests, 1 + 15) << "the first page, and one for each of its parts";
  EXPECT_TRUE(price.requests_are_least);
  EXPECT_NE(price.basis.find("cut into 15 slices"), std::string::npos) << price.basis;
}

TEST(PriceTag, OfIdsCountsBatches) {
  auto spec = Source();
  spec.details = DetailSpec{.id_batch_size = 200};
  EXPECT_EQ(PriceOfIds(spec, 1, 401, {}).requests, 3);
}

TEST(RequestsLeft, AreThePagesOfWhatIsAnnouncedAndNotYetThere) {
  auto spec = Source();
  EXPECT_EQ(RequestsLeft(spec, 1'000, 250, true), 8);
  EXPECT_EQ(RequestsLeft(spec, 1'000, 250, false), 0) << "whatever is missing, the walk is over";
  EXPECT_EQ(RequestsLeft(spec, 1'000, 1'001, true), 0);
  EXPECT_EQ(RequestsLeft(spec, std::nullopt, 250, true), std::nullopt);
  spec.details = DetailSpec{};
  EXPECT_EQ(RequestsLeft(spec, 1'000, 250, true), std::nullopt);
}

}  // namespace patra::domain::slice_width_test
