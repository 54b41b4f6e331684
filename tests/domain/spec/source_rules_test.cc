// Everything that a definition says about limits reaches the gate.
#include "domain/spec/source_rules.h"

#include <gtest/gtest.h>

namespace patra::testing::source_rules_test {

using namespace std::chrono_literals;
using domain::GateRulesOf;
using domain::HeaderMeaning;
using domain::LimitKind;
using domain::LimitScope;
using domain::Phase;

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

TEST(SourceRules, LetAsManyComeAtOnceAsTheRateCountsAndNeverMore) {
  const auto limit_with = [](std::int64_t burst) {
    return GateRulesOf(Spec({{.rate = domain::RateSpec{.requests = 5, .per = 1s}, .burst = burst}}))
        .limits.at(0);
  };
  EXPECT_EQ(limit_with(1).kind, LimitKind::kPaced);
  EXPECT_EQ(limit_with(2).kind, LimitKind::kPaced) << "five at once are more than two";
  EXPECT_EQ(limit_with(5).kind, LimitKind::kSlidingWindow);
  EXPECT_EQ(limit_with(20).kind, LimitKind::kSlidingWindow);
  EXPECT_EQ(limit_with(20).count, 5);
  EXPECT_EQ(limit_with(20).window, 1s);
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
  EXPECT_EQ(domain::GateTargetOf(spec, Phase::kDetail, "KEY"),
            (domain::GateTarget{.provenance = "demo",
                                .endpoint = "item",
                                .credential = "KEY",
                                .lane = "demo/items/HARVEST"}));
}

TEST(SourceRules, LeaveAPartOfQuotasToMoreUrgentOperations) {
  const auto spec = Spec({{.rate = domain::RateSpec{.requests = 10},
                           .quotas = {{.requests = 1'000, .per = 24h}},
                           .urgent_rate = 0.75,
                           .urgent_quota = 0.4}});
  using enum domain::GatePriority;
  const auto quota_for = [&](domain::GatePriority priority) {
    return GateRulesOf(spec, Phase::kSearch, {priority}).limits.at(1);
  };
  EXPECT_EQ(quota_for(kHarvest).kept, 0);
  EXPECT_TRUE(quota_for(kHarvest).spends_reserve);
  EXPECT_EQ(quota_for(kUpdate).kept, 200);
  EXPECT_EQ(quota_for(kBackfill).kept, 400);
  EXPECT_FALSE(quota_for(kBackfill).spends_reserve);
  EXPECT_EQ(GateRulesOf(spec).urgent_rate, 750'000);
  EXPECT_TRUE(domain::Validate(GateRulesOf(spec, Phase::kSearch, {kBackfill})));
  auto greedy = spec;
  greedy.limits[0].quota_reserve = 0.9;
  EXPECT_TRUE(domain::Validate(GateRulesOf(greedy, Phase::kSearch, {kBackfill})))
      << "something is left to everybody";
}

TEST(SourceRules, CountQuotasByTheProvidersDay) {
  const auto offset_at = [](const char* zone, Instant now) {
    const auto spec = Spec({{.quotas = {{.requests = 100, .per = 24h}}, .quota_zone = zone}});
    return GateRulesOf(spec, Phase::kSearch, {.now = now}).limits.at(0).offset;
  };
  const Instant winter{std::chrono::sys_days{std::chrono::year{2026} / 1 / 15}};
  const Instant summer{std::chrono::sys_days{std::chrono::year{2026} / 7 / 15}};
  EXPECT_EQ(offset_at("Asia/Shanghai", winter), -8h);
  EXPECT_EQ(offset_at("America/New_York", winter), 5h);
  EXPECT_EQ(offset_at("America/New_York", summer), 4h);
  EXPECT_EQ(GateRulesOf(Spec({{.quotas = {{.requests = 100, .per = 24h}}}})).limits[0].offset, 0s);
}

TEST(SourceRules, EndpointsHaveTheirPartOfAQuotaThatTheyShare) {
  auto spec =
      Spec({{.quotas = {{.requests = 1'000, .per = 24h}}, .per = domain::RateScope::kCredential}});
  spec.quota_part = 0.25;
  spec.details = domain::DetailSpec{.endpoint = "item", .quota_part = 0.75};
  const auto search = GateRulesOf(spec);
  ASSERT_EQ(search.limits.size(), 2U);
  EXPECT_EQ(search.limits[0].count, 1'000);
  EXPECT_EQ(search.limits[1].scope, LimitScope::kCredentialAndEndpoint);
  EXPECT_EQ(search.limits[1].count, 250);
  EXPECT_EQ(GateRulesOf(spec, Phase::kDetail).limits.at(1).count, 750);
  EXPECT_TRUE(domain::Validate(search));
  spec.limits[0].per = domain::RateScope::kEndpoint;
  EXPECT_EQ(GateRulesOf(spec).limits.size(), 1U) << "nobody shares it";
}

TEST(SourceRules, PushARateThatIsAGuessUpToItsCeilingOnly) {
  const auto rules =
      GateRulesOf(Spec({{.rate = domain::RateSpec{.requests = 2},
                         .ceiling = domain::RateSpec{.requests = 300, .per = 60s}}}));
  EXPECT_FALSE(rules.adapt.limit_is_known);
  EXPECT_EQ(rules.adapt.ceiling, 2'500'000);
  EXPECT_TRUE(domain::Validate(rules));
}

TEST(SourceRules, AnOperationsBudgetIsAQuotaOfItsOwn) {
  auto spec = Spec({{.rate = domain::RateSpec{.requests = 2}}});
  spec.operation = "BACKFILL";
  spec.details = domain::DetailSpec{.endpoint = "item"};
  spec.budget = domain::BudgetSpec{.quotas = {{.requests = 50, .per = 24h}}};
  for (const auto phase : {Phase::kSearch, Phase::kDetail}) {
    const auto limit = GateRulesOf(spec, phase).limits.at(0);
    EXPECT_EQ(limit.count, 50);
    EXPECT_EQ(domain::GateKey(limit.scope, domain::GateTargetOf(spec, phase)),
              "demo/items/BACKFILL")
        << "details count to the endpoint that is harvested";
  }
}

TEST(SourceRules, TheRateKeyIsThatOfTheLimitThatCountsMost) {
  const auto key_of = [](std::vector<domain::LimitSpec> limits) {
    return domain::RateKeyOf(Spec(std::move(limits)));
  };
  using enum domain::RateScope;
  EXPECT_EQ(key_of({{.rate = domain::RateSpec{}}}), "demo/items");
  EXPECT_EQ(key_of({{.rate = domain::RateSpec{}}, {.concurrency = 1, .per = kCredential}}), "demo");
  EXPECT_TRUE(key_of({{.rate = domain::RateSpec{}, .per = kAddress}}).starts_with("@"));
}

// Seen: arXiv was asked at Crossref's pace, and Crossref starved beside arXiv.
TEST(SourceRules, LimitsPerAddressAreOfAProvider) {
  const auto key_of = [](std::string source, std::string base_url) {
    auto spec =
        Spec({{.rate = domain::RateSpec{.requests = 1}, .per = domain::RateScope::kAddress}});
    spec.provenance = std::move(source);
    spec.http.base_url = std::move(base_url);
    return domain::GateKey(domain::LimitScope::kAddress, domain::GateTargetOf(spec));
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
        domain::RefusalRulesOf(GateRulesOf(Spec({{.rate = domain::RateSpec{}, .per = scope}})));
    EXPECT_EQ(rules.feedback_scope, LimitScope::kCredential);
    EXPECT_TRUE(domain::Validate(rules));
  }
}

}  // namespace patra::testing::source_rules_test
