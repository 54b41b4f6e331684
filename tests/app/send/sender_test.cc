#include "app/send/sender.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/canonical_json.h"
#include "base/hash.h"
#include "base/http_date.h"
#include "tests/app/send/send_fixture.h"

namespace patra::testing::sender_test {

using namespace std::chrono_literals;
using app::HttpRequest;
using app::HttpResponse;
using domain::AuthLocation;
using domain::AuthType;
using ::testing::HasSubstr;
using ::testing::Not;

HttpResponse Redirect(std::string to, int status = 302) {
  return {.status = status, .headers = {{"Location", std::move(to)}}};
}

class Sending : public SenderTest {
 protected:
  void UseKeys(std::vector<std::string> names, AuthLocation location = AuthLocation::kHeader) {
    spec_.auth = {.type = AuthType::kApiKey, .location = location, .name = "X-Key"};
    for (const auto& name : names) {
      spec_.auth.credentials.push_back("env:" + name);
      secrets_.values["env:" + name] = "secret-of-" + name;
    }
  }
};

TEST_F(Sending, SaysWhoAsksAndForWhat) {
  spec_.http.contact = "${env:PATRA_CONTACT}";
  secrets_.values["${env:PATRA_CONTACT}"] = "mailto:me@example.org";
  ASSERT_TRUE(Send());
  const auto request = transport_.requests.at(0);
  EXPECT_EQ(HeaderOf(request, "User-Agent"), "patra/1.2 (+mailto:me@example.org)");
  EXPECT_EQ(HeaderOf(request, "X-Ingest-Correlation-Id"), "ing-5-7");
  EXPECT_THAT(HeaderOf(request, "traceparent"),
              ::testing::MatchesRegex("00-[0-9a-f]{32}-[0-9a-f]{16}-01"));
  clock_.Advance(1s);
  ASSERT_TRUE(Send());
  const auto first = HeaderOf(request, "traceparent");
  const auto second = HeaderOf(transport_.requests.at(1), "traceparent");
  EXPECT_EQ(first.substr(0, 35), second.substr(0, 35)) << "a run is a trace";
  EXPECT_NE(first, second) << "every request is a span of its own";
}

TEST_F(Sending, WhatAComplaintChangesForOthersIsToldAndCounted) {
  transport_.script = [](const auto&) {
    return HttpResponse{.status = 429, .headers = {{"Retry-After", "7"}}};
  };
  auto sent = *Send();
  Settle(sent);
  EXPECT_EQ(sent.met.retry_after, 1);
  EXPECT_EQ(sent.met.slowed, 1);
  EXPECT_EQ(sent.met.opened, 0);
  ASSERT_EQ(log_.lines.size(), 1u);
  EXPECT_EQ(log_.lines[0].event, "gate.slowed");
  EXPECT_EQ(log_.lines[0].lineage.run, 5);
  ASSERT_EQ(log_.counted.size(), 1u);
  EXPECT_EQ(log_.counted[0].details.at("retryAfter"), Value(1));
}

TEST_F(Sending, AQuotaThatHasNothingLeftIsTold) {
  spec_.limits[0].quotas = {{.requests = 10, .per = 24h}};
  const auto day = std::chrono::floor<std::chrono::days>(clock_.Now());
  clock_.Advance(1h);
  ASSERT_TRUE(ledger_.ReserveQuota("demo#anonymous", day, day + 24h, 10, 0, 10));
  const auto sent = *Send();
  ASSERT_TRUE(sent.parked);
  EXPECT_EQ(sent.met.hard_quota, 1);
  EXPECT_EQ(sent.met.soft_quota, 0);
  ASSERT_EQ(log_.lines.size(), 1u);
  EXPECT_EQ(log_.lines[0].event, "quota.reached");
  EXPECT_EQ(log_.lines[0].details.at("kind"), Value("hard"));
}

TEST_F(Sending, WithoutAContactSaysNone) {
  spec_.http.contact = "${env:PATRA_CONTACT}";
  ASSERT_TRUE(Send());
  EXPECT_EQ(HeaderOf(transport_.requests.at(0), "User-Agent"), "patra/1.2");
}

TEST_F(Sending, TravelsAsTheDefinitionSays) {
  spec_.http.connect_timeout = 3s;
  spec_.http.read_timeout = 20s;
  spec_.http.total_timeout = 500s;
  spec_.http.compression = false;
  spec_.http.proxy = "${env:PROXY}";
  secrets_.values["${env:PROXY}"] = "http://user:pass-word@proxy.example.org:3128";
  ASSERT_TRUE(Send());
  const auto& way = transport_.requests.at(0).way;
  EXPECT_EQ(way.connect_timeout, 3s);
  EXPECT_EQ(way.read_timeout, 20s);
  EXPECT_EQ(way.total_timeout, 120s) << "no timeout is longer";
  EXPECT_FALSE(way.compression);
  EXPECT_EQ(way.proxy, "http://user:pass-word@proxy.example.org:3128");
  EXPECT_TRUE(redactor_.Contains("pass-word"));
}

TEST_F(Sending, PutsTheCredentialWhereItBelongs) {
  struct Case {
    const char* what;
    domain::AuthSpec auth;
    HttpRequest request;
    std::function<void(const HttpRequest&)> check;
  };
  secrets_.values = {{"env:K", "k&y =1"}, {"env:U", "me"}, {"env:P", "pass"}};
  const HttpRequest get{.url = "https://api.example.org/items?q=1"};
  const HttpRequest json{.method = "POST",
                         .url = "https://api.example.org/",
                         .headers = {{"Content-Type", "application/json"}},
                         .body = R"({"api_name":"daily"})"};
  const HttpRequest form{.method = "POST",
                         .url = "https://api.example.org/",
                         .headers = {{"Content-Type", "application/x-www-form-urlencoded"}},
                         .body = "db=pubmed"};
  const auto cases = std::vector<Case>{
      {"a header",
       {.type = AuthType::kApiKey, .name = "X-Key", .credentials = {"env:K"}},
       get,
       [](const auto& r) { EXPECT_EQ(HeaderOf(r, "X-Key"), "k&y =1"); }},
      {"a parameter",
       {.type = AuthType::kApiKey,
        .location = AuthLocation::kQuery,
        .name = "api_key",
        .credentials = {"env:K"}},
       get,
       [](const auto& r) {
         EXPECT_EQ(r.url, "https://api.example.org/items?q=1&api_key=k%26y%20%3D1");
       }},
      {"a parameter that a provider's link repeats",
       {.type = AuthType::kApiKey,
        .location = AuthLocation::kQuery,
        .name = "api_key",
        .credentials = {"env:K"}},
       {.url = "https://api.example.org/items?api_key=***&page=2"},
       [](const auto& r) {
         EXPECT_EQ(r.url, "https://api.example.org/items?page=2&api_key=k%26y%20%3D1");
       }},
      {"a JSON member",
       {.type = AuthType::kApiKey,
        .location = AuthLocation::kBody,
        .name = "token",
        .credentials = {"env:K"}},
       json,
       [](const auto& r) { EXPECT_EQ(r.body, R"({"api_name":"daily","token":"k&y =1"})"); }},
      {"a form's field",
       {.type = AuthType::kApiKey,
        .location = AuthLocation::kBody,
        .name = "api_key",
        .credentials = {"env:K"}},
       form,
       [](const auto& r) { EXPECT_EQ(r.body, "db=pubmed&api_key=k%26y+%3D1"); }},
      {"Basic",
       {.type = AuthType::kBasic, .username = "env:U", .password = "env:P"},
       get,
       [](const auto& r) { EXPECT_EQ(HeaderOf(r, "Authorization"), "Basic bWU6cGFzcw=="); }},
      {"Bearer",
       {.type = AuthType::kBearer,
        .name = "Authorization",
        .prefix = "Bearer ",
        .credentials = {"env:P"}},
       get,
       [](const auto& r) { EXPECT_EQ(HeaderOf(r, "Authorization"), "Bearer pass"); }},
      {"a signature",
       {.type = AuthType::kCustom, .credentials = {"env:P"}, .signing_hook = "hmac-sha256"},
       get,
       [](const auto& r) {
         const std::string date = "Thu, 01 Jan 2026 00:00:00 GMT";
         EXPECT_EQ(HeaderOf(r, "Date"), date);
         EXPECT_EQ(HeaderOf(r, "Authorization"),
                   HmacSha256Hex("pass", "GET\n/items\nq=1\n" + date));
       }},
  };
  for (const auto& test : cases) {
    SCOPED_TRACE(test.what);
    clock_.Advance(Duration::zero());
    spec_.auth = test.auth;
    transport_.requests.clear();
    // The signature's date is the clock's; a slot that has to be waited for would move it.
    spec_.provenance = test.what;
    const auto sent = SendRequest(test.request);
    ASSERT_TRUE(sent) << sent.error().Describe();
    ASSERT_EQ(transport_.requests.size(), 1U);
    test.check(transport_.requests[0]);
    for (const auto& [reference, secret] : secrets_.values) {
      if (reference == "env:U") continue;
      EXPECT_THAT(sent->request_digest, Not(HasSubstr(secret)));
    }
  }
}

TEST_F(Sending, RefusesHooksThatNobodyWrote) {
  secrets_.values["env:K"] = "secret";
  spec_.auth = {.type = AuthType::kCustom, .credentials = {"env:K"}, .signing_hook = "hmac-sha265"};
  const auto sent = Send();
  ASSERT_FALSE(sent);
  EXPECT_THAT(sent.error().hint, HasSubstr("hmac-sha256"));
  EXPECT_TRUE(transport_.requests.empty());
}

TEST_F(Sending, ACredentialThatIsNotSetMeansAnonymousOnlyWhereNoneIsRequired) {
  spec_.auth = {.type = AuthType::kApiKey, .name = "X-Key", .credentials = {"env:K"}};
  const auto sent = Send();
  ASSERT_TRUE(sent);
  EXPECT_EQ(HeaderOf(transport_.requests.at(0), "X-Key"), "");
  EXPECT_EQ(sent->permit.key, "demo#anonymous");

  spec_.auth.required = true;
  const auto refused = Send();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kRefused);
  EXPECT_THAT(refused.error().hint, HasSubstr("env:K"));
  EXPECT_EQ(transport_.requests.size(), 1U);
}

