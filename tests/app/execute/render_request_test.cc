#include "app/execute/render_request.h"

#include <gtest/gtest.h>

namespace patra::app {
namespace {

using namespace std::chrono_literals;

TEST(RenderRequest, ALinkMayLeaveOutWhatItSharesWithTheAddressItCameFrom) {
  const domain::SpecSnapshot spec{.http = {.base_url = "https://api.example.org",
                                           .path = "/v1/items",
                                           .query = {{"rows", "10"}}},
                                  .paging = {.style = domain::PagingStyle::kUrl},
                                  .response = {.items = "$.items"}};
  const auto source = domain::CompiledSource::Compile(spec).value();
  const Instant begin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const domain::SliceSpec slice{.window = *domain::Window::Between(begin, begin + 1h)};
  const auto url = [&](const std::string& link) {
    const auto request = RenderRequest(source, slice, {.token = link});
    return request ? request->url : request.error().Describe();
  };
  EXPECT_EQ(url("https://other.example.org/v1/items?p=2"),
            "https://other.example.org/v1/items?p=2");
  EXPECT_EQ(url("/v1/items?p=2"), "https://api.example.org/v1/items?p=2");
  EXPECT_EQ(url("?p=2"), "https://api.example.org/v1/items?p=2");
  EXPECT_EQ(url("items?p=2"), "https://api.example.org/v1/items?p=2");
}

}  // namespace
}  // namespace patra::app
