#include "adapter/rest/front.h"

#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "adapter/cli/steps.h"
#include "adapter/rest/named_schemas.h"
#include "adapter/rest/open_api.h"
#include "adapter/rest/problem.h"
#include "adapter/rest/routes.h"
#include "adapter/rest/steps.h"
#include "app/api/report_facts.h"
#include "contract/item_origin.h"
#include "tests/adapter/rest/fake_services.h"

namespace patra::adapter::rest::front_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

class FrontTest : public ::testing::Test {
 protected:
  static HttpRequest Request(const std::string& method, const std::string& target,
                             const std::string& body = "") {
    HttpRequest request{.method = method,
                        .target = target,
                        .headers = {{"host", "localhost:8080"}},
                        .body = body,
                        .peer = "127.0.0.1",
                        .is_from_loopback = true};
    if (!body.empty()) request.headers.emplace_back("content-type", "application/json");
    return request;
  }

  HttpAnswer Ask(const HttpRequest& request) { return front().Answer(request); }
  HttpAnswer Get(const std::string& target) { return Ask(Request("GET", target)); }
  HttpAnswer Post(const std::string& target, const std::string& body) {
    return Ask(Request("POST", target, body));
  }
  static Value Read(const HttpAnswer& answer) {
    const auto value = ParseJson(answer.body);
    EXPECT_TRUE(value) << answer.body;
    return value.value_or(Value());
  }
  static std::string TextOf(const HttpAnswer& answer, const char* member) {
    const auto value = Read(answer);
    const auto* found = value.Find(member);
    return found != nullptr && found->AsString() != nullptr ? *found->AsString() : "";
  }
  static std::string HeaderOf(const HttpAnswer& answer, const std::string& name) {
    for (const auto& [known, value] : answer.headers) {
      if (known == name) return value;
    }
    return "";
  }

  Front& front() {
    if (!front_) {
      front_.emplace(rules_, services_, clock_,
                     [this](const AnsweredRequest& told) { told_.push_back(told); });
    }
    return *front_;
  }

