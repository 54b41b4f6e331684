#include "adapter/rest/web_assets.h"

#include <array>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::adapter::rest::web_assets_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr std::array<WebFile, 2> kFiles{
    {{"index.html", "text/html; charset=utf-8", "0123456789ab", "the page"},
     {"assets/app-ba9876543210.js", "text/javascript; charset=utf-8", "ba9876543210", "a script"}}};

HttpRequest Request(std::string method = "GET") {
  return {.method = std::move(method), .target = "/", .headers = {{"accept-encoding", "gzip, br"}}};
}

TEST(WebAssets, ThePageIsAskedForAnewAndWhatItLoadsIsKept) {
  const auto page = AnswerWeb(Request(), {}, kFiles);
  ASSERT_TRUE(page);
  EXPECT_EQ(page->body, "the page");
  EXPECT_EQ(page->content_type, "text/html; charset=utf-8");
  EXPECT_THAT(page->headers, Contains(Pair("Cache-Control", "no-cache")));
  EXPECT_THAT(page->headers, Contains(Pair("Content-Encoding", "gzip")));
  EXPECT_THAT(page->headers, Contains(Pair("ETag", "\"0123456789ab\"")));

  const auto script = AnswerWeb(Request(), {"assets", "app-ba9876543210.js"}, kFiles);
  ASSERT_TRUE(script);
  EXPECT_EQ(script->body, "a script");
  EXPECT_THAT(script->headers, Contains(Pair("Cache-Control", HasSubstr("immutable"))));
}

TEST(WebAssets, NoScriptButItsOwnMayRun) {
  const auto page = AnswerWeb(Request(), {}, kFiles);
  EXPECT_THAT(page->headers,
              Contains(Pair("Content-Security-Policy",
                            HasSubstr("default-src 'none'; script-src 'self'; style-src 'self'"))));
}

TEST(WebAssets, WhatABrowserHasIsNotSentAgain) {
  auto request = Request();
  request.headers.emplace_back("if-none-match", "W/\"x\", \"0123456789ab\"");
  const auto page = AnswerWeb(request, {}, kFiles);
  EXPECT_EQ(page->status, 304);
  EXPECT_EQ(page->body, "");
}

TEST(WebAssets, OtherPathsAreNotItsOwn) {
  EXPECT_FALSE(AnswerWeb(Request(), {"api", "v1", "status"}, kFiles));
  EXPECT_FALSE(AnswerWeb(Request(), {"metrics"}, kFiles));
  EXPECT_EQ(AnswerWeb(Request(), {"assets", "old.js"}, kFiles)->status, 404);
  EXPECT_EQ(AnswerWeb(Request(), {"assets"}, kFiles)->status, 404);
}

TEST(WebAssets, ItIsLookedAtAndNothingElse) {
  const auto refused = AnswerWeb(Request("POST"), {}, kFiles);
  EXPECT_EQ(refused->status, 405);
  EXPECT_THAT(refused->headers, Contains(Pair("Allow", "GET, HEAD")));
  EXPECT_EQ(AnswerWeb(Request("HEAD"), {}, kFiles)->status, 200);
  EXPECT_EQ(AnswerWeb({.method = "GET", .target = "/"}, {}, kFiles)->status, 406);
}

TEST(WebAssets, AProgramWithoutItSaysHowToGetOne) {
  const auto page = AnswerWeb(Request(), {}, {});
  EXPECT_EQ(page->status, 200);
  EXPECT_THAT(page->body, HasSubstr("make demo-web"));
  EXPECT_EQ(AnswerWeb(Request(), {"assets", "app.js"}, {})->status, 404);
}

}  // namespace patra::adapter::rest::web_assets_test
