#include "base/url.h"

#include <gtest/gtest.h>

namespace patra {
namespace {

TEST(Url, IsTakenApartAndPutTogether) {
  const auto url = ParseUrl("HTTPS://API.Example.org/a/b?x=1&y=%20#part");
  ASSERT_TRUE(url) << url.error().Describe();
  EXPECT_EQ(url->scheme, "https");
  EXPECT_EQ(url->host, "api.example.org");
  EXPECT_EQ(url->port, 443);
  EXPECT_EQ(url->path, "/a/b");
  EXPECT_EQ(url->query, "x=1&y=%20");
  EXPECT_EQ(url->Text(), "https://api.example.org/a/b?x=1&y=%20");
  EXPECT_EQ(ParseUrl("http://h:8080")->Text(), "http://h:8080/");
  EXPECT_EQ(ParseUrl("http://h:80/")->Origin(), "http://h");
}

TEST(Url, ShowsNumbersForWhatTheyAre) {
  for (const auto* text :
       {"http://2130706433/", "http://0x7f000001/", "http://127.1/", "http://0177.0.0.1/"})
    EXPECT_EQ(ParseUrl(text)->host, "127.0.0.1") << text;
}

TEST(Url, RefusesWhatParsersDisagreeAbout) {
  for (const auto* text : {"",
                           "example.org/",
                           "//example.org/",
                           "ftp://example.org/",
                           "javascript://x",
                           "http://",
                           "http://user@example.org/",
                           "http://u:p@example.org/",
                           "http://a\\@b/",
                           "http://a b/",
                           "http://a/\r\nX: 1",
                           "http://a/\xC3\xA9",
                           "http://a:0/",
                           "http://a:99999/",
                           "http://a:x/",
                           "http://[::1/",
                           "http://exa mple/",
                           "http:///path",
                           "http://a%00b/",
                           "http://a%c3b/",
                           "http://a%2fb/",
                           "http://[fe80::1%25eth0]/",
                           "http://a@b@c/",
                           "http://a;b/"}) {
    const auto url = ParseUrl(text);
    EXPECT_FALSE(url) << text << " is " << url->Text();
  }
  EXPECT_EQ(ParseUrl("http://a/" + std::string(kUrlBytesMax, 'x')).error().code, ErrorCode::kLimit);
}

TEST(Url, ResolvesReferences) {
  const auto base = *ParseUrl("https://example.org/a/b?x=1");
  struct Case {
    const char* reference;
    const char* result;
  };
  for (const auto& [reference, result] : std::to_array<Case>({
           {"/c", "https://example.org/c"},
           {"c?y=2", "https://example.org/a/c?y=2"},
           {"?y=2", "https://example.org/a/b?y=2"},
           {"../d", "https://example.org/d"},
           {"//other.org/e", "https://other.org/e"},
           {"http://other.org:81/e", "http://other.org:81/e"},
       })) {
    const auto resolved = ResolveUrl(base, reference);
    ASSERT_TRUE(resolved) << reference;
    EXPECT_EQ(resolved->Text(), result);
  }
  EXPECT_FALSE(ResolveUrl(base, "http://user@evil/"));
  EXPECT_FALSE(ResolveUrl(base, "data:text/plain,x"));
  EXPECT_FALSE(ResolveUrl(base, "/a\r\nb"));
}

}  // namespace
}  // namespace patra
