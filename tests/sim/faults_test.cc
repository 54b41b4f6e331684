// Every fault, seen from outside through the generic REST source.
#include "sim/faults.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "sim/scenario_file.h"
#include "sim/simulator.h"
#include "tests/sim/http_client.h"

namespace patra::sim::faults_test {

using testing::Answer;
using ::testing::HasSubstr;
using testing::HttpClient;
using ::testing::Not;
using ::testing::StartsWith;

class Faults : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Simulator::Start({.size = 2'000, .enforce_limits = false});
    ASSERT_TRUE(started) << started.error().Describe();
    simulator_ = std::move(*started);
  }

  Answer GetWith(std::string_view fault, const std::string& path = "/rest/token/items?limit=5") {
    auto written = ParseFaultText(fault);
    EXPECT_TRUE(written) << written.error().Describe();
    const auto set = simulator_->SetFaults(Value::Array{*written});
    EXPECT_TRUE(set) << set.error().Describe();
    return client_.Get(simulator_->url() + path);
  }

  static std::size_t ItemCount(const Answer& answer) {
    return answer.Json().Find("items")->AsArray()->size();
  }

  std::unique_ptr<Simulator> simulator_;
  HttpClient client_;
};

TEST_F(Faults, RefusalsAreTheProvidersOwnWithAnyKindOfRetryAfter) {
  const auto usual = GetWith("too_many_requests");
  EXPECT_EQ(usual.status, 429);
  EXPECT_EQ(usual.Header("retry-after"), "2");
  EXPECT_EQ(GetWith("too_many_requests,retry_after=none").Header("retry-after"), "");
  EXPECT_EQ(GetWith("too_many_requests,retry_after=7s").Header("retry-after"), "7");
  EXPECT_THAT(GetWith("too_many_requests,retry_after=date").Header("retry-after"),
              HasSubstr(" GMT"));
  const auto pubmed = GetWith("too_many_requests", "/pubmed/einfo.fcgi");
  EXPECT_THAT(pubmed.body, HasSubstr(R"("count":"4","limit":"3")"));
}

TEST_F(Faults, ServerErrorsCarryTheWantedStatus) {
  EXPECT_EQ(GetWith("server_error").status, 503);
  EXPECT_EQ(GetWith("server_error,status=502").status, 502);
  EXPECT_EQ(GetWith("auth_expired").status, 401);
}

TEST_F(Faults, BrokenTransfersLookBrokenExceptTheSilentOne) {
  for (const auto* fault : {"reset_before_head", "reset_mid_body", "truncated", "wrong_length"}) {
    EXPECT_NE(GetWith(fault).error, "") << fault;
  }
  const auto silent = GetWith("truncated_silently");
  EXPECT_EQ(silent.error, "");
  EXPECT_FALSE(ParseJson(silent.body));
}

TEST_F(Faults, ChunkedAnswersAreCutToo) {
  EXPECT_NE(GetWith("truncated", "/crossref/works").error, "");
  EXPECT_NE(GetWith("reset_mid_body", "/crossref/works").error, "");
  EXPECT_EQ(GetWith("latency,delay=1ms", "/crossref/works").error, "");
}

TEST_F(Faults, SlowDripDeliversEverythingInTheEnd) {
  const auto answer = GetWith("slow_drip,amount=500,delay=1ms");
  EXPECT_EQ(answer.error, "");
  EXPECT_EQ(ItemCount(answer), 5u);
}

TEST_F(Faults, AnswersThatAreNotWhatTheyClaim) {
  EXPECT_THAT(GetWith("error_body").body, HasSubstr("backend_failed"));
  EXPECT_THAT(GetWith("html").body, StartsWith("<!DOCTYPE html>"));
  EXPECT_EQ(GetWith("html").status, 200);
  EXPECT_FALSE(ParseJson(GetWith("wrong_charset", "/rest/token/items?limit=100").body));
  EXPECT_THAT(GetWith("wrong_charset,charset=utf-16").Header("content-type"),
              HasSubstr("charset=utf-16"));
  EXPECT_THAT(GetWith("deep_json,amount=50").body, StartsWith("[[[[["));
  EXPECT_THAT(GetWith("entity_bomb").body, HasSubstr("<!ENTITY"));
}

TEST_F(Faults, GzipBombIsSmallOnTheWire) {
  const auto bomb = GetWith("gzip_bomb,amount=100");
  EXPECT_EQ(bomb.Header("content-encoding"), "gzip");
  EXPECT_LT(bomb.body.size(), 200'000u);
  EXPECT_THAT(bomb.body, StartsWith("\x1f\x8b"));
}

TEST_F(Faults, RecordDefectsSpoilOneRecordOfThePage) {
  EXPECT_FALSE(ParseJson(GetWith("invalid_utf8").body));
  EXPECT_THAT(GetWith("huge_integer").body, HasSubstr("123456789012345678901234567890"));
  EXPECT_THAT(GetWith("unparsable_date").body, HasSubstr("Febtober"));
  EXPECT_THAT(GetWith("future_date").body, HasSubstr("9999-12-31"));
  const auto lacking = [](const Answer& answer, std::string_view name) {
    int count = 0;
    const auto page = answer.Json();
    for (const auto& item : *page.Find("items")->AsArray()) count += item.Find(name) ? 0 : 1;
    return count;
  };
  EXPECT_EQ(lacking(GetWith("missing_id"), "id"), 1);
  EXPECT_EQ(lacking(GetWith("missing_field"), "title"), 1);
  EXPECT_EQ(lacking(GetWith("schema_change"), "title"), 1);
  const auto changed = GetWith("type_change").Json();
  int objects = 0;
  for (const auto& item : *changed.Find("items")->AsArray()) {
    objects += item.Find("title")->AsObject() ? 1 : 0;
  }
  EXPECT_EQ(objects, 1);
}

TEST_F(Faults, RecordDefectsWorkInXmlToo) {
  const auto path = "/rest/page/items?size=3&format=xml";
  EXPECT_THAT(GetWith("missing_id", path).body, HasSubstr("<item><updated>"));
  EXPECT_THAT(GetWith("schema_change", path).body, HasSubstr("</renamed>"));
  EXPECT_THAT(
      GetWith("unparsable_date", "/oai/standard?verb=ListRecords&metadataPrefix=oai_dc").body,
      HasSubstr("<datestamp>31st of Febtober</datestamp>"));
}

TEST_F(Faults, RecordDefectsWorkInRowsToo) {
  const auto ask = [&](std::string_view fault) {
    EXPECT_TRUE(simulator_->SetFaults(Value::Array{*ParseFaultText(fault)}));
    return client_
        .Post(simulator_->url() + "/tushare",
              R"({"api_name":"daily","token":"t","params":{"limit":5},"fields":""})")
        .body;
  };
  EXPECT_THAT(ask("missing_id"), HasSubstr("[null,\""));
  EXPECT_THAT(ask("unparsable_date"), HasSubstr("Febtober"));
  EXPECT_THAT(ask("schema_change"), HasSubstr("\"renamed\"]"));
  EXPECT_THAT(ask("huge_integer"), HasSubstr("123456789012345678901234567890"));
  EXPECT_FALSE(ParseJson(ask("invalid_utf8")));
}

TEST_F(Faults, PagesRepeatMoveAndLoseTheirWay) {
  const auto honest = GetWith("latency,delay=0s").Json();
  const auto token = *honest.Find("next")->AsString();
  const auto second = "/rest/token/items?limit=5&token=" + token;
  const auto first_id = [](const Answer& answer) {
    return *answer.Json().Find("items")->AsArray()->front().Find("id")->AsString();
  };
  const auto second_id = first_id(GetWith("latency,delay=0s", second));
  const auto page_one_id = *honest.Find("items")->AsArray()->front().Find("id")->AsString();

  EXPECT_EQ(first_id(GetWith("repeated_page", second)), page_one_id);
  EXPECT_EQ(first_id(GetWith("swapped_pages")), second_id);
  EXPECT_EQ(*GetWith("repeated_token", second).Json().Find("next")->AsString(), token);
  EXPECT_TRUE(GetWith("missing_next").Json().Find("next")->is_null());
  EXPECT_EQ(ItemCount(GetWith("empty_page")), 0u);
  EXPECT_FALSE(GetWith("empty_page").Json().Find("next")->is_null());
  EXPECT_EQ(*GetWith("moving_total").Json().Find("total")->AsInteger(),
            *honest.Find("total")->AsInteger() + 17);
  EXPECT_TRUE(GetWith("missing_total").Json().Find("total")->is_null());
  EXPECT_EQ(ItemCount(GetWith("empty_error")), 0u);
  EXPECT_NE(GetWith("empty_error").Json().Find("error"), nullptr);
  const auto narrow = "/rest/token/items?limit=5&from=2100-01-01";
  EXPECT_EQ(ItemCount(GetWith("latency,delay=0s", narrow)), 0u);
  EXPECT_EQ(ItemCount(GetWith("ignored_filter", narrow)), 5u);
  EXPECT_EQ(ItemCount(GetWith("duplicate_items,amount=2")), 7u);
  EXPECT_NE(first_id(GetWith("drift,amount=-1", second)), second_id);
  EXPECT_NE(GetWith("shuffled_items").body, GetWith("latency,delay=0s").body);

  const auto dead = *GetWith("dead_token").Json().Find("next")->AsString();
  EXPECT_EQ(GetWith("latency,delay=0s", "/rest/token/items?limit=5&token=" + dead).status, 400);
}

TEST_F(Faults, RedirectsAndNextUrlsLeadAstray) {
  EXPECT_EQ(GetWith("redirect_loop", "/rest/page/items?page=2").Header("location"),
            "/rest/page/items?page=2");
  EXPECT_EQ(
      GetWith("foreign_redirect,origin=http://evil.test", "/rest/page/items").Header("location"),
      "http://evil.test/rest/page/items");
  const auto next = *GetWith("foreign_next,origin=http://evil.test", "/rest/url/items?limit=1")
                         .Json()
                         .Find("next")
                         ->AsString();
  EXPECT_THAT(next, StartsWith("http://evil.test/rest/url/items?"));
}

TEST_F(Faults, HeadersCanBeHugeAndTheClockWrong) {
  EXPECT_GT(GetWith("huge_headers,amount=20").headers.size(), 20u);
  EXPECT_NE(GetWith("clock_skew,amount=86400").Header("date").substr(0, 16),
            GetWith("latency,delay=0s").Header("date").substr(0, 16));
}

TEST_F(Faults, StrikeByPositionPeriodAndCount) {
  const auto statuses = [&](std::string_view fault, int requests) {
    EXPECT_TRUE(simulator_->SetFaults(Value::Array{*ParseFaultText(fault)}));
    std::string seen;
    for (int i = 0; i < requests; ++i) {
      seen += client_.Get(simulator_->url() + "/rest/ids?limit=1").status == 200 ? '.' : 'X';
    }
    return seen;
  };
  EXPECT_EQ(statuses("server_error,positions=2 4", 6), ".X.X..");
  EXPECT_EQ(statuses("server_error,every=3", 7), "..X..X.");
  EXPECT_EQ(statuses("server_error,times=2", 4), "XX..");
  EXPECT_EQ(statuses("server_error,source=crossref", 2), "..");
  EXPECT_EQ(statuses("server_error,path=/rest/page", 2), "..");
  EXPECT_EQ(statuses("server_error,to=0s", 2), "..");
  const auto chance = statuses("server_error,probability=0.5", 40);
  EXPECT_THAT(chance, HasSubstr("X"));
  EXPECT_THAT(chance, HasSubstr("."));
  EXPECT_EQ(statuses("server_error,probability=0.5", 40),
            chance);  // the same seed, the same faults
}

TEST_F(Faults, AreSetShownAndRemovedAtRunTime) {
  const auto url = simulator_->url() + "/__sim/faults";
  EXPECT_EQ(client_.Post(url, R"([{"kind":"server_error"}])").status, 200);
  EXPECT_EQ(client_.Get(simulator_->url() + "/rest/ids").status, 503);
  const auto shown = client_.Get(url).Json();
  EXPECT_EQ(*shown.Find("faults")->AsArray()->front().Find("struck")->AsInteger(), 1);
  EXPECT_EQ(client_.Delete(url).status, 200);
  EXPECT_EQ(client_.Get(simulator_->url() + "/rest/ids").status, 200);
  const auto refused = client_.Post(url, R"({"faults":[{"kind":"no_such"}]})");
  EXPECT_EQ(refused.status, 400);
  EXPECT_THAT(refused.body, HasSubstr("/faults/0"));
}

TEST(Scenario, IsReadFromYamlWithPlaces) {
  const auto scenario = ParseYaml("seed: 7\nfaults:\n  - kind: drift\n    amount: 2\n", "s.yaml");
  ASSERT_TRUE(scenario) << scenario.error().Describe();
  FaultPlan plan;
  EXPECT_TRUE(plan.Load(*scenario));
  const auto twice = ParseYaml("seed: 1\nseed: 2\n", "s.yaml");
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().place.line, 2);
  EXPECT_FALSE(ParseYaml("a: [", "s.yaml"));
}

TEST(Scenario, RefusesWhatItDoesNotKnow) {
  FaultPlan plan;
  for (const auto* text :
       {"3", R"({"fualts":[]})", R"([{"kind":"x"}])", R"([{"kind":"drift","amuont":1}])",
        R"([{"kind":"drift","probability":2}])", R"([{"kind":"latency","delay":"soon"}])",
        R"([{"kind":"server_error","status":42}])", R"([{}])"}) {
    EXPECT_FALSE(plan.Load(*ParseJson(text))) << text;
  }
}

}  // namespace patra::sim::faults_test