TEST_F(Sending, SeveralKeysShareTheWork) {
  UseKeys({"A", "B"});
  spec_.limits[0].rate = domain::RateSpec{.requests = 1, .per = 2s};
  for (int i = 0; i < 4; ++i) {
    auto sent = Send();
    ASSERT_TRUE(sent && sent->response);
    Settle(*sent);
  }
  EXPECT_EQ(StatusOf("demo#A").counts.permits, 2U);
  EXPECT_EQ(StatusOf("demo#B").counts.permits, 2U);
}

TEST_F(Sending, TheKeyWithMoreOfItsQuotaLeftGoesFirst) {
  UseKeys({"A", "B"});
  spec_.limits[0].quotas = {{.requests = 1'000, .per = 24h}};
  const auto day = clock_.Now();
  ASSERT_TRUE(ledger_.ReserveQuota("demo#A", day, day + 24h, 900, 0, 500));
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(sent->target.credential, "B");
}

TEST_F(Sending, KeysAsListedServeUntilTheyAreSpentOrCoolDown) {
  UseKeys({"A", "B"});
  spec_.auth.key_order = domain::KeyOrder::kListed;
  spec_.limits[0].quotas = {{.requests = 10, .per = 24h}};
  const auto day = clock_.Now();
  ASSERT_TRUE(ledger_.ReserveQuota("demo#A", day, day + 24h, 10, 0, 5));
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(sent->target.credential, "A") << "though B has more left";
  transport_.script = [](const HttpRequest& request) {
    const bool is_first = HeaderOf(request, "X-Key") == "secret-of-A";
    return is_first ? HttpResponse{.status = 429, .headers = {{"Retry-After", "600"}}}
                    : HttpResponse{.status = 200};
  };
  Settle(*sent);
  auto throttled = Send();
  ASSERT_TRUE(throttled && throttled->response);
  ASSERT_TRUE(sender_.Settle(
      *throttled,
      {.level = domain::ErrorLevel::kL1, .wait = Duration(600s), .is_throttled = true}));
  sent = Send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(sent->target.credential, "B") << "the first cools down";
}

// Notes what it is told.
class PlainBook final : public app::CredentialBook {
 public:
  Result<void> Note(const std::string& credential, const std::string& host,
                    std::string_view secret) override {
    noted.push_back(credential + " " + host + " " + std::string(secret));
    return Fail(ErrorCode::kUnavailable, "the book is full");
  }
  Result<std::vector<app::SharedCredential>> Shared() override {
    return std::vector<app::SharedCredential>{};
  }
  std::vector<std::string> noted;
};

TEST_F(Sending, TheBookKnowsWhichCredentialsAreUsedAndHoldsNobodyUp) {
  PlainBook book;
  app::Sender sender({*gate_, transport_, clock_, secrets_, redactor_, log_, &book});
  const auto send = [&] {
    const auto source = domain::CompiledSource::Compile(spec_).value();
    return sender.Send({.source = source, .request = {.url = "https://api.example.org/items"}},
                       [](const domain::GateWait&) {});
  };
  ASSERT_TRUE(send());
  EXPECT_TRUE(book.noted.empty()) << "nobody shares what is anonymous";
  UseKeys({"A"});
  const auto sent = send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(book.noted, std::vector<std::string>{"demo#A api.example.org:443 secret-of-A"});
}

TEST_F(Sending, ARefusedKeyGivesWayToTheNextAndIsTakenOut) {
  UseKeys({"A", "B"});
  transport_.script = [](const HttpRequest& request) {
    return HttpResponse{.status = HeaderOf(request, "X-Key") == "secret-of-B" ? 200 : 401};
  };
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(sent->response->status, 200);
  EXPECT_EQ(sent->requests, 2);
  Settle(*sent);
  EXPECT_EQ(StatusOf("demo#A").reason, domain::WaitReason::kRefused);
  ASSERT_EQ(log_.lines.size(), 1U);
  EXPECT_EQ(log_.lines[0].level, app::LogLevel::kError);
  EXPECT_EQ(log_.lines[0].event, "credential.refused");
  EXPECT_EQ(log_.lines[0].lineage.run, 5);

  transport_.requests.clear();
  ASSERT_TRUE(Send());
  ASSERT_EQ(transport_.requests.size(), 1U);
  EXPECT_EQ(HeaderOf(transport_.requests[0], "X-Key"), "secret-of-B");
}

TEST_F(Sending, OnlyWhenAllKeysAreRefusedAPersonMustAct) {
  UseKeys({"A", "B"});
  transport_.script = [](const auto&) { return HttpResponse{.status = 401}; };
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(sent->response->status, 401);
  EXPECT_EQ(sent->requests, 2);
  Settle(*sent);
  const auto again = Send();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kRefused);
  EXPECT_THAT(again.error().hint, HasSubstr("‹gate.reset demo#"));
  EXPECT_EQ(transport_.requests.size(), 2U) << "never anonymously";

  ASSERT_TRUE(gate_->Reset("demo#A"));
  transport_.script = [](const auto&) { return HttpResponse{.status = 200}; };
  EXPECT_TRUE(Send());
}

TEST_F(Sending, ARefusedKeyIsOutAlsoWhereLimitsCountBySource) {
  UseKeys({"A", "B"});
  spec_.limits[0].per = domain::RateScope::kSource;
  transport_.script = [](const HttpRequest& request) {
    return HttpResponse{.status = HeaderOf(request, "X-Key") == "secret-of-B" ? 200 : 401};
  };
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(sent->response->status, 200);
  Settle(*sent);
  EXPECT_EQ(StatusOf("demo").reason, domain::WaitReason::kNone);
  EXPECT_EQ(StatusOf("demo#A").reason, domain::WaitReason::kRefused);
}

TEST_F(Sending, A401ToAnAnonymousRequestRefusesNobody) {
  transport_.script = [](const auto&) { return HttpResponse{.status = 401}; };
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  Settle(*sent);
  EXPECT_TRUE(log_.lines.empty());
  EXPECT_TRUE(Send());
}

TEST_F(Sending, WhatARequestCameToIsToldToThoseWhoCount) {
  transport_.script = [](const auto&) { return HttpResponse{.status = 429}; };
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  ASSERT_TRUE(sender_.Settle(*sent, {.level = domain::ErrorLevel::kL1,
                                     .action = domain::ErrorAction::kRetry,
                                     .is_throttled = true}));
  ASSERT_EQ(log_.counted.size(), 1U);
  const auto& told = log_.counted.front();
  EXPECT_EQ(told.event, "request.settled");
  EXPECT_EQ(*told.details.at("status").AsInteger(), 429);
  EXPECT_EQ(*told.details.at("level").AsString(), "L1");
  EXPECT_EQ(*told.details.at("throttled").AsInteger(), 1);
}

TEST_F(Sending, WhereTheSourceHasARuleFor401TheKeyIsJudgedWithIt) {
  UseKeys({"A", "B"});
  spec_.errors = {{.statuses = {{401, 401}}, .action = domain::ErrorAction::kRetry}};
  transport_.script = [](const auto&) { return HttpResponse{.status = 401}; };
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(sent->requests, 1);
  ASSERT_TRUE(sender_.Settle(
      *sent, {.level = domain::ErrorLevel::kL1, .action = domain::ErrorAction::kRetry}));
  EXPECT_TRUE(log_.lines.empty());
}

TEST_F(Sending, FollowsRedirectsWithinTheSourceAndPaysForEach) {
  spec_.http.redirects_max = 3;
  UseKeys({"A"});
  transport_.script = [](const HttpRequest& request) {
    return request.url.ends_with("/c")   ? HttpResponse{.status = 200, .body = "there"}
           : request.url.ends_with("/b") ? Redirect("https://api.example.org/c", 308)
                                         : Redirect("/b");
  };
  auto sent = Send("https://api.example.org/a");
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(sent->response->body, "there");
  EXPECT_EQ(sent->requests, 3);
  for (const auto& request : transport_.requests)
    EXPECT_EQ(HeaderOf(request, "X-Key"), "secret-of-A");
  Settle(*sent);
  EXPECT_EQ(StatusOf("demo#A").counts.permits, 3U);
}

TEST_F(Sending, RedirectsAreAnswersWhereTheyAreNotAllowed) {
  transport_.script = [](const auto&) { return Redirect("/b"); };
  EXPECT_EQ(Send()->response->status, 302);
  spec_.http.redirects_max = 3;
  auto post = SendRequest({.method = "POST", .url = "https://api.example.org/a"});
  EXPECT_EQ(post->response->status, 302);
  EXPECT_EQ(transport_.requests.size(), 2U);
  auto endless = Send();
  EXPECT_EQ(endless->response->status, 302);
  EXPECT_EQ(endless->requests, 4) << "the first, and three redirects";
}

TEST_F(Sending, CredentialsNeverCrossTheOrigin) {
  spec_.http.redirects_max = 3;
  spec_.http.hosts = {"files.example.org"};
  for (const auto location : {AuthLocation::kHeader, AuthLocation::kQuery}) {
    UseKeys({"A"}, location);
    transport_.requests.clear();
    transport_.script = [](const HttpRequest& request) {
      return request.url.starts_with("https://api.") ? Redirect("https://files.example.org/x")
                                                     : HttpResponse{.status = 200};
    };
    auto sent = Send();
    ASSERT_TRUE(sent && sent->response);
    ASSERT_EQ(transport_.requests.size(), 2U);
    EXPECT_EQ(transport_.requests[1].url, "https://files.example.org/x");
    EXPECT_EQ(HeaderOf(transport_.requests[1], "X-Key"), "");
  }
}

TEST_F(Sending, ANextLinkToAListedHostGoesWithoutCredentials) {
  spec_.http.hosts = {"files.example.org"};
  UseKeys({"A"});
  ASSERT_TRUE(Send("https://files.example.org/page2"));
  EXPECT_EQ(HeaderOf(transport_.requests.at(0), "X-Key"), "");
}

TEST_F(Sending, NothingGoesToForeignHosts) {
  UseKeys({"A"});
  for (const auto* url :
       {"https://evil.example/next", "https://api.example.org.evil.example/",
        "https://api.example.org:8443/", "http://api.example.org/", "https://user@api.example.org/",
        "ftp://api.example.org/", "https://evil.example/https://api.example.org/"}) {
    const auto sent = Send(url);
    ASSERT_FALSE(sent) << url;
    EXPECT_EQ(sent.error().code, ErrorCode::kInvalidInput);
  }
  EXPECT_TRUE(transport_.requests.empty());
}

TEST_F(Sending, ARedirectAstrayIsAFailure) {
  spec_.http.redirects_max = 3;
  spec_.http.hosts = {"files.example.org"};
  UseKeys({"A"}, AuthLocation::kQuery);
  for (const auto* location :
       {"https://evil.example/", "http://api.example.org/", "//evil.example/x",
        "javascript:alert()", "https://files.example.org/?X-Key=secret-of-A", "https://a b/"}) {
    transport_.requests.clear();
    transport_.script = [&](const auto&) { return Redirect(location); };
    auto sent = Send();
    ASSERT_TRUE(sent) << sent.error().Describe();
    ASSERT_TRUE(sent->failure) << location;
    EXPECT_EQ(sent->failure->code, ErrorCode::kInvalidInput);
    EXPECT_THAT(sent->failure->Describe(), Not(HasSubstr("secret-of-A")));
    EXPECT_EQ(transport_.requests.size(), 1U);
  }
}

TEST_F(Sending, AnAddressAstraySaysWhichHostAndWhatToDo) {
  const auto foreign = Send("https://elsewhere.example/next");
  ASSERT_FALSE(foreign);
  EXPECT_THAT(foreign.error().Describe(), HasSubstr("elsewhere.example"));
  EXPECT_THAT(foreign.error().hint, HasSubstr("http.hosts"));

  spec_.http.redirects_max = 3;
  transport_.script = [&](const auto&) { return Redirect("https://elsewhere.example/"); };
  const auto redirected = Send();
  ASSERT_TRUE(redirected && redirected->failure);
  EXPECT_THAT(redirected->failure->Describe(), HasSubstr("elsewhere.example"));
  EXPECT_THAT(redirected->failure->hint, HasSubstr("http.hosts"));
}

TEST_F(Sending, TheSecondPhaseHasItsOwnEndpointLimitsAndCost) {
  spec_.details = domain::DetailSpec{
      .endpoint = "article",
      .cost = 3,
      .http = {.base_url = "https://details.example.org"},
      .response = {.items = "$.items"},
      .limits = {{.rate = domain::RateSpec{.requests = 30}, .per = domain::RateScope::kEndpoint}}};
  auto sent = SendRequest({.url = "https://details.example.org/x"}, true);
  ASSERT_TRUE(sent) << sent.error().Describe();
  EXPECT_EQ(sent->permit.key, "demo/article");
  EXPECT_EQ(sent->permit.cost, 3);
  EXPECT_FALSE(SendRequest({.url = "https://api.example.org/x"}, true));
}

TEST_F(Sending, ParksWhereNoPermitIsToBeHadSoon) {
  transport_.script = [](const auto&) {
    return HttpResponse{.status = 429, .headers = {{"Retry-After", "3600"}}};
  };
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  Settle(*sent);
  const auto parked = Send();
  ASSERT_TRUE(parked);
  ASSERT_TRUE(parked->parked);
  EXPECT_GE(parked->parked->until, clock_.Now() + 3600s);
  EXPECT_EQ(parked->requests, 0);
  EXPECT_EQ(transport_.requests.size(), 1U);
  const auto ahead = sender_.LongWaitAhead(domain::CompiledSource::Compile(spec_).value());
  ASSERT_TRUE(ahead && *ahead);
  EXPECT_EQ((*ahead)->reason, domain::WaitReason::kCoolDown);
}

TEST_F(Sending, ADigestTellsEverythingButSecrets) {
  UseKeys({"A"}, AuthLocation::kQuery);
  spec_.paging.next = "$.next";
  transport_.script = [](const auto&) {
    return HttpResponse{.status = 200,
                        .headers = {{"X-RateLimit-Remaining", "12"}},
                        .body = "you sent secret-of-A"};
  };
  auto sent = SendRequest({.method = "POST",
                           .url = "https://api.example.org/items?q=a%20b&q=2&token=x",
                           .headers = {{"Accept", "application/json"}},
                           .body = "ids=1"});
  ASSERT_TRUE(sent && sent->response);
  Settle(*sent);
  EXPECT_EQ(sent->response->body, "you sent ***");
  EXPECT_EQ(sent->request_digest,
            R"({"bodyHash":"sha256:)" + Sha256Hex("ids=1") +
                R"(","headers":["Accept: application/json","User-Agent: patra/1.2","?X-Key=***"],)"
                R"("method":"POST","query":{"q":["a%20b","2"],"token":"***"},)"
                R"("urlTemplate":"https://api.example.org/items"})");
  EXPECT_EQ(CanonicalJson(sent->response_digest),
            R"({"headerHints":{"rateLimitLimit":null,"rateLimitRemaining":"12",)"
            R"("rateLimitReset":null,"retryAfter":null},"itemsPath":"$.items",)"
            R"("nextTokenPath":"$.next","quota":{"remaining":12},"rate":{"burst":1,)"
            R"("decision":"ALLOW","limitKey":"demo#A","permitCost":1,"r":10,)"
            R"("reason":"NONE","waitMs":0},"sample":"sha256:)" +
                Sha256Hex("you sent ***") + R"(","status":200})");
}

