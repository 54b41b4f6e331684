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

}  // namespace
}  // namespace patra::app
