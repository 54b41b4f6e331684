#include "app/execute/fetch_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::fetch_page_test {

using namespace std::chrono_literals;
using app::FetchedPage;
using app::NoPage;
using domain::AuthLocation;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Optional;

// A provider that puts what it was told into its answers.
class FetchingAPage : public ExecuteRoom {
 protected:
  void UseKey(const std::string& secret, AuthLocation location) {
    spec_.auth = {.type = domain::AuthType::kApiKey,
                  .location = location,
                  .name = "api_key",
                  .credentials = {"env:KEY"}};
    secrets_.values["env:KEY"] = secret;
  }
  void PageBy(domain::PagingStyle style) {
    spec_.paging = {
        .style = style, .size = 4, .next = "$.next", .ends = {domain::WalkEnd::kNoToken}};
    if (style == domain::PagingStyle::kToken)
      spec_.http.query.push_back({"token", "${page.token}"});
  }
  app::Fetched FetchWithNext(const std::string& next) {
    Serve([next](const auto&) {
      return app::HttpResponse{
          .status = 200,
          .content_type = "application/json",
          .body = fmt::format(R"({{"items":[{{"id":"a","title":"t"}}],"next":"{}"}})", next)};
    });
    return Fetch();
  }
  app::Fetched Fetch() {
    auto& run = Open();
    auto fetched = fetch_.At(run.scope, run.opened.start, 1);
    EXPECT_TRUE(fetched);
    return *std::move(fetched);
  }
};

TEST_F(FetchingAPage, ANextLinkKeepsItsPlaceForTheCredentialButNotTheCredential) {
  PageBy(domain::PagingStyle::kUrl);
  UseKey("a-long-secret", AuthLocation::kQuery);
  const auto fetched = FetchWithNext("https://api.example.org/items?api_key=a-long-secret&page=2");
  ASSERT_TRUE(std::holds_alternative<FetchedPage>(fetched));
  EXPECT_THAT(std::get<FetchedPage>(fetched).content.next,
              Optional(AllOf(HasSubstr("page=2"), Not(HasSubstr("a-long-secret")))));
}

TEST_F(FetchingAPage, ANextLinkWithTheCredentialElsewhereIsRefusedForItsReason) {
  PageBy(domain::PagingStyle::kUrl);
  UseKey("a-long-secret", AuthLocation::kHeader);
  const auto fetched = FetchWithNext("https://api.example.org/items/a-long-secret/2");
  ASSERT_TRUE(std::holds_alternative<NoPage>(fetched));
  EXPECT_THAT(std::get<NoPage>(fetched).reason,
              AllOf(HasSubstr("holds our credential"), Not(HasSubstr("a-long-secret"))));
}

TEST_F(FetchingAPage, AnInterruptedAnswerIsNoFailureAndIsNotAskedForAgain) {
  int asked = 0;
  transport_.script = [&](const app::HttpRequest&) -> Result<app::HttpResponse> {
    ++asked;
    return Fail(ErrorCode::kCancelled, "asked to stop before the answer was whole");
  };
  const auto fetched = Fetch();
  ASSERT_TRUE(std::holds_alternative<NoPage>(fetched));
  EXPECT_EQ(std::get<NoPage>(fetched).kind, NoPage::Kind::kStopped);
  EXPECT_EQ(asked, 1);
}

TEST_F(FetchingAPage, AnInterruptedAnswerToATokenThatCannotBeSentTwiceLosesThePlace) {
  PageBy(domain::PagingStyle::kToken);
  spec_.paging.replayable = false;
  transport_.script = [](const app::HttpRequest&) -> Result<app::HttpResponse> {
    return Fail(ErrorCode::kCancelled, "asked to stop before the answer was whole");
  };
  auto& run = Open();
  const auto fetched = fetch_.At(run.scope, {.token = "abc"}, 2);
  ASSERT_TRUE(fetched);
  ASSERT_TRUE(std::holds_alternative<NoPage>(*fetched));
  EXPECT_EQ(std::get<NoPage>(*fetched).kind, NoPage::Kind::kStartOver);
}

TEST_F(FetchingAPage, ATokenWithTheCredentialIsRefusedForItsReason) {
  PageBy(domain::PagingStyle::kToken);
  UseKey("a-long-secret", AuthLocation::kQuery);
  const auto fetched = FetchWithNext("2|a-long-secret");
  ASSERT_TRUE(std::holds_alternative<NoPage>(fetched));
  EXPECT_THAT(std::get<NoPage>(fetched).reason, HasSubstr("holds our credential"));
}

