#include "base/url.h"

#include <gtest/gtest.h>

namespace patra::url_test {

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
  EXPECT_EQ(ResolveUrl(base, "?next=https://x.org/")->Text(),
            "https://example.org/a/b?next=https://x.org/")
      << "an address in the query is no scheme";
  EXPECT_FALSE(ResolveUrl(base, "http://user@evil/"));
  EXPECT_FALSE(ResolveUrl(base, "data:text/plain,x"));
  EXPECT_FALSE(ResolveUrl(base, "/a\r\nb"));
}

// RFC 3986 §5.4.1 and §5.4.2. What is left out there of an address, ours leaves out, too: fragments, and the mark of an empty query.
TEST(Url, ResolvesTheExamplesOfTheStandard) {
  const auto base = *ParseUrl("http://a/b/c/d;p?q");
  struct Case {
    const char* reference;
    const char* result;
  };
  for (const auto& [reference, result] : std::to_array<Case>({{"g", "http://a/b/c/g"},
                                                              {"./g", "http://a/b/c/g"},
                                                              {"g/", "http://a/b/c/g/"},
                                                              {"/g", "http://a/g"},
                                                              {"//g", "http://g/"},
                                                              {"?y", "http://a/b/c/d;p?y"},
                                                              {"g?y", "http://a/b/c/g?y"},
                                                              {"#s", "http://a/b/c/d;p?q"},
                                                              {"g#s", "http://a/b/c/g"},
                                                              {"g?y#s", "http://a/b/c/g?y"},
                                                              {";x", "http://a/b/c/;x"},
                                                              {"g;x", "http://a/b/c/g;x"},
                                                              {"g;x?y#s", "http://a/b/c/g;x?y"},
                                                              {"", "http://a/b/c/d;p?q"},
                                                              {".", "http://a/b/c/"},
                                                              {"./", "http://a/b/c/"},
                                                              {"..", "http://a/b/"},
                                                              {"../", "http://a/b/"},
                                                              {"../g", "http://a/b/g"},
                                                              {"../..", "http://a/"},
                                                              {"../../", "http://a/"},
                                                              {"../../g", "http://a/g"},
                                                              {"../../../g", "http://a/g"},
                                                              {"../../../../g", "http://a/g"},
                                                              {"/./g", "http://a/g"},
                                                              {"/../g", "http://a/g"},
                                                              {"g.", "http://a/b/c/g."},
                                                              {".g", "http://a/b/c/.g"},
                                                              {"g..", "http://a/b/c/g.."},
                                                              {"..g", "http://a/b/c/..g"},
                                                              {"./../g", "http://a/b/g"},
                                                              {"./g/.", "http://a/b/c/g/"},
                                                              {"g/./h", "http://a/b/c/g/h"},
                                                              {"g/../h", "http://a/b/c/h"},
                                                              {"g;x=1/./y", "http://a/b/c/g;x=1/y"},
                                                              {"g;x=1/../y", "http://a/b/c/y"},
                                                              {"g?y/./x", "http://a/b/c/g?y/./x"},
                                                              {"g?y/../x", "http://a/b/c/g?y/../x"},
                                                              {"g#s/./x", "http://a/b/c/g"},
                                                              {"g#s/../x", "http://a/b/c/g"}})) {
    const auto resolved = ResolveUrl(base, reference);
    ASSERT_TRUE(resolved) << reference << ": " << resolved.error().Describe();
    EXPECT_EQ(resolved->Text(), result) << reference;
  }
  EXPECT_FALSE(ResolveUrl(base, "g:h")) << "neither http nor https";
  EXPECT_FALSE(ResolveUrl(base, "http:g")) << "by the strict reading it has no host";
}

TEST(Url, ResolvesReferencesToAddressesOfAnyShape) {
  const auto from = [](const char* base, const char* reference) {
    return ResolveUrl(*ParseUrl(base), reference)->Text();
  };
  EXPECT_EQ(from("https://x.org", "?page=2"), "https://x.org/?page=2");
  EXPECT_EQ(from("https://x.org", "items"), "https://x.org/items");
  EXPECT_EQ(from("https://x.org/api/", "items?page=2"), "https://x.org/api/items?page=2");
  EXPECT_EQ(from("https://x.org/api", "items?page=2"), "https://x.org/items?page=2");
  EXPECT_EQ(from("https://x.org:8443/api/items?page=1&size=5", "?page=2"),
            "https://x.org:8443/api/items?page=2");
  EXPECT_EQ(from("http://[::1]:81/a/b", "//other.org/c"), "http://other.org/c");
}

}  // namespace patra::url_test