class Tokens : public Sending {
 protected:
  Tokens() {
    spec_.auth = {.type = AuthType::kOauth2,
                  .required = true,
                  .name = "Authorization",
                  .prefix = "Bearer ",
                  .token_url = "https://login.example.org/token",
                  .client_id = "env:CLIENT",
                  .client_secret = "env:CLIENT_SECRET",
                  .scope = "/read-public"};
    secrets_.values = {{"env:CLIENT", "client-1"}, {"env:CLIENT_SECRET", "very-secret"}};
    transport_.script = [this](const HttpRequest& request) { return Answer(request); };
  }

  Result<HttpResponse> Answer(const HttpRequest& request) {
    if (request.url == "https://login.example.org/token") {
      ++fetched_;
      return HttpResponse{
          .status = 200,
          .body = fmt::format(R"({{"access_token":"access-token-{}","expires_in":{}}})", fetched_,
                              600)};
    }
    const auto token = HeaderOf(request, "Authorization");
    return HttpResponse{.status = token == withdrawn_ ? 401 : 200, .body = token};
  }

  int fetched_ = 0;
  std::string withdrawn_;
};

TEST_F(Tokens, AreFetchedOnceAndRenewedBeforeTheyEnd) {
  ASSERT_TRUE(Send());
  EXPECT_EQ(transport_.requests.at(0).body, "grant_type=client_credentials&scope=%2Fread-public");
  EXPECT_EQ(HeaderOf(transport_.requests.at(0), "Authorization"),
            "Basic " + Base64("client-1:very-secret"));
  EXPECT_EQ(HeaderOf(transport_.requests.at(1), "Authorization"), "Bearer access-token-1");
  ASSERT_TRUE(Send());
  EXPECT_EQ(fetched_, 1);
  clock_.Advance(541s);  // a minute before its end
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(fetched_, 2);
  EXPECT_EQ(sent->requests, 2) << "the token was paid for, too";
  EXPECT_EQ(sent->response->body, "Bearer ***") << "what the provider repeats";
}

