#include "app/execute/render_request.h"

#include <gtest/gtest.h>

namespace patra::app::render_request_test {

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

class RenderToken : public ::testing::Test {
 protected:
  Result<HttpRequest> At(const std::optional<std::string>& token) const {
    const auto source = domain::CompiledSource::Compile(spec_).value();
    return RenderRequest(source, slice_, {.token = token});
  }

  domain::SpecSnapshot spec_{.http = {.base_url = "https://api.example.org",
                                      .path = "/w",
                                      .query = {{"list", "allpages"}, {"continue", ""}}},
                             .paging = {.style = domain::PagingStyle::kToken,
                                        .next = "$.continue",
                                        .token_kind = domain::TokenKind::kParameters},
                             .response = {.items = "$.items"}};
  const Instant begin_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const domain::SliceSpec slice_{.window = *domain::Window::Between(begin_, begin_ + 24h)};
};

TEST_F(RenderToken, AllMembersOfATokenArePartOfTheNextRequest) {
  EXPECT_EQ(At(std::nullopt)->url, "https://api.example.org/w?list=allpages&continue=");
  EXPECT_EQ(At(R"({"apcontinue":"X Y","continue":"-||"})")->url,
            "https://api.example.org/w?list=allpages&apcontinue=X%20Y&continue=-%7C%7C")
      << "the provider's word is the newer one";
}

TEST_F(RenderToken, MembersOfATokenGoIntoTheFormWhereThereIsOne) {
  spec_.http.method = domain::HttpMethod::kPost;
  spec_.http.query.clear();
  spec_.http.form_body = {{"list", "allpages"}, {"continue", "first"}};
  const auto request = At(R"({"apcontinue":"X","continue":"-||"})");
  ASSERT_TRUE(request) << request.error().Describe();
  EXPECT_EQ(request->url, "https://api.example.org/w");
  EXPECT_EQ(request->body, "list=allpages&apcontinue=X&continue=-%7C%7C");
}

TEST_F(RenderToken, NoTokenTakesTheCredentialsPlace) {
  spec_.auth = {.type = domain::AuthType::kApiKey,
                .location = domain::AuthLocation::kQuery,
                .name = "api_key",
                .credentials = {"env:KEY"}};
  EXPECT_EQ(At(R"({"api_key":"theirs","continue":"x"})")->url,
            "https://api.example.org/w?list=allpages&continue=x");
}

TEST_F(RenderToken, ATokenThatIsAValueKeepsItsTypeInABody) {
  spec_.paging.token_kind = domain::TokenKind::kValue;
  spec_.http.method = domain::HttpMethod::kPost;
  spec_.http.query.clear();
  spec_.http.json_body = Value::Object{{"search_after", "${page.token}"}};
  EXPECT_EQ(At(R"([1700000000000,"id-7"])")->body, R"({"search_after":[1700000000000,"id-7"]})");
  EXPECT_EQ(At(std::nullopt)->body, "{}");
  spec_.http.json_body = {};
  spec_.http.query = {{"after", "${page.token.id}"}};
  EXPECT_EQ(At(R"({"id":7})")->url, "https://api.example.org/w?after=7");
}

TEST_F(RenderToken, ATokenGoesIntoAHeaderWhereTheTemplateSaysSo) {
  spec_.paging = {.style = domain::PagingStyle::kToken, .next_header = "X-Continuation"};
  spec_.http.headers = {{"X-Continuation", "${page.token}"}};
  EXPECT_TRUE(At(std::nullopt)->headers.empty());
  EXPECT_EQ(At("abc")->headers.at(0).second, "abc");
}

class RenderWindow : public ::testing::Test {
 protected:
  std::string Url() const {
    const auto source = domain::CompiledSource::Compile(spec_).value();
    const auto request = RenderRequest(source, slice_, {});
    return request ? request->url : request.error().Describe();
  }

  domain::SpecSnapshot spec_{
      .http = {.base_url = "https://api.example.org",
               .path = "/items",
               .query = {{"until", "${window.to | formatDateTime('iso_seconds')}"}}},
      .window = {.granularity = domain::Granularity::kSecond},
      .response = {.items = "$.items"}};
  const Instant begin_{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
  const domain::SliceSpec slice_{.window = *domain::Window::Between(begin_, begin_ + 24h)};
};

TEST_F(RenderWindow, AFilterThatExcludesItsEndGetsTheEndOfTheWindow) {
  EXPECT_EQ(Url(), "https://api.example.org/items?until=2026-01-02T00%3A00%3A00");
}

TEST_F(RenderWindow, WhatTheSliceWasCutWithIsWhatIsRendered) {
  const auto source = domain::CompiledSource::Compile(spec_).value();
  const Value kept = Value::Object{{"window", Value::Object{{"to", "2020-02-02T00:00:00Z"}}}};
  const auto request = RenderRequest(source, slice_, {}, kept);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->url, "https://api.example.org/items?until=2020-02-02T00%3A00%3A00");
}

TEST_F(RenderWindow, AHookMayChangeTheAddress) {
  spec_.hooks = domain::HookSpec{.request = "plain-separators"};
  EXPECT_EQ(Url(), "https://api.example.org/items?until=2026-01-02T00:00:00");
  spec_.hooks->request = "nobody-wrote-this";
  const auto source = domain::CompiledSource::Compile(spec_);
  ASSERT_FALSE(source) << "before anything is sent";
  EXPECT_EQ(source.error().code, ErrorCode::kNotFound);
}

TEST_F(RenderWindow, AFilterThatIncludesItsEndGetsTheLastMomentOfTheWindowInItsSteps) {
  spec_.window.ends = domain::WindowEnds::kInclusive;
  EXPECT_EQ(Url(), "https://api.example.org/items?until=2026-01-01T23%3A59%3A59");
  spec_.window.granularity = domain::Granularity::kDay;
  EXPECT_EQ(Url(), "https://api.example.org/items?until=2026-01-01T00%3A00%3A00");
}

TEST_F(RenderWindow, TheLastMomentByNameIsTheSameWhicheverEndTheFilterHas) {
  spec_.http.query = {{"until", "${window.last | formatDateTime('iso_seconds')}"}};
  const auto url = Url();
  EXPECT_EQ(url, "https://api.example.org/items?until=2026-01-01T23%3A59%3A59");
  spec_.window.ends = domain::WindowEnds::kInclusive;
  EXPECT_EQ(Url(), url);
}

}  // namespace patra::app::render_request_test
