#include "app/execute/masked_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace patra::app::masked_request_test {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(WithMask, PutsTheMaskWhereTheCredentialWent) {
  const auto query =
      WithMask({.url = "https://x.org/a?b=1"}, R"({"headers":["Accept: text/xml","?key=***"]})");
  EXPECT_EQ(query.url, "https://x.org/a?b=1&key=***");
  EXPECT_THAT(query.headers, ElementsAre(Pair("Accept", "text/xml")));
  EXPECT_EQ(WithMask({.url = "https://x.org/a"}, R"({"headers":["?key=***"]})").url,
            "https://x.org/a?key=***");
  const auto header = WithMask({.url = "https://x.org/a"}, R"({"headers":["Authorization: ***"]})");
  EXPECT_THAT(header.headers, ElementsAre(Pair("Authorization", "***")));
  const HttpRequest posted{.method = "POST", .url = "https://x.org/a", .body = R"({"q":1})"};
  EXPECT_EQ(WithMask(posted, R"({"headers":["body.token=***"]})").body, R"({"q":1,"token":"***"})");
  const HttpRequest form{.method = "POST", .url = "https://x.org/a", .body = "q=1"};
  EXPECT_EQ(WithMask(form, R"({"headers":["body.token=***"]})").body, "q=1&token=***");
}

TEST(WithMask, LeavesWhatNeverWentOutAsItWasRendered) {
  EXPECT_EQ(WithMask({.url = "https://x.org/a"}, "").url, "https://x.org/a");
}

}  // namespace patra::app::masked_request_test