TEST_F(Tokens, AreFetchedByOneOfManyThreads) {
  spec_.limits[0].rate = domain::RateSpec{.requests = 1'000};
  std::atomic<int> answered = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 5; ++i) {
          auto sent = Send();
          if (sent && sent->response && sent->response->status == 200) ++answered;
        }
      });
    }
  }
  EXPECT_EQ(answered, 40);
  EXPECT_EQ(fetched_, 1);
}

TEST_F(Tokens, AreRenewedOnceAfterARefusal) {
  withdrawn_ = "Bearer access-token-1";
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response);
  EXPECT_EQ(sent->response->status, 200);
  EXPECT_EQ(sent->requests, 4);
  withdrawn_ = "Bearer access-token-2";
  transport_.script = [this](const HttpRequest& request) -> Result<HttpResponse> {
    auto response = Answer(request);
    if (request.url != "https://login.example.org/token") response->status = 401;
    return response;
  };
  auto refused = Send();
  ASSERT_TRUE(refused && refused->response);
  EXPECT_EQ(refused->response->status, 401);
  EXPECT_EQ(fetched_, 3);
}

TEST_F(Tokens, TryTheFormWhereBasicIsNotTaken) {
  transport_.script = [this](const HttpRequest& request) -> Result<HttpResponse> {
    const bool is_basic = HeaderOf(request, "Authorization").starts_with("Basic");
    if (is_basic) return HttpResponse{.status = 401, .body = R"({"error":"invalid_client"})"};
    return Answer(request);
  };
  auto sent = Send();
  ASSERT_TRUE(sent && sent->response) << sent->failure->Describe();
  EXPECT_THAT(transport_.requests.at(1).body, HasSubstr("client_secret=very-secret"));
}

