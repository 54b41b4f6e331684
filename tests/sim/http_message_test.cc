#include "sim/http_message.h"

#include <gmock/gmock.h>

namespace patra::sim::http_message_test {

TEST(HttpRequest, IsReadWithPathQueryAndHeaders) {
  const auto request = ParseRequestHead(
      "GET /a%20b/c?x=1&y=%C3%A9+z&empty HTTP/1.1\r\nHost: here\r\nX-Api-Key:  k \r\n", {});
  ASSERT_TRUE(request) << request.error().Describe();
  EXPECT_EQ(request->method, "GET");
  EXPECT_EQ(request->path, "/a b/c");
  EXPECT_EQ(request->parameters.Get("y"), "é z");
  EXPECT_TRUE(request->parameters.Has("empty"));
  EXPECT_EQ(*request->Header("x-api-key"), "k");
  EXPECT_TRUE(request->keep_alive);
}

TEST(HttpRequest, AbsoluteTargetsLoseTheirOrigin) {
  const auto request = ParseRequestHead("GET http://host:80/x?a=b HTTP/1.1", {});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->path, "/x");
  EXPECT_EQ(request->parameters.Get("a"), "b");
}

class MalformedHead : public ::testing::TestWithParam<const char*> {};

TEST_P(MalformedHead, IsRefused) { EXPECT_FALSE(ParseRequestHead(GetParam(), {})); }

INSTANTIATE_TEST_SUITE_P(Heads, MalformedHead,
                         ::testing::Values("", "GET", "GET /", "GET / HTTP/2.0", "GET x HTTP/1.1",
                                           "G ET / HTTP/1.1\r\n: x", "GET / HTTP/1.1\r\nno colon",
                                           "GET /\x01 HTTP/1.1"));

TEST(HttpRequest, HeadersAndBodiesAreBounded) {
  std::string head = "GET / HTTP/1.1";
  for (int i = 0; i < 300; ++i) head += "\r\na: b";
  const auto refused = ParseRequestHead(head, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  const auto large = ParseRequestHead("POST / HTTP/1.1\r\nContent-Length: 99999999999", {});
  ASSERT_TRUE(large);
  EXPECT_EQ(BodyBytes(*large, {}).error().code, ErrorCode::kLimit);
}

TEST(HttpResponse, HeadTellsTheLengthUnlessAFaultLies) {
  Response response;
  EXPECT_THAT(PrintHead(response, 5, Instant{}), ::testing::HasSubstr("content-length: 5\r\n"));
  response.delivery.declared_bytes = 7;
  EXPECT_THAT(PrintHead(response, 5, Instant{}), ::testing::HasSubstr("content-length: 7\r\n"));
  EXPECT_THAT(PrintHead(response, 5, Instant{}),
              ::testing::HasSubstr("date: Thu, 01 Jan 1970 00:00:00 GMT\r\n"));
}

TEST(PercentCoding, RoundTrips) {
  const std::string text = "a b/é%?&=+\n";
  EXPECT_EQ(PercentDecode(PercentEncode(text), true), text);
  EXPECT_EQ(PercentDecode("%", true), "%");
  EXPECT_EQ(PercentDecode("%4", true), "%4");
  EXPECT_EQ(PercentDecode("%zz", true), "%zz");
}

}  // namespace patra::sim::http_message_test