TEST_F(FetchingAPage, ATokenOfAsterisksIsATokenLikeAnyOther) {
  PageBy(domain::PagingStyle::kToken);
  UseKey("a-long-secret", AuthLocation::kQuery);
  const auto fetched = FetchWithNext("***");
  ASSERT_TRUE(std::holds_alternative<FetchedPage>(fetched));
  EXPECT_THAT(std::get<FetchedPage>(fetched).content.next, Optional(std::string("***")));
}

TEST_F(FetchingAPage, ASecretThatOnlyTheReaderPutsTogetherStandsInNoRecord) {
  UseKey("a-long-secret", AuthLocation::kHeader);
  spec_.response.format = domain::ResponseFormat::kXml;
  spec_.response.items = "/list/record";
  spec_.response.envelope = "/list";
  spec_.response.id = {"id"};
  spec_.response.updated.reset();
  spec_.fields = {{.name = "title", .path = "title"}};
  Serve([](const auto&) {
    return app::HttpResponse{
        .status = 200,
        .content_type = "text/xml",
        .body =
            "<list><record><id>of a-long<b/>-secret</id>"
            "<title><![CDATA[a-lo]]><![CDATA[ng-secret]]></title></record></list>"};
  });
  const auto fetched = Fetch();
  ASSERT_TRUE(std::holds_alternative<FetchedPage>(fetched));
  const auto& record = std::get<FetchedPage>(fetched).content.records.at(0);
  EXPECT_EQ(record.id, "of ***");
  EXPECT_EQ(record.fields, R"({"title":"***"})");
}

// What answers usually take says how long one is worth waiting for; the try after which nobody asks again is given all the
// time that the definition allows.
TEST_F(FetchingAPage, TheLastTryWaitsAsLongAsTheDefinitionSays) {
  spec_.http.read_timeout = 30s;
  spec_.retry.attempts_max = 3;
  auto& run = Open();
  std::vector<Duration> waits;
  int answers = 0;
  transport_.script = [&](const app::HttpRequest& request) -> Result<app::HttpResponse> {
    if (++answers <= 5) {
      return app::HttpResponse{.status = 200,
                               .content_type = "application/json",
                               .body = R"({"items":[{"id":"a","title":"t"}]})",
                               .received_at = clock_.Now(),
                               .latency = 50ms};
    }
    waits.push_back(request.way.read_timeout);
    clock_.SleepFor(request.way.read_timeout);
    return Fail(ErrorCode::kUnavailable, "no byte came");
  };
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(fetch_.At(run.scope, run.opened.start, 1));
  ASSERT_TRUE(fetch_.At(run.scope, run.opened.start, 1));
  EXPECT_EQ(waits, (std::vector<Duration>{2s, 2s, 30s}));
}

class TokensThatDie : public FetchingAPage {
 protected:
  TokensThatDie() {
    PageBy(domain::PagingStyle::kToken);
    spec_.paging.token_lifetime = 3s;
  }
  // After page 1, which gave the token.
  app::Fetched FetchSecond(Duration pause = {}) {
    auto& run = Open();
    EXPECT_TRUE(fetch_.At(run.scope, run.opened.start, 1));
    clock_.SleepFor(pause);
    auto fetched = fetch_.At(run.scope, {.token = "second", .token_is_position = true}, 2);
    EXPECT_TRUE(fetched);
    return *std::move(fetched);
  }
  static app::HttpResponse Page() {
    return {.status = 200,
            .content_type = "application/json",
            .body = R"({"items":[{"id":"a","title":"t"}],"next":"second"})"};
  }
};

TEST_F(TokensThatDie, AreSentInTime) {
  Serve([](const auto&) { return Page(); });
  EXPECT_TRUE(std::holds_alternative<FetchedPage>(FetchSecond(2s)));
}

TEST_F(TokensThatDie, AreNotSentAfterAWaitForAPermit) {
  spec_.limits = {{.rate = domain::RateSpec{.requests = 1, .per = 4s}}};
  Serve([](const auto&) { return Page(); });
  const auto second = FetchSecond();
  ASSERT_TRUE(std::holds_alternative<NoPage>(second));
  EXPECT_EQ(std::get<NoPage>(second).kind, NoPage::Kind::kStartOver);
  EXPECT_THAT(std::get<NoPage>(second).reason, HasSubstr("lives for 3s"));
  EXPECT_EQ(transport_.requests.size(), 1U);
}

TEST_F(TokensThatDie, AreNotSentAgainAfterAWaitThatTheProviderAskedFor) {
  spec_.retry.attempts_max = 5;
  Serve([this](const app::HttpRequest&) {
    if (transport_.requests.size() != 2) return Page();
    auto busy = Refusal(429);
    busy.headers.emplace_back("Retry-After", "5");
    return busy;
  });
  const auto second = FetchSecond();
  ASSERT_TRUE(std::holds_alternative<NoPage>(second));
  EXPECT_EQ(std::get<NoPage>(second).kind, NoPage::Kind::kStartOver);
  EXPECT_EQ(transport_.requests.size(), 2U);
}

