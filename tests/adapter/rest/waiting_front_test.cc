// What is said while there is no store.
#include "adapter/rest/waiting_front.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::adapter::rest::waiting_front_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Pair;

class WaitingFrontTest : public ::testing::Test {
 protected:
  HttpAnswer Ask(const std::string& method, const std::string& target) {
    return front_.Answer({.method = method, .target = target});
  }

  std::vector<std::string> reasons_{"store: nobody answers"};
  WaitingFront front_{[this] { return reasons_; }, false};
};

TEST_F(WaitingFrontTest, TheProcessIsAliveAndSaysWhyItIsNotReady) {
  EXPECT_EQ(Ask("GET", "/healthz").status, 200);
  EXPECT_EQ(Ask("HEAD", "/healthz?probe=1").status, 200);
  const auto ready = Ask("GET", "/readyz");
  EXPECT_EQ(ready.status, 503);
  EXPECT_THAT(ready.body, HasSubstr("store: nobody answers"));
}

TEST_F(WaitingFrontTest, EverybodyElseIsToldToComeAgainAndNoMore) {
  for (const auto* target : {"/api/v1/status", "/metrics", "/healthz/more", "/", ""}) {
    const auto answer = Ask("GET", target);
    EXPECT_EQ(answer.status, 503) << target;
    EXPECT_THAT(answer.headers, Contains(Pair("Retry-After", ::testing::_))) << target;
    EXPECT_THAT(answer.body, ::testing::Not(HasSubstr("nobody answers"))) << target;
  }
  EXPECT_EQ(Ask("POST", "/healthz").status, 503);
}

TEST_F(WaitingFrontTest, NoBodyIsRead) {
  const auto refused = front_.RefuseEarly(
      {.method = "POST", .target = "/api/v1/harvests", .headers = {{"content-length", "12"}}});
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  EXPECT_FALSE(front_.RefuseEarly({.method = "GET", .target = "/healthz"}));
}

}  // namespace patra::adapter::rest::waiting_front_test
