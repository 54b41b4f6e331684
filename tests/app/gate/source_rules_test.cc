// Everything that a definition says about limits reaches the gate.
#include "app/gate/source_rules.h"

#include <gtest/gtest.h>

namespace patra::testing {
namespace {

using namespace std::chrono_literals;
using app::GateRulesOf;
using app::Phase;
using domain::HeaderMeaning;
using domain::LimitKind;
using domain::LimitScope;

domain::SpecSnapshot Spec(std::vector<domain::LimitSpec> limits) {
  return {.provenance = "demo", .endpoint = "items", .limits = std::move(limits)};
}

TEST(SourceRules, WithoutLimitsAreOneRequestASecond) {
  const auto rules = GateRulesOf(Spec({}));
  ASSERT_EQ(rules.limits.size(), 1U);
  EXPECT_EQ(rules.limits[0].count, 1);
  EXPECT_EQ(rules.limits[0].window, 1s);
  EXPECT_TRUE(domain::Validate(rules));
}

TEST(SourceRules, HaveRateConcurrencyAndQuotasInTheirScope) {
  const auto rules = GateRulesOf(Spec({{.rate = domain::RateSpec{.requests = 50, .per = 60s},
                                        .concurrency = 3,
                                        .quotas = {{.requests = 8'000, .per = 24h}},
                                        .quota_reserve = 0.1,
                                        .per = domain::RateScope::kCredentialEndpoint,
                                        .warm_up = 30s}}));
  ASSERT_EQ(rules.limits.size(), 3U);
  EXPECT_EQ(rules.limits[0].kind, LimitKind::kPaced);
  EXPECT_EQ(rules.limits[1].kind, LimitKind::kConcurrency);
  EXPECT_EQ(rules.limits[2].kind, LimitKind::kQuota);
  EXPECT_EQ(rules.limits[2].reserve, 800);
  for (const auto& limit : rules.limits) EXPECT_EQ(limit.scope, LimitScope::kCredentialAndEndpoint);
  EXPECT_EQ(rules.feedback_scope, LimitScope::kCredentialAndEndpoint);
  EXPECT_EQ(rules.warm_up, 30s);
  EXPECT_TRUE(domain::Validate(rules));
}

TEST(SourceRules, BelieveTheHeadersThatAreNamed) {
  const auto rules = GateRulesOf(
      Spec({{.concurrency = 2},
            {.rate = domain::RateSpec{.requests = 3},
             .learn_from = {"X-Rate-Limit-Limit", "x-rate-limit-interval", "X-Concurrency-Limit",
                            "x-ratelimit-remaining", "x-ratelimit-reset", "x-api-pool"}}}));
  EXPECT_EQ(rules.told_limit, 1);
  EXPECT_TRUE(rules.told_may_raise);
  ASSERT_EQ(rules.headers.size(), 5U);
  EXPECT_EQ(rules.headers[0].name, "x-rate-limit-limit");
  EXPECT_EQ(rules.headers[0].meaning, HeaderMeaning::kLimit);
  EXPECT_EQ(rules.headers[1].meaning, HeaderMeaning::kInterval);
  EXPECT_EQ(rules.headers[2].meaning, HeaderMeaning::kConcurrency);
  EXPECT_EQ(rules.headers[3].meaning, HeaderMeaning::kRemaining);
  EXPECT_EQ(rules.headers[4].meaning, HeaderMeaning::kReset);
  EXPECT_TRUE(domain::Validate(rules));
}

TEST(SourceRules, BelieveUsualHeadersOnlyWhereTheyAllowLess) {
  const auto rules = GateRulesOf(Spec({{.rate = domain::RateSpec{.requests = 3}}}));
  EXPECT_FALSE(rules.told_may_raise);
  EXPECT_FALSE(rules.headers.empty());
}

TEST(SourceRules, SlowDownAndBreakAsDeclared) {
  auto spec = Spec({{.rate = domain::RateSpec{.requests = 10},
                     .slow_down_factor = 4,
                     .rate_min_per_second = 0.5}});
  spec.retry.circuit_failures_max = 3;
  spec.retry.circuit_cool_down = 90s;
  const auto rules = GateRulesOf(spec);
  EXPECT_EQ(rules.adapt.cut_to, 250'000);
  EXPECT_EQ(rules.adapt.rate_min_per_second, 0.5);
  EXPECT_EQ(rules.breaker.failures_in_a_row, 3);
  EXPECT_EQ(rules.breaker.open_for_max, 90s);
  EXPECT_TRUE(domain::Validate(rules));
}

TEST(SourceRules, OfDetailsAreTheirOwnOrElseTheSearchs) {
  auto spec = Spec({{.rate = domain::RateSpec{.requests = 10}}});
  spec.cost = 2;
  spec.details = domain::DetailSpec{.endpoint = "item", .cost = 5};
  EXPECT_EQ(GateRulesOf(spec, Phase::kDetail).limits[0].count, 10);
  EXPECT_EQ(GateRulesOf(spec, Phase::kDetail).cost_max, 5);
  EXPECT_EQ(GateRulesOf(spec).cost_max, 5) << "one pace for both";
  spec.details->limits = {{.rate = domain::RateSpec{.requests = 30}}};
  EXPECT_EQ(GateRulesOf(spec).cost_max, 2);
  EXPECT_EQ(GateRulesOf(spec, Phase::kDetail).limits[0].count, 30);
  EXPECT_EQ(app::GateTargetOf(spec, Phase::kDetail, "KEY"),
            (domain::GateTarget{.provenance = "demo", .endpoint = "item", .credential = "KEY"}));
}

// Seen: arXiv was asked at Crossref's pace, and Crossref starved beside arXiv.
TEST(SourceRules, LimitsPerAddressAreOfAProvider) {
  const auto key_of = [](std::string source, std::string base_url) {
    auto spec =
        Spec({{.rate = domain::RateSpec{.requests = 1}, .per = domain::RateScope::kAddress}});
    spec.provenance = std::move(source);
    spec.http.base_url = std::move(base_url);
    return domain::GateKey(domain::LimitScope::kAddress, app::GateTargetOf(spec));
  };
  EXPECT_EQ(key_of("crossref", "https://API.crossref.org/v1"), "@api.crossref.org:443");
  EXPECT_NE(key_of("crossref", "https://api.crossref.org"),
            key_of("arxiv", "https://oaipmh.arxiv.org"));
  EXPECT_EQ(key_of("arxiv", "https://oaipmh.arxiv.org/oai"),
            key_of("mine", "https://oaipmh.arxiv.org"))
      << "two definitions of one provider share what it allows";
}

TEST(SourceRules, AskAboutTheCredentialWhereverLimitsCount) {
  for (const auto scope : {domain::RateScope::kSource, domain::RateScope::kEndpoint,
                           domain::RateScope::kCredential, domain::RateScope::kAddress}) {
    const auto rules =
        app::RefusalRulesOf(GateRulesOf(Spec({{.rate = domain::RateSpec{}, .per = scope}})));
    EXPECT_EQ(rules.feedback_scope, LimitScope::kCredential);
    EXPECT_TRUE(domain::Validate(rules));
  }
}

}  // namespace
}  // namespace patra::testing
