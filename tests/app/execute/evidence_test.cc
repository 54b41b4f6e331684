// What is kept of how a page was asked for, whichever way that ended.
#include "domain/task/evidence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/utf8.h"
#include "tests/app/execute/execute_fixture.h"

namespace patra::testing::evidence_test {

using namespace std::chrono_literals;
using app::FetchedPage;
using app::NoPage;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class KeepingEvidence : public ExecuteRoom {
 protected:
  KeepingEvidence() {
    spec_.retry.attempts_max = 3;
    spec_.retry.first_delay = 1s;
    spec_.retry.delay_max = 2s;
  }
  app::Fetched Fetch() {
    auto& run = Open();
    auto fetched = fetch_.At(run.scope, run.opened.start, 1);
    EXPECT_TRUE(fetched);
    return *std::move(fetched);
  }
  NoPage NoPageOf(app::Fetched fetched) {
    EXPECT_TRUE(std::holds_alternative<NoPage>(fetched));
    return std::get<NoPage>(std::move(fetched));
  }
  static std::string TextOf(const domain::Evidence& evidence, std::string_view member) {
    const auto found = evidence.response.find(member);
    const auto* text = found == evidence.response.end() ? nullptr : found->second.AsString();
    return text == nullptr ? "" : *text;
  }
  static std::vector<std::string> ReasonsOf(const domain::Evidence& evidence) {
    std::vector<std::string> reasons;
    for (const auto& failed : evidence.failures.kept()) reasons.push_back(failed.reason);
    return reasons;
  }
  void UseKeys(const std::vector<std::string>& names) {
    spec_.auth = {.type = domain::AuthType::kApiKey, .name = "X-Key"};
    for (const auto& name : names) {
      spec_.auth.credentials.push_back("env:" + name);
      secrets_.values["env:" + name] = "secret-of-" + name;
    }
  }
};

TEST_F(KeepingEvidence, APageThatCameAfterRetriesSaysWhatTheyMet) {
  int asked = 0;
  Serve([&](const auto&) {
    if (++asked == 1) return Refusal(503);
    if (asked == 2) {
      auto busy = Refusal(429);
      busy.headers = {{"Retry-After", "3"}};
      return busy;
    }
    return PageOf({"a"});
  });
  const auto fetched = Fetch();
  ASSERT_TRUE(std::holds_alternative<FetchedPage>(fetched));
  const auto& page = std::get<FetchedPage>(fetched);
  const auto& evidence = page.evidence;
  EXPECT_EQ(evidence.sent.requests, 3);
  EXPECT_EQ(evidence.sent.retries, 2);
  EXPECT_EQ(evidence.sent.throttled, 1);
  EXPECT_EQ(evidence.sent.met.retry_after, 1);
  EXPECT_EQ(evidence.sent.met.slowed, 1);
  EXPECT_EQ(evidence.sent.failed, (std::array{2, 0, 0, 0}));
  EXPECT_GE(evidence.sent.backed_off, 3s);
  EXPECT_THAT(ReasonsOf(evidence), ElementsAre("HTTP 503", "HTTP 429"));
  EXPECT_EQ(evidence.failures.kept()[0].status, 503);
  EXPECT_GT(evidence.failures.kept()[0].backed_off, 0s);
  EXPECT_EQ(evidence.status, 200);
  EXPECT_FALSE(evidence.response.contains("firstBytes")) << "the page itself is kept elsewhere";
  EXPECT_EQ(run_->tally.sent.requests, 3) << "the run adds up the same";
}

TEST_F(KeepingEvidence, WhatNeverBecameAPageIsKeptWithTheBeginningOfItsAnswer) {
  Serve([](const auto&) {
    return app::HttpResponse{.status = 500,
                             .content_type = "text/html",
                             .headers = {{"X-Served-By", "a"}, {"Set-Cookie", "session=1234"}},
                             .body = "broken \xFF\xC3(‹fuse.reset a›" + std::string(5'000, 'x')};
  });
  const auto none = NoPageOf(Fetch());
  const auto& evidence = none.evidence;
  EXPECT_EQ(none.kind, NoPage::Kind::kExhausted);
  EXPECT_EQ(evidence.sent.requests, 3);
  EXPECT_THAT(evidence.request, HasSubstr(R"("urlTemplate":"https://api.example.org/items")"));
  const auto first_bytes = TextOf(evidence, "firstBytes");
  EXPECT_THAT(first_bytes, HasSubstr("broken \uFFFD\uFFFD(\\u2039fuse.reset a›xxx"));
  EXPECT_LE(first_bytes.size(), app::kFirstBytesMax);
  EXPECT_EQ(FindInvalidUtf8(first_bytes), std::string::npos);
  EXPECT_EQ(evidence.response.at("headers"),
            Value(Value::Array{"X-Served-By: a", "Set-Cookie: ***"}));
  EXPECT_EQ(evidence.status, 500);
}

TEST_F(KeepingEvidence, NeitherSecretsNorPeopleStandInTheBeginningOfAnAnswerWhereverItIsCut) {
  UseKeys({"A"});
  for (std::size_t before = 0; before < 4'600; before += 37) {
    Serve([&](const auto&) {
      return app::HttpResponse{
          .status = 400,
          .headers = {{"X-Told", "api_key=hidden-word"}},
          .body = std::string(before, '.') +
                  " secret-of-A jane.doe@example.org password=hidden-word 13812345678 " +
                  std::string(9'000, '-')};
    });
    const auto none = NoPageOf(Fetch());
    const auto told = PrintJson(Value(none.evidence.response)) + none.reason +
                      PrintJson(none.evidence.failures.ToValue());
    for (const auto* word : {"secret-of", "jane.d", "hidden", "1381234"})
      EXPECT_THAT(told, Not(HasSubstr(word))) << before;
  }
}

TEST_F(KeepingEvidence, AnEndlessErrorPageAndEndlessHeadersAreKeptInBounds) {
  spec_.retry.attempts_max = 50;
  app::HttpHeaders headers;
  for (int i = 0; i < 500; ++i)
    headers.emplace_back(std::string(1'000, 'n'), std::string(1'000, 'v'));
  headers.emplace_back("Retry-After", std::string(10'000, '9'));
  Serve([&](const auto&) {
    return app::HttpResponse{
        .status = 503, .headers = headers, .body = std::string(1'000'000, 'b')};
  });
  const auto none = NoPageOf(Fetch());
  EXPECT_LT(CanonicalJson(none.evidence.response).size(), 20'000U);
  EXPECT_LE(none.evidence.failures.kept().size(), domain::FailedTries::kKeptMax);
}

TEST_F(KeepingEvidence, WhoIsParkedSaysHowTheGateStandsAndWhatCameBefore) {
  spec_.retry.circuit_failures_max = 1;
  spec_.retry.attempts_max = 20;
  Serve([](const auto&) { return Refusal(503); });
  const auto none = NoPageOf(Fetch());
  ASSERT_EQ(none.kind, NoPage::Kind::kParked);
  const auto& evidence = none.evidence;
  EXPECT_EQ(evidence.sent.requests, std::ssize(transport_.requests));
  EXPECT_EQ(evidence.sent.met.opened, evidence.sent.requests);
  EXPECT_EQ(evidence.response.at("status"), Value(503)) << "the answer is not forgotten over it";
  const auto& parked = evidence.response.at("parked");
  EXPECT_EQ(*parked.Find("decision"), Value("REJECT"));
  EXPECT_EQ(*parked.Find("reason"), Value(domain::Name(domain::WaitReason::kBreaker)));
  EXPECT_NE(parked.Find("circuitOpenUntil"), nullptr);
}

TEST_F(KeepingEvidence, WhatAnAnswerMadeOfTheGateIsSeenInItsEvidence) {
  Serve([](const auto&) {
    auto busy = Refusal(429);
    busy.headers = {{"Retry-After", "3600"},
                    {"X-RateLimit-Limit", "5"},
                    {"X-RateLimit-Remaining", "0"},
                    {"X-RateLimit-Reset", "60"}};
    return busy;
  });
  const auto none = NoPageOf(Fetch());
  ASSERT_EQ(none.kind, NoPage::Kind::kParked);
  const auto& rate = none.evidence.response.at("rate");
  EXPECT_EQ(*rate.Find("share"), Value(0.5)) << "of the configured rate, from now on";
  EXPECT_EQ(*rate.Find("r"), Value(2.5)) << "half of the five that the provider speaks of";
  EXPECT_EQ(*rate.Find("burst"), Value(1));
  ASSERT_NE(rate.Find("cooldownUntil"), nullptr);
  EXPECT_GE(*rate.Find("cooldownUntil")->AsString(), FormatRfc3339(clock_.Now() + 1h));
  const auto& quota = none.evidence.response.at("quota");
  EXPECT_EQ(*quota.Find("remaining"), Value(0));
  EXPECT_EQ(*quota.Find("limit"), Value(5));
  EXPECT_NE(quota.Find("windowReset"), nullptr);
}

TEST_F(KeepingEvidence, ARequestThatNothingAnswersIsKept) {
  transport_.script = [](const auto&) -> Result<app::HttpResponse> {
    return Fail(ErrorCode::kUnavailable, "nothing came for 30 s");
  };
  const auto none = NoPageOf(Fetch());
  EXPECT_EQ(none.evidence.sent.requests, 3);
  EXPECT_THAT(TextOf(none.evidence, "error"), HasSubstr("nothing came for 30 s"));
  EXPECT_EQ(none.evidence.status, 0);
  EXPECT_THAT(none.evidence.request, HasSubstr("urlTemplate"));
}

TEST_F(KeepingEvidence, AnAnswerThatIsTooLargeIsKept) {
  transport_.script = [](const auto&) -> Result<app::HttpResponse> {
    return Fail(ErrorCode::kLimit, "larger than 64 MiB");
  };
  const auto none = NoPageOf(Fetch());
  EXPECT_EQ(none.kind, NoPage::Kind::kTooLarge);
  EXPECT_THAT(none.evidence.request, HasSubstr("urlTemplate"));
  EXPECT_THAT(ReasonsOf(none.evidence), ElementsAre(HasSubstr("larger than 64 MiB")));
}

TEST_F(KeepingEvidence, EveryRequestOfRefusedKeysIsCounted) {
  UseKeys({"A", "B"});
  Serve([](const auto&) { return Refusal(401); });
  const auto none = NoPageOf(Fetch());
  EXPECT_EQ(none.kind, NoPage::Kind::kFatal);
  EXPECT_EQ(none.evidence.sent.requests, 2);
  EXPECT_EQ(none.evidence.sent.failed, (std::array{0, 0, 0, 1}));
  EXPECT_THAT(none.evidence.request, HasSubstr("X-Key: ***"));
}

TEST_F(KeepingEvidence, WhoFindsTheOtherKeysRefusedHasSentAllTheSame) {
  UseKeys({"A", "B"});
  Serve([](const app::HttpRequest& request) {
    return HeaderOf(request, "X-Key") == "secret-of-A" ? PageOf({"a"}) : Refusal(401);
  });
  while (transport_.requests.size() < 2) Fetch();  // B is taken out
  Serve([](const auto&) { return Refusal(401); });
  transport_.requests.clear();
  const auto none = NoPageOf(Fetch());
  EXPECT_EQ(none.kind, NoPage::Kind::kFatal);
  EXPECT_EQ(none.evidence.sent.requests, std::ssize(transport_.requests));
  EXPECT_GE(none.evidence.sent.requests, 1);
}

TEST_F(KeepingEvidence, WhatNobodySentIsNoRequest) {
  stop_.Ask();
  const auto none = NoPageOf(Fetch());
  EXPECT_EQ(none.evidence.sent.requests, 0);
  EXPECT_THAT(none.evidence.request, IsEmpty());
}

TEST_F(KeepingEvidence, OfTheManyThatFailTheFirstAndTheNewestAreKept) {
  domain::FailedTries failures;
  for (int i = 1; i <= 100; ++i) failures.Add({.batch_no = i, .reason = std::string(5'000, 'r')});
  EXPECT_EQ(failures.count(), 100);
  ASSERT_THAT(failures.kept(), SizeIs(20));
  EXPECT_EQ(failures.kept()[9].batch_no, 10);
  EXPECT_EQ(failures.kept()[10].batch_no, 91);
  EXPECT_EQ(failures.kept()[19].reason.size(), domain::FailedTries::kReasonBytesMax);
  domain::FailedTries both;
  both.Append(failures);
  both.Append(failures);
  EXPECT_EQ(both.count(), 200);
  EXPECT_THAT(both.kept(), SizeIs(20));
}

TEST_F(KeepingEvidence, ARunThatEndsCountsEverythingThatWasSentForTheOpenBatch) {
  Serve([](const auto&) { return Refusal(503); });
  auto& run = Open();
  const auto broken = walk_pages_.Run(run);
  ASSERT_TRUE(broken && *broken);
  ASSERT_TRUE(close_.BreakOff(run, **broken));
  ASSERT_THAT(runs_.given_back, SizeIs(1));
  const auto& end = runs_.given_back[0];
  EXPECT_EQ(end.evidence.sent.requests, std::ssize(transport_.requests));
  EXPECT_EQ(end.evidence.status, 503);
  EXPECT_THAT(end.stats, HasSubstr(R"("errors":[{)"));
  EXPECT_THAT(end.stats, HasSubstr(R"("errorCounts":{"L1":3})"));
}

TEST_F(KeepingEvidence, APageThatCameAndIsThrownAwayIsTheOpenBatchsEvidence) {
  Serve([](const auto&) { return PageOf({"a", "b", "c", "d"}); });
  auto& run = Open();
  runs_.on_commit = [&](const auto&) { stop_.Ask(); };
  policy_.fetch_ahead = true;
  const auto broken = walk_pages_.Run(run);
  policy_.fetch_ahead = false;
  ASSERT_TRUE(broken && *broken);
  ASSERT_TRUE(close_.BreakOff(run, **broken));
  ASSERT_THAT(runs_.given_back, SizeIs(1));
  const auto& evidence = runs_.given_back[0].evidence;
  EXPECT_EQ(evidence.sent.requests + runs_.commits[0].evidence.sent.requests,
            std::ssize(transport_.requests));
  // Whether the next page was asked for before somebody asked to stop is a matter of luck; nothing of it is lost.
  EXPECT_EQ(evidence.request.empty(), transport_.requests.size() == 1);
}

TEST_F(KeepingEvidence, WhatHealingHasInForceIsPartOfEveryAccount) {
  runs_.opened.page_size_max = 2;
  runs_.opened.concurrency_max = 1;
  Serve([](const auto&) { return PageOf({"a"}); });
  auto& run = Open();
  ASSERT_TRUE(walk_pages_.Run(run));
  ASSERT_THAT(runs_.commits, SizeIs(1));
  EXPECT_TRUE(runs_.commits[0].evidence.are_pages_smaller);
  EXPECT_TRUE(runs_.commits[0].evidence.are_requests_fewer);
  ASSERT_TRUE(close_.Succeed(run));
  EXPECT_THAT(runs_.closed.at(0).stats, HasSubstr(R"("pageSizeShrink":true)"));
}

TEST_F(KeepingEvidence, ASliceThatIsCutSaysSo) {
  Serve([](const auto&) { return PageOf({"a"}); });
  auto& run = Open();
  ASSERT_TRUE(close_.Recut(run, "it is slow"));
  ASSERT_THAT(runs_.closed, SizeIs(1));
  EXPECT_THAT(runs_.closed[0].stats, HasSubstr(R"("reslice":true)"));
}

}  // namespace patra::testing::evidence_test