TEST_F(FetchingAPage, ALinkIsReadFromThePageThatItStandsOn) {
  PageBy(domain::PagingStyle::kUrl);
  spec_.http.path = "/v1/items";
  const auto next = [&](const std::string& link) {
    const auto fetched = FetchWithNext(link);
    return std::get<FetchedPage>(fetched).content.next.value_or("none");
  };
  const auto origin = spec_.http.base_url;
  EXPECT_EQ(next("?page=2"), origin + "/v1/items?page=2");
  EXPECT_EQ(next("more?page=2"), origin + "/v1/more?page=2");
  EXPECT_EQ(next("/v2/items?page=2"), origin + "/v2/items?page=2");
  EXPECT_EQ(next("https://api.example.org/x?next=1"), "https://api.example.org/x?next=1");
  EXPECT_EQ(next("?after=https://x.org/1"), origin + "/v1/items?after=https://x.org/1");
  EXPECT_TRUE(std::holds_alternative<NoPage>(FetchWithNext("ftp://x.org/")) ||
              next("ftp://x.org/") == "ftp://x.org/")
      << "where it leads is judged when it is followed";
}

class AWrongDefinition : public FetchingAPage {
 protected:
  AWrongDefinition() {
    spec_.response.items = "$.itmes";
    spec_.retry.attempts_max = 5;
    runs_.opened.is_first_use = true;
    runs_.opened.is_first_read = true;
    Serve([](const auto&) { return PageOf({"a", "b"}); });
  }
};

TEST_F(AWrongDefinition, FailsWithItsFirstAnswerAndSaysWhatIsThere) {
  const auto fetched = Fetch();
  ASSERT_TRUE(std::holds_alternative<NoPage>(fetched));
  const auto& none = std::get<NoPage>(fetched);
  EXPECT_EQ(none.kind, NoPage::Kind::kWrong);
  EXPECT_TRUE(none.blames_definition);
  EXPECT_THAT(none.reason,
              AllOf(HasSubstr("no list at $.itmes"), HasSubstr("did you mean 'items'?")));
  EXPECT_EQ(transport_.requests.size(), 1U) << "no retries";
  const auto told = std::ranges::find(log_.lines, "request.failed", &LogLine::event);
  ASSERT_NE(told, log_.lines.end());
  EXPECT_EQ(told->level, app::LogLevel::kWarn);
  EXPECT_EQ(told->details.at("level"), Value("L2"));
  EXPECT_THAT(*told->details.at("answerHash").AsString(),
              ::testing::MatchesRegex("sha256:[0-9a-f]{64}"));
}

TEST_F(AWrongDefinition, IsNotBlamedOnceItReadAPage) {
  runs_.opened.is_first_use = false;
  runs_.opened.is_first_read = false;
  const auto fetched = Fetch();
  ASSERT_TRUE(std::holds_alternative<NoPage>(fetched));
  EXPECT_EQ(std::get<NoPage>(fetched).kind, NoPage::Kind::kExhausted) << "the provider may be ill";
  EXPECT_FALSE(std::get<NoPage>(fetched).blames_definition);
}

TEST_F(AWrongDefinition, IsNotBlamedForAnAnswerThatLooksLikeAnError) {
  spec_.response.items = "$.items";
  int answers = 0;
  Serve([&](const auto&) {
    return ++answers > 1 ? PageOf({"a"})
                         : app::HttpResponse{.status = 200,
                                             .content_type = "application/json",
                                             .body = R"({"error":"backend failed"})"};
  });
  EXPECT_TRUE(std::holds_alternative<FetchedPage>(Fetch())) << "once may be a bad moment";
}

TEST_F(AWrongDefinition, IsNotBlamedWhereARuleKnowsTheAnswer) {
  spec_.errors = {{.body = "$.items", .action = domain::ErrorAction::kEmpty}};
  EXPECT_TRUE(std::holds_alternative<FetchedPage>(Fetch()));
}

TEST_F(FetchingAPage, AReasonTellsNoSecretHoweverShort) {
  UseKey("guest", AuthLocation::kHeader);
  Serve([](const auto&) {
    return app::HttpResponse{.status = 400,
                             .content_type = "application/json",
                             .body = R"({"error":"user guest may not ask"})"};
  });
  const auto fetched = Fetch();
  ASSERT_TRUE(std::holds_alternative<NoPage>(fetched));
  EXPECT_THAT(std::get<NoPage>(fetched).reason, Not(HasSubstr("guest")));
}

}  // namespace patra::testing::fetch_page_test
