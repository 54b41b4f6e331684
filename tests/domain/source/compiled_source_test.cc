#include "domain/source/compiled_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "domain/page/page_reader.h"

namespace patra::compiled_source_test {

using namespace std::chrono_literals;
using domain::CompiledSource;
using domain::GatePriority;
using domain::GateRulesOf;
using domain::GateTargetOf;
using domain::Phase;
using domain::SpecSnapshot;
using ::testing::HasSubstr;

SpecSnapshot Whole() {
  return {.provenance = "demo",
          .endpoint = "items",
          .http = {.base_url = "https://api.example.org",
                   .path = "/items",
                   .query = {{"from", "${window.from}"}},
                   .headers = {{"X-Of", "${params.of}"}}},
          .paging = {.size = 100},
          .details = domain::DetailSpec{.endpoint = "item",
                                        .http = {.base_url = "https://details.example.org",
                                                 .path = "/item",
                                                 .form_body = {{"ids", "${ids}"}}},
                                        .response = {.items = "$.found", .id = {"$.id"}},
                                        .limits = {{.rate = domain::RateSpec{.requests = 3}}}},
          .response = {.items = "$.items", .id = {"$.id"}},
          .limits = {{.rate = domain::RateSpec{.requests = 10},
                      .quotas = {{.requests = 1'000, .per = 24h}}}}};
}

Error ErrorOf(const SpecSnapshot& spec) {
  auto compiled = CompiledSource::Compile(spec);
  EXPECT_FALSE(compiled);
  return compiled ? Error{} : std::move(compiled).error();
}

TEST(CompiledSource, HoldsTheRulesThatTheGateWouldBeGivenForEveryPhaseAndPriority) {
  const auto spec = Whole();
  const auto source = CompiledSource::Compile(spec).value();
  for (const auto phase : {Phase::kSearch, Phase::kDetail}) {
    for (const auto priority :
         {GatePriority::kHarvest, GatePriority::kUpdate, GatePriority::kBackfill}) {
      const domain::Asker asker{.priority = priority, .now = Instant(1h)};
      const auto rules = source.RulesFor(phase, asker);
      const auto expected = GateRulesOf(spec, phase, asker);
      EXPECT_EQ(rules.limits, expected.limits);
      EXPECT_EQ(rules.feedback_scope, expected.feedback_scope);
      EXPECT_EQ(rules.cost_max, expected.cost_max);
    }
    EXPECT_EQ(source.TargetOf(phase, "key").credential, "key");
    EXPECT_EQ(source.TargetOf(phase).host, GateTargetOf(spec, phase).host);
    EXPECT_EQ(source.TargetOf(phase).endpoint, GateTargetOf(spec, phase).endpoint);
  }
}

TEST(CompiledSource, CountsAProvidersDaysByTheTimeOfYear) {
  auto spec = Whole();
  spec.limits[0].quota_zone = "Europe/Berlin";
  const auto source = CompiledSource::Compile(spec).value();
  const auto offset = [&](Instant now) {
    return source.RulesFor(Phase::kSearch, {.now = now}).limits.at(1).offset;
  };
  EXPECT_EQ(offset(Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 1})), -1h);
  EXPECT_EQ(offset(Instant(std::chrono::sys_days{std::chrono::year{2026} / 7 / 1})), -2h);
}

TEST(CompiledSource, ReadsEachPhaseByItsOwnPaths) {
  const auto source = CompiledSource::Compile(Whole()).value();
  const auto ids =
      source.reader().Read({.status = 200, .body = R"({"items":[{"id":"a"}]})"}, Phase::kSearch);
  ASSERT_TRUE(ids) << ids.error().Describe();
  EXPECT_THAT(ids->ids, ::testing::ElementsAre("a"));
  const auto details =
      source.reader().Read({.status = 200, .body = R"({"found":[{"id":"a"}]})"}, Phase::kDetail);
  ASSERT_TRUE(details) << details.error().Describe();
  EXPECT_EQ(details->records.size(), 1u);
}

TEST(CompiledSource, InPagesOfAnotherSizeIsTheSameSource) {
  const auto source = CompiledSource::Compile(Whole()).value();
  const auto smaller = source.InPagesOf(25);
  EXPECT_EQ(smaller.spec().paging.size, 25);
  EXPECT_EQ(source.spec().paging.size, 100);
  EXPECT_EQ(&smaller.reader(), &source.reader()) << "nothing is compiled again";
  EXPECT_EQ(&smaller.request(Phase::kDetail), &source.request(Phase::kDetail));
}

TEST(CompiledSource, SaysWhichTemplateIsNone) {
  const std::string bad = "${lowr(x)}";
  auto spec = Whole();
  spec.http.path = bad;
  EXPECT_THAT(ErrorOf(spec).Describe(), HasSubstr("the request's path"));
  spec = Whole();
  spec.http.query = {{"q", bad}};
  EXPECT_THAT(ErrorOf(spec).Describe(), HasSubstr("the parameter 'q'"));
  spec = Whole();
  spec.http.next_query = {{"cursor", bad}};
  EXPECT_THAT(ErrorOf(spec).Describe(), HasSubstr("the parameter 'cursor'"));
  spec = Whole();
  spec.http.headers = {{"X-H", bad}};
  EXPECT_THAT(ErrorOf(spec).Describe(), HasSubstr("the header 'X-H'"));
  spec = Whole();
  spec.http.json_body = Value::Object{{"a", bad}};
  EXPECT_THAT(ErrorOf(spec).Describe(), HasSubstr("the request's body"));
  spec = Whole();
  spec.details->http.form_body = {{"ids", bad}};
  EXPECT_THAT(ErrorOf(spec).Describe(), HasSubstr("the parameter 'ids'")) << "of details";
}

TEST(CompiledSource, RefusesPathsAndLimitsThatAreNone) {
  auto spec = Whole();
  spec.response.items = "$.items[";
  ErrorOf(spec);
  spec = Whole();
  spec.errors = {{.text = "(", .action = domain::ErrorAction::kFail}};
  ErrorOf(spec);
  spec = Whole();
  spec.limits[0].rate = domain::RateSpec{.requests = 0};
  ErrorOf(spec);
  spec = Whole();
  spec.details->limits[0].rate = domain::RateSpec{.requests = 0};
  ErrorOf(spec);
}

}  // namespace patra::compiled_source_test
