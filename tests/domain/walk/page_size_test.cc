#include "domain/walk/page_size.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::page_size_test {

using ::testing::IsEmpty;

SpecSnapshot Paged(PagingStyle style, std::int64_t size, std::int64_t first_page = 1) {
  SpecSnapshot spec{.http = {.query = {{"rows", "${page.size}"}}}};
  spec.paging.style = style;
  spec.paging.size = size;
  spec.paging.first_page = first_page;
  return spec;
}

// The numbers of the records that a position holds, counted from 0.
std::vector<std::int64_t> RecordsAt(const SpecSnapshot& spec, const Position& at) {
  const auto size = at.size.value_or(spec.paging.size);
  const auto first = spec.paging.style == PagingStyle::kOffset
                         ? *at.page
                         : (*at.page - spec.paging.first_page) * size;
  std::vector<std::int64_t> records;
  for (auto i = first; i < first + size; ++i) records.push_back(i);
  return records;
}

TEST(PartsOfPage, HoldExactlyThePagesRecordsInOrderDownToTheSingleOne) {
  for (const auto style : {PagingStyle::kPage, PagingStyle::kOffset}) {
    for (const std::int64_t size : {2, 5, 7, 25, 36, 100, 1000}) {
      for (const std::int64_t first_page : {0, 1}) {
        const auto spec = Paged(style, size, first_page);
        const Position whole{.page = style == PagingStyle::kOffset ? 3 * size : 3 + first_page};
        std::vector<Position> open{whole};
        std::vector<std::int64_t> alone;
        int rounds = 0;
        while (!open.empty()) {
          ASSERT_LT(++rounds, 4'000);
          const auto at = open.front();
          open.erase(open.begin());
          const auto parts = PartsOfPage(spec, at);
          if (parts.empty()) {
            ASSERT_EQ(at.size, 1);
            alone.push_back(RecordsAt(spec, at).front());
          }
          open.insert(open.begin(), parts.begin(), parts.end());
        }
        EXPECT_EQ(alone, RecordsAt(spec, whole)) << size;
      }
    }
  }
}

TEST(PartsOfPage, AreNoneWhereThePageIsNotOursToCut) {
  EXPECT_THAT(PartsOfPage(Paged(PagingStyle::kPage, 1), {.page = 4}), IsEmpty());
  EXPECT_THAT(PartsOfPage(Paged(PagingStyle::kToken, 100), {.token = "t"}), IsEmpty());
  auto fixed = Paged(PagingStyle::kPage, 100);
  fixed.http.query = {{"page", "${page.number}"}};
  EXPECT_THAT(PartsOfPage(fixed, {.page = 4}), IsEmpty());
}

TEST(CanChoosePageSize, LooksIntoPathsFormsAndBodies) {
  SpecSnapshot spec;
  EXPECT_FALSE(CanChoosePageSize(spec));
  spec.http.json_body = Value::Object{{"paging", Value::Array{Value("${page.size}")}}};
  EXPECT_TRUE(CanChoosePageSize(spec));
  EXPECT_TRUE(CanChoosePageSize({.http = {.path = "/p/${page.size}/"}}));
  EXPECT_TRUE(CanChoosePageSize({.http = {.form_body = {{"n", "${page.size}"}}}}));
}

SliceSpec AnHour() {
  const Instant from{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  return {.window = *Window::Between(from, from + std::chrono::hours(1))};
}

TEST(PageSizeOf, IsWhatSelfHealingAllowsAndNeverMoreThanTheDefinitions) {
  const auto spec = Paged(PagingStyle::kPage, 100);
  EXPECT_EQ(PageSizeOf(spec, AnHour(), {}), 100);
  EXPECT_EQ(PageSizeOf(spec, AnHour(), {.size_max = 25}), 25);
  EXPECT_EQ(PageSizeOf(spec, AnHour(), {.size_max = 500}), 100);
  EXPECT_EQ(PageSizeOf(spec, AnHour(), {.size_max = 0}), 1);
  auto fixed = spec;
  fixed.http.query = {{"page", "${page.number}"}};
  EXPECT_EQ(PageSizeOf(fixed, AnHour(), {.size_max = 25}), 100) << "it is not ours to say";
}

TEST(PageSizeOf, AWalkByPageNumbersGoesOnInPagesOfTheSizeItBeganWith) {
  const auto spec = Paged(PagingStyle::kPage, 100);
  EXPECT_EQ(PageSizeOf(spec, AnHour(), {.resumed_at = Position{.page = 4}, .size_max = 25}), 100);
  EXPECT_EQ(PageSizeOf(spec, AnHour(), {.resumed_at = Position{.page = 4, .size = 50}}), 50);
  const auto by_offset = Paged(PagingStyle::kOffset, 100);
  EXPECT_EQ(PageSizeOf(by_offset, AnHour(), {.resumed_at = Position{.page = 300}, .size_max = 25}),
            25);
}

TEST(PageSizeOf, AWalkThatReadShorterPagesIsRepeatedInTheirSize) {
  auto spec = Paged(PagingStyle::kPage, 100);
  spec.response.total_kind = TotalKind::kExact;
  const WalkAccount short_pages{
      .pages = 3, .rows = 120, .records = 120, .filled = 3, .page_most = 50, .total = 300};
  EXPECT_EQ(PageSizeOf(spec, AnHour(), {.earlier = short_pages}), 50);
}

TEST(AnyRecordOf, IsOneRecordOfThePageAndNotAlwaysTheSame) {
  const auto spec = Paged(PagingStyle::kOffset, 12);
  SeededRandom random(1);
  std::set<std::int64_t> places;
  for (int i = 0; i < 200; ++i) {
    const auto record = AnyRecordOf(spec, {.page = 24}, random);
    ASSERT_TRUE(record);
    EXPECT_EQ(record->size, 1);
    places.insert(RecordsAt(spec, *record).front());
  }
  EXPECT_EQ(places.size(), 12u);
  EXPECT_EQ(*places.begin(), 24);
  EXPECT_EQ(*places.rbegin(), 35);
  EXPECT_EQ(AnyRecordOf(Paged(PagingStyle::kToken, 12), {.token = "t"}, random), std::nullopt);
}

}  // namespace patra::domain::page_size_test