  VirtualClock clock_{Instant(std::chrono::hours(1))};
  FakeRestServices services_{clock_};
  FrontRules rules_{.door = {.is_on_loopback = true}, .body_bytes_max = 10'000};
  std::vector<AnsweredRequest> told_;
  std::optional<Front> front_;
};

TEST_F(FrontTest, ListsRowsWithTheirIdsAsTextsAndSaysWhereTheNextPageBegins) {
  auto& store = services_.fake_desk.store;
  for (Id id = 9'007'199'254'740'993; id > 9'007'199'254'740'990; --id)
    store.slices.push_back({.id = id, .status = "READY"});
  const auto answer = Get("/api/v1/slices?limit=2&status=ready&source=demo");
  ASSERT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(answer.content_type, "application/json");
  EXPECT_EQ(store.asked.status, "READY");
  EXPECT_EQ(store.asked.source, "demo");
  EXPECT_EQ(store.asked.rows_max, 3);
  const auto value = Read(answer);
  ASSERT_EQ(value.Find("items")->AsArray()->size(), 2u);
  EXPECT_EQ(*(*value.Find("items")->AsArray())[0].Find("id")->AsString(), "9007199254740993");

  ASSERT_EQ(Get("/api/v1/slices?after=" + *value.Find("next")->AsString()).status, 200);
  EXPECT_EQ(store.asked.after->id, 9'007'199'254'740'992);
}

TEST_F(FrontTest, PlacesOfAnotherListAndPlacesThatSomebodyMadeUpAreRefused) {
  services_.fake_desk.store.slices = {{.id = 3}, {.id = 2}};
  const auto place = TextOf(Get("/api/v1/slices?limit=1"), "next");
  EXPECT_EQ(Get("/api/v1/tasks?after=" + place).status, 400);
  for (const std::string made_up : {"x", "WyJzbGljZSJd", "", "!!!!", "W10"})
    EXPECT_EQ(Get("/api/v1/slices?after=" + made_up).status, 400) << made_up;
}

TEST_F(FrontTest, WhatIsNotKnownIsAProblemWithAHint) {
  const auto path = Get("/api/v1/nothing");
  EXPECT_EQ(path.status, 404);
  EXPECT_EQ(path.content_type, "application/problem+json");
  EXPECT_EQ(TextOf(path, "code"), "NOT_FOUND");

  const auto parameter = Get("/api/v1/slices?statis=READY");
  EXPECT_EQ(parameter.status, 400);
  EXPECT_EQ(TextOf(parameter, "hint"), "did you mean 'status'?");

  EXPECT_EQ(Get("/api/v1/plans/17").status, 404);
  EXPECT_EQ(Get("/api/v1/plans/x").status, 400);
  EXPECT_EQ(Get("/api/v1/plans/99999999999999999999").status, 400);
  EXPECT_EQ(Get("/api/v1/slices?limit=0").status, 400);
  EXPECT_EQ(Get("/api/v1/slices?limit=1001").status, 400);
  EXPECT_EQ(Get("/api/v1/slices?limit=1&limit=2").status, 400);
  EXPECT_EQ(Get("/api/v1/slices?source=nope").status, 400);
}

TEST_F(FrontTest, AddressesThatCanBeReadInTwoWaysAreRefused) {
  for (const std::string target :
       {"/api/v1/../secret", "/api/v1/%2e%2e/x", "/api//v1/status", "/api/v1/status/", "api",
        "/api/v1/items/a/b/%00", "/api/v1/items/a/b/%ff", "/api/v1/items/a/b/%4",
        "/api/v1/st%0aatus", "http:///x", "http://a@b/api/v1/status"})
    EXPECT_EQ(Get(target).status, 400) << target;
  EXPECT_EQ(Get("/" + std::string(9'000, 'a')).status, 414);
  EXPECT_EQ(Get("http://localhost/api/v1/status").status, 200);
  EXPECT_EQ(Get("http://evil.example/api/v1/status").status, 403);
}

TEST_F(FrontTest, AParameterThatIsGivenEmptyDoesNotMeanEverything) {
  const auto answer = Get("/api/v1/items?source=");
  EXPECT_EQ(answer.status, 400);
  EXPECT_THAT(answer.body, HasSubstr("source: it is empty"));
}

TEST_F(FrontTest, AnotherMethodIsToldWhichThereAre) {
  const auto answer = Post("/api/v1/plans", "{}");
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(HeaderOf(answer, "Allow"), "GET, HEAD, OPTIONS");
  EXPECT_EQ(Ask(Request("OPTIONS", "/api/v1/signals")).status, 204);
  EXPECT_EQ(HeaderOf(Ask(Request("OPTIONS", "/api/v1/signals")), "Allow"),
            "GET, HEAD, POST, OPTIONS");
  EXPECT_EQ(Ask(Request("OPTIONS", "*")).status, 204);
  EXPECT_EQ(Ask(Request("HEAD", "/api/v1/status")).status, 200);
  EXPECT_EQ(Ask(Request("BREW", "/api/v1/status")).status, 405);
}

TEST_F(FrontTest, BodiesAreCheckedBeforeAnythingIsDone) {
  const std::string reset = "/api/v1/fuses/reset";
  const auto wrong = [&](const std::string& body) {
    const auto answer = Post(reset, body);
    EXPECT_EQ(answer.status, 400) << body;
    return TextOf(answer, "detail");
  };
  EXPECT_THAT(wrong("{"), Not(IsEmpty()));
  EXPECT_THAT(wrong(R"({"target":7,"reason":"x"})"), HasSubstr("string is wanted"));
  EXPECT_THAT(wrong(R"({"reason":"x"})"), HasSubstr("'target' is missing"));
  EXPECT_THAT(wrong(R"({"target":"demo","reason":"x","more":1})"), HasSubstr("no member 'more'"));
  EXPECT_THAT(wrong(R"({"target":"demo"})"), HasSubstr("a reason is missing"));
  EXPECT_THAT(wrong("[]"), HasSubstr("object is wanted"));
  EXPECT_EQ(Post(reset, std::string(40, '[') + std::string(40, ']')).status, 422);
  EXPECT_EQ(Post(reset, R"({"target":"demo","reason":"fixed"})").status, 200);

  auto as_text = Request("POST", reset, "target=demo");
  as_text.headers.back().second = "application/x-www-form-urlencoded";
  EXPECT_EQ(Ask(as_text).status, 415);
  auto packed = Request("POST", reset, "{}");
  packed.headers.emplace_back("content-encoding", "gzip");
  EXPECT_EQ(Ask(packed).status, 415);
  auto length = Request("POST", reset);
  length.headers.emplace_back("content-length", "10001");
  EXPECT_EQ(front().RefuseEarly(length)->status, 413);
}

TEST_F(FrontTest, ChangesCarryWhoAskedByWhichWayAndWhy) {
  auto request = Request("POST", "/api/v1/quarantine/reject", R"({"ids":["42"]})");
  request.headers.emplace_back("x-patra-reason", "rubbish");
  services_.fake_desk.fake_quarantine.reports = {{.id = 42}};
  ASSERT_EQ(Ask(request).status, 200);
  const auto& decided = services_.fake_desk.fake_quarantine;
  EXPECT_EQ(decided.decided_by.name, "local");
  EXPECT_EQ(decided.decided_by.way, domain::Way::kApi);
  EXPECT_EQ(decided.request.reason, "rubbish");
  EXPECT_EQ(told_.back().reason, "rubbish");
  EXPECT_THAT(decided.request.ids, ::testing::ElementsAre(42));
}

TEST_F(FrontTest, ASecretInAReasonReachesNobody) {
  auto request = Request("POST", "/api/v1/quarantine/reject", R"({"ids":["42"]})");
  request.headers.emplace_back("x-patra-reason", "a secret");
  services_.fake_desk.fake_quarantine.reports = {{.id = 42}};
  ASSERT_EQ(Ask(request).status, 200);
  EXPECT_EQ(services_.fake_desk.fake_quarantine.request.reason, "***");
  EXPECT_EQ(told_.back().reason, "***") << "the log";
}

TEST_F(FrontTest, TheSameRequestUnderTheSameKeyIsDoneOnce) {
  const auto ask = [&](const std::string& body, const std::string& key) {
    auto request = Request("POST", "/api/v1/fuses/reset", body);
    request.headers.emplace_back("idempotency-key", key);
    return Ask(request);
  };
  const std::string body = R"({"target":"demo","reason":"fixed"})";
  const auto first = ask(body, "k");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(HeaderOf(first, "Idempotent-Replayed"), "");
  const auto again = ask(body, "k");
  EXPECT_EQ(again.body, first.body);
  EXPECT_EQ(HeaderOf(again, "Idempotent-Replayed"), "true");
  EXPECT_EQ(ask(R"({"target":"other","reason":"fixed"})", "k").status, 422);
  auto& kept = services_.fake_desk.fake_answers.kept;
  kept.begin()->second.second.reset();
  EXPECT_EQ(ask(body, "k").status, 409) << "it is under way";
  EXPECT_EQ(ask("{", "broken").status, 400);
  EXPECT_EQ(kept.size(), 1u) << "what is wrong from the start takes no key";
}

TEST_F(FrontTest, WhatADeadProcessHadBegunIsDoneAnewAndARefusalSaysThatItMayBeDone) {
  const auto ask = [&] {
    auto request = Request("POST", "/api/v1/harvests", R"({"source":"demo","reason":"x"})");
    request.headers.emplace_back("idempotency-key", "k");
    return Ask(request);
  };
  EXPECT_EQ(ask().status, 200);
  auto& kept = services_.fake_desk.fake_answers;
  kept.kept.begin()->second.second.reset();
  kept.are_abandoned = true;
  services_.fake_operations.report = Fail(ErrorCode::kConflict, "it is planned", {}, "wait");
  const auto refused = ask();
  EXPECT_EQ(refused.status, 409);
  EXPECT_THAT(refused.body, HasSubstr("wait; a process that died had begun with this request"));
  services_.fake_operations.report = app::PlanReport{};
  EXPECT_EQ(ask().status, 200);
}

TEST_F(FrontTest, WhatFailedForReasonsThatPassMayBeTriedAgainUnderItsKey) {
  services_.fake_operations.report = Fail(ErrorCode::kUnavailable, "the store is away");
  auto request = Request("POST", "/api/v1/harvests", R"({"source":"demo","reason":"x"})");
  request.headers.emplace_back("idempotency-key", "k");
  EXPECT_EQ(Ask(request).status, 503);
  services_.fake_operations.report = app::PlanReport{};
  EXPECT_EQ(Ask(request).status, 200);
}

TEST_F(FrontTest, AJobOfTheApiOverridesNoDefinition) {
  for (const auto* set : {R"(["http.base_url=http://127.0.0.1:1"])", R"({"auth.keys": "x"})"}) {
    const auto answer = Post(
        "/api/v1/jobs/mine",
        fmt::format(R"({{"source":"demo","cron":"@daily","arguments":{{"set":{}}},"reason":"x"}})",
                    set));
    EXPECT_EQ(answer.status, 400);
    EXPECT_THAT(answer.body, HasSubstr("arguments.set"));
  }
}

TEST_F(FrontTest, WhoAcceptsNoJsonIsTold) {
  auto request = Request("GET", "/api/v1/status");
  request.headers.emplace_back("accept", "text/html, application/xml;q=0.9");
  EXPECT_EQ(Ask(request).status, 406);
  request.headers.back().second = "text/html, */*;q=0.1";
  EXPECT_EQ(Ask(request).status, 200);
  request.headers.back().second = "application/json; charset=utf-8";
  EXPECT_EQ(Ask(request).status, 200);
}

TEST_F(FrontTest, AnswersAreKeptNowhereAndShowNothingToPages) {
  const auto answer = Get("/api/v1/status");
  EXPECT_EQ(HeaderOf(answer, "Cache-Control"), "no-store");
  EXPECT_EQ(HeaderOf(answer, "X-Content-Type-Options"), "nosniff");
  EXPECT_THAT(HeaderOf(answer, "Content-Security-Policy"), HasSubstr("default-src 'none'"));
  EXPECT_EQ(HeaderOf(answer, "Access-Control-Allow-Origin"), "");
}

TEST_F(FrontTest, NothingThatMayBeASecretIsToldToTheLog) {
  auto request = Request("GET", "/api/v1/items?idPrefix=hunter2");
  request.headers.emplace_back("authorization", "Bearer hunter2");
  Ask(request);
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0].path, "/api/v1/items");
  EXPECT_EQ(told_[0].status, 401);
  EXPECT_EQ(told_[0].caller, "");
}

TEST_F(FrontTest, OverANetworkNobodyComesInWithoutAToken) {
  rules_.door.is_on_loopback = false;
  EXPECT_EQ(Get("/api/v1/status").status, 401);
  EXPECT_THAT(HeaderOf(Get("/api/v1/status"), "WWW-Authenticate"), HasSubstr("Bearer"));
  EXPECT_EQ(Get("/api/v1/nothing").status, 401) << "who is not let in learns no paths";
  EXPECT_EQ(Get("/healthz").status, 200);
  auto posting = Request("POST", "/api/v1/harvests");
  posting.headers.emplace_back("content-length", "5");
  EXPECT_EQ(front().RefuseEarly(posting)->status, 401);

  auto request = Request("GET", "/api/v1/status");
  request.headers.emplace_back("authorization", "bearer patra_of_anna");
  EXPECT_EQ(Ask(request).status, 200);
  EXPECT_EQ(told_.back().caller, "anna");
  request.headers.emplace_back("authorization", "Bearer patra_of_anna");
  EXPECT_EQ(Ask(request).status, 400) << "two headers, of which somebody else may read the other";
}

TEST_F(FrontTest, WhoeverAProxyPassesOnNeedsAToken) {
  for (const std::string header : {"x-forwarded-for", "forwarded", "via", "x-real-ip"}) {
    auto request = Request("GET", "/api/v1/status");
    request.headers.emplace_back(header, "10.0.0.1");
    EXPECT_EQ(Ask(request).status, 401) << header;
    request.headers.emplace_back("authorization", "Bearer patra_of_anna");
    EXPECT_EQ(Ask(request).status, 200) << header;
  }
}

TEST_F(FrontTest, WhatNeedsNoTokenIsNotForAsOftenAsOneLikes) {
  rules_.door.rate = {.per_second = 1, .at_once = 1};
  EXPECT_EQ(Get("/api/v1/openapi.json").status, 200);
  EXPECT_EQ(Get("/api/v1/openapi.json").status, 429);
}

TEST_F(FrontTest, NoWorkerWaitsForTheOperationOfAnother) {
  std::optional<HttpAnswer> refused;
  services_.fake_operations.while_planning = [&] {
    services_.fake_operations.while_planning = nullptr;
    std::jthread([&] {
      refused = Post("/api/v1/harvests", R"({"source":"demo","reason":"x"})");
    }).join();
  };
  EXPECT_EQ(Post("/api/v1/harvests", R"({"source":"demo","reason":"x"})").status, 200);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  EXPECT_EQ(HeaderOf(*refused, "Retry-After"), "5");
}

TEST_F(FrontTest, RolesMayNotDoMoreThanTheirs) {
  const auto as_anna = [&](const std::string& target, const std::string& body) {
    auto request = Request("POST", target, body);
    request.headers.emplace_back("authorization", "Bearer patra_of_anna");
    return Ask(request).status;
  };
  const std::string reset = R"({"target":"demo","reason":"fixed"})";
  const std::string move = R"({"cursor":"demo/items","value":"now","reason":"x"})";
  EXPECT_EQ(as_anna("/api/v1/fuses/reset", reset), 403);
  services_.fake_desk.fake_tokens.access = domain::Access::kOperator;
  EXPECT_EQ(as_anna("/api/v1/fuses/reset", reset), 200);
  EXPECT_EQ(as_anna("/api/v1/cursors/set", move), 403);
  services_.fake_desk.fake_tokens.access = domain::Access::kAdmin;
  EXPECT_EQ(as_anna("/api/v1/cursors/set", move), 404) << "the fake store has no cursor";
}

TEST_F(FrontTest, NamesThatLeadHereFromElsewhereLetNobodyIn) {
  const auto with = [&](const std::string& host, const Headers& more) {
    auto request = Request("GET", "/api/v1/status");
    request.headers = {{"host", host}};
    request.headers.insert(request.headers.end(), more.begin(), more.end());
    return Ask(request).status;
  };
  rules_.door.hosts = {"patra.internal"};
  rules_.door.origins = {"https://ops.example.org"};
  for (const std::string host :
       {"localhost", "127.0.0.1:8080", "[::1]:8080", "LOCALHOST:1", "patra.internal:8080"})
    EXPECT_EQ(with(host, {}), 200) << host;
  for (const std::string host :
       {"evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "", "[::1", "10.0.0.1"})
    EXPECT_EQ(with(host, {}), 403) << host;
  EXPECT_EQ(with("localhost:8080", {{"origin", "http://localhost:8080"}}), 200);
  EXPECT_EQ(with("localhost:8080", {{"origin", "https://ops.example.org"}}), 200);
  for (const std::string origin :
       {"http://evil.example", "null", "http://localhost:9999", "http:/"})
    EXPECT_EQ(with("localhost:8080", {{"origin", origin}}), 403) << origin;
  EXPECT_EQ(with("localhost:8080", {{"sec-fetch-site", "cross-site"}}), 403);
  EXPECT_EQ(with("localhost:8080", {{"host", "evil.example"}}), 400);
}

TEST_F(FrontTest, ATokenDoesNotHelpAPageOfAnotherSite) {
  auto request = Request("GET", "/api/v1/status");
  request.headers.emplace_back("authorization", "Bearer patra_of_anna");
  request.headers.emplace_back("origin", "http://evil.example");
  EXPECT_EQ(Ask(request).status, 403);
}

TEST_F(FrontTest, WhoTriesTokensIsSlowedDownBeforeTheStoreIsAsked) {
  auto request = Request("GET", "/api/v1/status");
  request.headers.emplace_back("authorization", "Bearer patra_guess");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Ask(request).status, 401);
  const auto answer = Ask(request);
  EXPECT_EQ(answer.status, 429);
  EXPECT_EQ(HeaderOf(answer, "Retry-After"), "6");
  EXPECT_EQ(services_.fake_desk.fake_tokens.asked, 10);
  clock_.Advance(std::chrono::seconds(6));
  EXPECT_EQ(Ask(request).status, 401);
}

TEST_F(FrontTest, WhoHasATokenComesInWhateverOthersAtThatAddressTry) {
  auto known = Request("GET", "/api/v1/status");
  known.headers.emplace_back("authorization", "Bearer patra_of_anna");
  EXPECT_EQ(Ask(known).status, 200);
  auto guess = Request("GET", "/api/v1/status");
  guess.headers.emplace_back("authorization", "Bearer patra_guess");
  for (int i = 0; i < 10; ++i) EXPECT_EQ(Ask(guess).status, 401);
  EXPECT_EQ(Ask(guess).status, 429);
  EXPECT_EQ(Ask(known).status, 200);
}

TEST_F(FrontTest, ABlankReasonIsNone) {
  auto request = Request("POST", "/api/v1/sources/pause", R"({"target":"demo","reason":"  "})");
  EXPECT_EQ(Ask(request).status, 400);
}

TEST_F(FrontTest, WhoAsksTooOftenIsToldWhenToComeAgain) {
  rules_.door.rate = {.per_second = 0.5, .at_once = 2};
  EXPECT_EQ(Get("/api/v1/status").status, 200);
  EXPECT_EQ(Get("/api/v1/status").status, 200);
  const auto answer = Get("/api/v1/status");
  EXPECT_EQ(answer.status, 429);
  EXPECT_EQ(HeaderOf(answer, "Retry-After"), "2");
  clock_.Advance(std::chrono::seconds(2));
  EXPECT_EQ(Get("/api/v1/status").status, 200);
}

TEST_F(FrontTest, ReadinessHasItsReasons) {
  EXPECT_EQ(Get("/readyz").status, 200);
  services_.not_ready = {"the store is away"};
  const auto answer = Get("/readyz");
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.body, HasSubstr("the store is away"));
}

TEST(Problems, NameStepsAsCallsAndApart) {
  const auto answer = ProblemOf({ErrorCode::kConflict,
                                 "the fuse of demo/items has blown",
                                 {},
                                 "when the cause is gone: ‹fuse.reset demo/items›"});
  EXPECT_EQ(answer.status, 409);
  const auto problem = *ParseJson(answer.body);
  EXPECT_EQ(*problem.Find("hint")->AsString(),
            "when the cause is gone: POST /api/v1/fuses/reset with target demo/items");
  const auto& step = problem.Find("next")->AsArray()->front();
  EXPECT_EQ(*step.Find("step")->AsString(), "fuse.reset");
  EXPECT_EQ(*step.Find("arguments")->AsArray()->front().AsString(), "demo/items");
}

TEST(StepsOfTheApi, AreThoseOfTheCommandLineAndCallWhatTheTableHas) {
  std::vector<std::string> calls;
  for (const auto& route : AllRoutes())
    calls.push_back(std::string(Name(route.method)) + " " + route.path);
  std::vector<std::string> known;
  for (const auto& step : KnownSteps()) {
    known.emplace_back(step.name);
    if (!step.call.empty()) {
      EXPECT_THAT(calls, Contains(step.call)) << step.name;
    }
  }
  for (const auto name : cli::KnownSteps()) {
    if (!name.starts_with("wish.")) {
      EXPECT_THAT(known, Contains(name));
    }
  }
}

TEST(Table, HasEachNameAndEachPathOnce) {
  std::set<std::string> names, paths;
  for (const auto& route : AllRoutes()) {
    EXPECT_TRUE(names.insert(route.name).second) << route.name;
    EXPECT_TRUE(paths.insert(std::string(Name(route.method)) + route.path).second) << route.path;
    EXPECT_NE(route.handler, nullptr);
    EXPECT_EQ(route.needs_reason, route.method == Method::kPost) << route.name;
  }
}

std::set<std::string> NamesOf(const contract::Facts& facts) {
  std::set<std::string> names;
  for (const auto& fact : facts) names.insert(fact.name);
  return names;
}

std::set<std::string> NamesOf(const std::string& schema) {
  std::set<std::string> names;
  for (const auto& member : AllNamedSchemas().at(schema).members) names.insert(member.name);
  return names;
}

TEST(Schemas, NameWhatRowsHave) {
  EXPECT_EQ(NamesOf("Plan"), NamesOf(FactsOf(contract::PlanRow{})));
  EXPECT_EQ(NamesOf("Slice"), NamesOf(FactsOf(contract::SliceRow{})));
  EXPECT_EQ(NamesOf("Task"), NamesOf(FactsOf(contract::TaskRow{})));
  EXPECT_EQ(NamesOf("Run"), NamesOf(FactsOf(contract::RunRow{})));
  EXPECT_EQ(NamesOf("Batch"), NamesOf(FactsOf(contract::BatchRow{})));
  EXPECT_EQ(NamesOf("Cursor"), NamesOf(FactsOf(contract::CursorRow{})));
  EXPECT_EQ(NamesOf("CursorStep"), NamesOf(FactsOf(contract::CursorEventRow{})));
  EXPECT_EQ(NamesOf("Decision"), NamesOf(FactsOf(contract::DecisionRow{})));
  EXPECT_EQ(NamesOf("Trigger"), NamesOf(FactsOf(contract::TriggerRow{})));
  EXPECT_EQ(NamesOf("Item"), NamesOf(FactsOf(contract::ItemRow{})));
  EXPECT_EQ(NamesOf("ItemWhy"), NamesOf(FactsOf(contract::ItemWhy{})));
  EXPECT_EQ(NamesOf("EndpointStatus"), NamesOf(FactsOf(contract::EndpointStatus{}, Instant{})));
  EXPECT_EQ(NamesOf("Hold"), NamesOf(FactsOf(contract::HoldRow{})));
  EXPECT_EQ(NamesOf("Alert"), NamesOf(app::FactsOf(app::AlertReport{})));
  EXPECT_EQ(NamesOf("GateKey"), NamesOf(app::FactsOf(app::GateKeyReport{})));
  EXPECT_EQ(NamesOf("Quarantined"), NamesOf(app::FactsOf(domain::QuarantineEntry{})));
  EXPECT_EQ(NamesOf("Signal"), NamesOf(app::FactsOf(domain::Signal{})));
}

TEST(OpenApi, IsJsonAndNamesOnlySchemasThatAreThere) {
  const auto description = ParseJson(OpenApiText());
  ASSERT_TRUE(description) << description.error().Describe();
  const auto text = OpenApiText();
  std::ifstream file(std::string(PATRA_SOURCE_DIR) + "/schema/openapi.json");
  EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(file), {}) == text)
      << "write it anew: curl -s localhost:8470/api/v1/openapi.json > schema/openapi.json";
  const std::string begins = "#/components/schemas/";
  for (auto at = text.find(begins); at != std::string::npos; at = text.find(begins, at + 1)) {
    const auto name = text.substr(at + begins.size(), text.find('"', at) - at - begins.size());
    EXPECT_TRUE(AllNamedSchemas().contains(name)) << name;
  }
}

TEST_F(FrontTest, WhoHasADefinitionIsToldWhenItIsStillThat) {
  const std::string target = "/api/v1/registry/sources/demo";
  const auto first = Get(target);
  EXPECT_EQ(first.status, 200) << first.body;
  EXPECT_EQ(HeaderOf(first, "ETag"), "\"7.0\"");
  EXPECT_EQ(TextOf(first, "text"), "source: demo\n");
  const auto ask = [&](const std::string& mark) {
    auto request = Request("GET", target);
    request.headers.emplace_back("if-none-match", mark);
    return Ask(request);
  };
  for (const auto* mark : {"\"7.0\"", "W/\"7.0\""}) {
    EXPECT_EQ(ask(mark).status, 304) << mark;
    EXPECT_EQ(ask(mark).body, "");
  }
  for (const auto& mark :
       {std::string("7.0"), std::string("*"), std::string("\"\""), std::string("\"6.0\""),
        std::string("\"7.0\", \"6.0\""), "\"" + std::string(500, '7') + "\""})
    EXPECT_EQ(ask(mark).status, 200) << mark;
}

}  // namespace patra::adapter::rest::front_test