TEST_F(Tokens, ThatAreRefusedStopTheClient) {
  transport_.script = [](const auto&) { return HttpResponse{.status = 401}; };
  auto sent = Send();
  ASSERT_TRUE(sent && sent->failure);
  EXPECT_EQ(sent->failure->code, ErrorCode::kRefused);
  Settle(*sent);
  EXPECT_EQ(Send().error().code, ErrorCode::kRefused);
  EXPECT_EQ(log_.lines.size(), 1U);
}

TEST_F(Tokens, ThatDoNotComeAreFailuresThatPass) {
  for (const auto& answer :
       {HttpResponse{.status = 503}, HttpResponse{.status = 200, .body = "<html>"},
        HttpResponse{.status = 200, .body = R"({"access_token":7})"}}) {
    transport_.script = [&](const auto&) { return answer; };
    auto sent = Send();
    ASSERT_TRUE(sent && sent->failure);
    EXPECT_EQ(sent->failure->code, ErrorCode::kUnavailable);
    Settle(*sent);
  }
}

TEST_F(Tokens, AreNotAskedForInPlainText) {
  spec_.auth.token_url = "http://login.example.org/token";
  EXPECT_FALSE(Send());
  EXPECT_TRUE(transport_.requests.empty());
}

}  // namespace patra::testing::sender_test
