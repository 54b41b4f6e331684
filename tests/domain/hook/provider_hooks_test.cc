// Code for what no key of a definition can say.
#include "domain/hook/provider_hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::domain::provider_hooks_test {

using ::testing::HasSubstr;

Result<std::string> Unwrap(std::string_view hook, std::string_view body) {
  return PATRA_TRY(FindResponseHook(hook))->document(body);
}

TEST(ProviderHooks, OneThatNobodyWroteIsRefusedWithThoseThatThereAre) {
  const auto response = FindResponseHook("gzip");
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::kNotFound);
  EXPECT_EQ(response.error().message, "there is no response hook 'gzip'");
  EXPECT_EQ(response.error().hint, "there are jsonp, json-text");
  EXPECT_EQ(FindResponseHook("jsnop").error().hint,
            "did you mean 'jsonp'? there are jsonp, json-text");
  EXPECT_EQ(FindRequestHook("x").error().hint, "there is plain-separators");
  EXPECT_THAT(FindPagingHook("jsonp").error().hint, HasSubstr("after-last-id"))
      << "kinds do not stand in for each other";
}

TEST(ProviderHooks, JsonpIsUnwrappedInEveryWayItIsWritten) {
  for (const auto* body : {"f({\"a\":1})", "f({\"a\":1});", " /**/ my.$_call9({\"a\":1}) ;\r\n",
                           "\xEF\xBB\xBF"
                           "f({\"a\":1})"}) {
    const auto document = Unwrap("jsonp", body);
    ASSERT_TRUE(document) << body << document.error().Describe();
    EXPECT_EQ(*document, "{\"a\":1}") << body;
  }
  EXPECT_EQ(*Unwrap("jsonp", "f({\"a\":\"x);\"});"), "{\"a\":\"x);\"}")
      << "only the last one closes it";
}

TEST(ProviderHooks, WhatIsNoJsonpIsAnErrorWithAPlace) {
  for (const auto* body : {"", "{\"a\":1}", "({\"a\":1})", "f", "f g({})", "<html>(no)</html>",
                           "f({\"a\":", "f({});;"}) {
    const auto document = Unwrap("jsonp", body);
    ASSERT_FALSE(document) << body;
    EXPECT_EQ(document.error().code, ErrorCode::kCorruption) << body;
    EXPECT_GT(document.error().place.line, 0) << body;
  }
  EXPECT_FALSE(Unwrap("jsonp", std::string(257, 'f') + "({})")) << "no function has such a name";
}

TEST(ProviderHooks, ADocumentThatWasEncodedTwiceIsDecodedOnce) {
  EXPECT_EQ(*Unwrap("json-text", R"("{\"a\":\"\\u00e9\"}")"), R"({"a":"\u00e9"})");
  for (const auto* body : {R"({"a":1})", R"("open)", "null", ""})
    EXPECT_FALSE(Unwrap("json-text", body)) << body;
}

TEST(ProviderHooks, SeparatorsOfTheQueryAreSentAsTheyAre) {
  const auto plain = [](std::string url) {
    return *(*FindRequestHook("plain-separators"))->address(std::move(url));
  };
  EXPECT_EQ(plain("https://a.org/x%2Cy?from=2026-01-01T00%3A00%3a00Z&ids=a%2Cb&p=c%2Fd"),
            "https://a.org/x%2Cy?from=2026-01-01T00:00:00Z&ids=a,b&p=c/d")
      << "in the path they mean something else";
  EXPECT_EQ(plain("https://a.org/x?q=50%25&r=a%26b%3Dc%2"), "https://a.org/x?q=50%25&r=a%26b%3Dc%2")
      << "what divides parameters stays escaped";
  EXPECT_EQ(plain("https://a.org/x"), "https://a.org/x");
  EXPECT_EQ(plain("https://a.org/x?q=%253A"), "https://a.org/x?q=%253A")
      << "decoded once, not twice";
}

TEST(ProviderHooks, TotalsAreFoundInHeaders) {
  const std::string body;
  const std::vector<std::pair<std::string, std::string>> headers{
      {"x-total-count", "319"}, {"Content-Range", "items 0-24/320"}};
  const PageAnswer answer{.status = 200, .headers = headers, .body = body, .received_at = {}};
  EXPECT_EQ((*FindPagingHook("total-count-header"))->total(answer), "319");
  EXPECT_EQ((*FindPagingHook("content-range-total"))->total(answer), "320");
  const PageAnswer bare{.status = 200, .body = body, .received_at = {}};
  EXPECT_EQ((*FindPagingHook("total-count-header"))->total(bare), std::nullopt);
  const std::vector<std::pair<std::string, std::string>> uncounted{
      {"content-range", "items 0-24/*"}};
  EXPECT_EQ((*FindPagingHook("content-range-total"))
                ->total({.status = 200, .headers = uncounted, .body = body, .received_at = {}}),
            std::nullopt);
}

TEST(ProviderHooks, TheNextPageBeginsAfterTheLastRecord) {
  const auto next = [](const PageEnd& end) {
    return (*FindPagingHook("after-last-id"))->next(end);
  };
  EXPECT_EQ(*next({.rows = 2, .last_id = "b"}), "b");
  EXPECT_EQ(*next({}), std::nullopt) << "an empty page is the end";
  const auto lost = next({.rows = 7});
  ASSERT_FALSE(lost) << "nothing is skipped where nobody knows what follows";
  EXPECT_THAT(lost.error().message, HasSubstr("record 7 of the page"));
}

}  // namespace patra::domain::provider_hooks_test
