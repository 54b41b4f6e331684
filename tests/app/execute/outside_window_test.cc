#include "app/execute/outside_window.h"

#include <gtest/gtest.h>

namespace patra::app {
namespace {

using namespace std::chrono_literals;

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

}  // namespace
}  // namespace patra::app
