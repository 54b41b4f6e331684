#include "app/execute/outside_window.h"

#include <gtest/gtest.h>

namespace patra::app::outside_window_test {

using namespace std::chrono_literals;

// A record far behind the window, as a provider sends it that hears only where windows begin.
TEST(TakeOutOutside,
     WhatLiesBehindAWindowWhoseEndNobodyTellsIsLeftOutAndNotHeldAgainstTheProvider) {
  const Instant from{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const auto window = *domain::Window::Between(from, from + 24h);
  domain::SpecSnapshot spec;
  spec.window.updated_is_filtered = true;
  spec.response.updated = "$.updated";
  const auto take_out = [&](Duration at) {
    domain::PageContent page;
    page.records.push_back({.id = "a", .version = {.updated_at = from + at}});
    return TakeOutOutside(spec, window, page);
  };
  spec.http.query = {{"since", "${window.from}"}};
  EXPECT_EQ(take_out(24h * 9).records, 1);
  EXPECT_EQ(take_out(24h * 9).outside, 0);
  EXPECT_EQ(take_out(-24h * 9).outside, 1) << "where it begins was told";
  spec.http.query.emplace_back("until", "${window.to}");
  EXPECT_EQ(take_out(24h * 9).outside, 1);
}

TEST(HasLeftWindow, OnlyAListInTheOrderOfTimeTellsByItsLastRecord) {
  const Instant from{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const auto window = *domain::Window::Between(from, from + 24h);
  domain::SpecSnapshot spec{.window = {.filter = domain::WindowFilter::kClient},
                            .order = {.direction = domain::SortDirection::kDesc, .stable = true}};
  domain::PageContent page;
  page.records.push_back({.id = "a", .version = {.updated_at = from - 1h}});
  EXPECT_TRUE(HasLeftWindow(spec, window, page));
  spec.order.by = "id";
  EXPECT_FALSE(HasLeftWindow(spec, window, page)) << "later records may follow";
  spec.order.by = spec.window.watermark_key;
  EXPECT_TRUE(HasLeftWindow(spec, window, page));
}

TEST(HasLeftWindow, APageInAnotherOrderThanTheDefinitionSaysTellsNothing) {
  const Instant from{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const auto window = *domain::Window::Between(from, from + 24h);
  domain::SpecSnapshot spec{.window = {.filter = domain::WindowFilter::kClient},
                            .order = {.direction = domain::SortDirection::kDesc, .stable = true}};
  const auto page_of = [&](const std::vector<Duration>& after) {
    domain::PageContent page;
    for (const auto offset : after)
      page.records.push_back({.id = "a", .version = {.updated_at = from + offset}});
    return page;
  };
  EXPECT_TRUE(HasLeftWindow(spec, window, page_of({2h, 1h, 1h, -1h})));
  EXPECT_FALSE(HasLeftWindow(spec, window, page_of({-3h, -2h, -1h}))) << "it ascends";
  EXPECT_FALSE(HasLeftWindow(spec, window, page_of({2h, 5h, -1h})));
  spec.order.direction = domain::SortDirection::kAsc;
  EXPECT_TRUE(HasLeftWindow(spec, window, page_of({23h, 24h})));
  EXPECT_FALSE(HasLeftWindow(spec, window, page_of({30h, 24h}))) << "it descends";
}

}  // namespace patra::app::outside_window_test
