#include "app/execute/preview_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::preview_page_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class PreviewingAPage : public ExecuteRoom {
 protected:
  PreviewingAPage() { spec_.retry.attempts_max = 6; }

  app::PagePreview Preview(std::optional<Duration> wait_max = {}) {
    const auto seen = preview_.Run(spec_, task_.window(), {.wait_max = wait_max});
    EXPECT_TRUE(seen) << seen.error().Describe();
    return seen->at(0);
  }

  app::PreviewPage preview_{sender_, sources_, clock_, log_, stop_};
};

TEST_F(PreviewingAPage, OfAProviderThatIsDownEndsWithinSecondsAndSaysSo) {
  transport_.script = [](const app::HttpRequest&) -> Result<app::HttpResponse> {
    return Fail(ErrorCode::kUnavailable, "the connection was refused");
  };
  const auto begun = clock_.Elapsed();
  const auto page = Preview();
  EXPECT_LT(clock_.Elapsed() - begun, 15s);
  EXPECT_TRUE(page.is_later);
  EXPECT_THAT(page.problem, HasSubstr("the connection was refused"));
}

TEST_F(PreviewingAPage, BehindAShutGateEndsWithinSecondsAndSaysWhatItWaitsFor) {
  int asked = 0;
  Serve([&](const auto&) {
    return ++asked == 1 ? app::HttpResponse{.status = 503, .headers = {{"Retry-After", "60"}}}
                        : app::HttpResponse{.status = 200,
                                            .content_type = "application/json",
                                            .body = R"({"items":[{"id":"a","title":"t"}]})"};
  });
  const auto begun = clock_.Elapsed();
  auto page = Preview();
  EXPECT_LT(clock_.Elapsed() - begun, 15s);
  EXPECT_TRUE(page.is_later);
  EXPECT_THAT(page.problem, HasSubstr("may not be asked before 2026-01-01T00:01:0"));
  page = Preview(2min);
  EXPECT_EQ(page.problem, "") << "it waited for as long as it was told";
  EXPECT_GT(clock_.Elapsed() - begun, 50s);
  EXPECT_TRUE(HasLogged("preview.waiting"));
}

TEST_F(PreviewingAPage, OfAnAnswerThatDoesNotFitIsNoMatterOfTime) {
  Serve([](const auto&) { return app::HttpResponse{.status = 404, .body = "no such list"}; });
  const auto page = Preview();
  EXPECT_FALSE(page.is_later);
  EXPECT_FALSE(page.problem.empty());
}

// Three of nine came, and the definition looks for the token in another place.
TEST_F(PreviewingAPage, SaysWhatTellsOfPagesThatNothingLeadsTo) {
  spec_.paging = {.style = domain::PagingStyle::kToken,
                  .size = 4,
                  .next = "$.next",
                  .ends = {domain::WalkEnd::kNoToken}};
  Serve([](const auto&) {
    return app::HttpResponse{.status = 200,
                             .content_type = "application/json",
                             .body = R"({"items":[{"id":"a","title":"t"}],"totalCount":9})"};
  });
  EXPECT_THAT(Preview().next, HasSubstr("$.totalCount, which says 9"));
}

}  // namespace patra::testing::preview_page_test
