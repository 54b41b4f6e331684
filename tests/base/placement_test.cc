#include "base/placement.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "base/base64.h"

namespace patra::placement_test {

using Placed = Result<std::string>;

Value Json(std::string_view text) { return ParseJson(text).value(); }

TEST(Base64, HasThePaddingOfTheStandard) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [bytes, expected] : cases) EXPECT_EQ(Base64(bytes), expected);
  EXPECT_EQ(Base64(std::string_view("\0\xFF", 2)), "AP8=");
}

TEST(Base64, GoesOnAcrossItsPieces) {
  const std::string bytes(10'000'001, 'a');
  const auto text = Base64(bytes);
  EXPECT_EQ(text.size(), (bytes.size() + 2) / 3 * 4);
  EXPECT_EQ(text.substr(4 << 20, 8), "YWFhYWFh");
  EXPECT_EQ(text.find('='), text.size() - 1);
}

TEST(Placement, EncodesAllButUnreservedCharacters) {
  EXPECT_EQ(PercentEncode("AZaz09-._~"), "AZaz09-._~");
  EXPECT_EQ(PercentEncode("a b&c=d/e?f#g%h+i:j@k"), "a%20b%26c%3Dd%2Fe%3Ff%23g%25h%2Bi%3Aj%40k");
  EXPECT_EQ(PercentEncode("é\n"), "%C3%A9%0A");
  EXPECT_EQ(PercentEncode(std::string_view("\0", 1)), "%00");
}

TEST(Placement, KeepsAValueInsideItsPathSegment) {
  EXPECT_EQ(PathSegment("10.1000/182"), Placed("10.1000%2F182"));
  EXPECT_EQ(PathSegment(42), Placed("42"));
  EXPECT_EQ(PathSegment("..."), Placed("..."));
  EXPECT_EQ(PathSegment("?x#y"), Placed("%3Fx%23y"));
  for (const auto* text : {"", ".", "..", "a\nb", "a\x7F"}) EXPECT_FALSE(PathSegment(text)) << text;
  EXPECT_FALSE(PathSegment(Value(std::string("a\0", 2))));
  EXPECT_FALSE(PathSegment(Value()));
  EXPECT_FALSE(PathSegment(Json("[1]")));
}

TEST(Placement, KeepsSlashesOnlyWhereTheyAreWanted) {
  EXPECT_EQ(PathSegments("10.1000/1 82"), Placed("10.1000/1%2082"));
  EXPECT_EQ(PathSegments("a"), Placed("a"));
  for (const auto* text : {"", "/a", "a/", "a//b", "../a", "a/../b", "a/."}) {
    EXPECT_FALSE(PathSegments(text)) << text;
  }
  EXPECT_EQ(PathSegments("ab/../c").error().place.column, 4);
}

TEST(Placement, KeepsAValueInsideItsQueryParameter) {
  EXPECT_EQ(QueryValue("a&b=c d"), Placed("a%26b%3Dc%20d"));
  EXPECT_EQ(QueryValue(""), Placed(""));
  EXPECT_EQ(QueryValue(true), Placed("true"));
  EXPECT_EQ(QueryValue(0.5), Placed("0.5"));
  EXPECT_EQ(QueryValue("line\r\nbreak"), Placed("line%0D%0Abreak"));
  EXPECT_FALSE(QueryValue(Value(std::string("a\0b", 3))));
}

TEST(Placement, LetsNoValueStartAnotherHeader) {
  EXPECT_EQ(HeaderValue("Bearer abc\t=="), Placed("Bearer abc\t=="));
  EXPECT_EQ(HeaderValue(""), Placed(""));
  EXPECT_EQ(HeaderValue(7), Placed("7"));
  for (const auto* text : {"a\r\nX: y", "a\nb", "a\rb", "é", " a", "a ", "\ta", "a\x01", "a\x7F"}) {
    const auto placed = HeaderValue(text);
    ASSERT_FALSE(placed) << text;
    EXPECT_FALSE(placed.error().hint.empty());
  }
  EXPECT_FALSE(HeaderValue(Value(std::string("a\0b", 3))));
  EXPECT_EQ(HeaderValue("ab\nc").error().place.column, 3);
}

TEST(Placement, NeverRepeatsAValueInAnError) {
  for (const auto& error : {HeaderValue("secret\n").error(), PathSegment("secret\n").error(),
                            QueryValue(Value(std::string("secret\0", 7))).error()}) {
    EXPECT_EQ(error.Describe().find("secret"), std::string::npos);
  }
}

TEST(Placement, KeepsTextAsTextInAJsonBody) {
  EXPECT_EQ(JsonBody(Json(R"({"a":"\",\"b\":1"})")), Placed(R"({"a":"\",\"b\":1"})"));
  const auto bad = JsonBody(Value::Object{{"a/b", Value::Array{1, "\xFF"}}});
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().place.pointer, "/a~1b/1");
  EXPECT_FALSE(JsonBody(std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(JsonBody(Value::Array{std::nan("")}));
  EXPECT_FALSE(JsonBody(Value::Object{{"\xFF", 1}}));
  Value deep;
  for (int i = 0; i < 100; ++i) deep = Value::Array{deep};
  EXPECT_EQ(JsonBody(deep).error().code, ErrorCode::kLimit);
}

TEST(Placement, EncodesForms) {
  const FormField fields[] = {{"a b", "c&d=e"}, {"é", 5}, {"x", "*-._~"}, {"e", ""}};
  EXPECT_EQ(FormBody(fields), Placed("a+b=c%26d%3De&%C3%A9=5&x=*-._%7E&e="));
  EXPECT_EQ(FormBody({}), Placed(""));
  const FormField missing[] = {{"a", 1}, {"b", Value()}};
  EXPECT_EQ(FormBody(missing).error().place.pointer, "/b");
}

}  // namespace patra::placement_test
