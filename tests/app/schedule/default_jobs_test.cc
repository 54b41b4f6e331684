#include "app/schedule/default_jobs.h"

#include <gmock/gmock.h>

#include "app/schedule/default_targets.h"
#include "infra/definitions/yaml_files.h"
#include "tests/app/schedule/schedule_fixture.h"

namespace patra::app::default_jobs_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class DefaultJobsTest : public ScheduleTest {
 protected:
  DefaultsReport Ensure(const std::vector<DefaultTarget>& targets) {
    const auto report = DefaultJobs(ports_->jobs(), clock_).Ensure(targets);
    EXPECT_TRUE(report) << report.error().Describe();
    return report.value_or(DefaultsReport{});
  }
  domain::Job Found(const std::string& id) { return ports_->jobs().Find(id)->value(); }

  const DefaultTarget kFree{.source = "crossref", .endpoint = "works"};
  const DefaultTarget kKeyless{
      .source = "tushare", .endpoint = "daily", .missing = "TUSHARE_TOKEN is not set"};
};

TEST_F(DefaultJobsTest, EverySourceGetsADailyHarvestAndThatOnce) {
  EXPECT_THAT(Ensure({kFree, kKeyless}).created, ElementsAre("crossref", "tushare"));
  EXPECT_THAT(Ensure({kFree, kKeyless}).created, IsEmpty());
  const auto job = Found("crossref");
  EXPECT_EQ(job.Target(), "crossref/works");
  EXPECT_EQ(job.cron, domain::DailyCron("crossref"));
  EXPECT_EQ(job.origin, domain::JobOrigin::kDefault);
  EXPECT_TRUE(job.enabled && job.next_fire_at);
}

TEST_F(DefaultJobsTest, OfSeveralEndpointsEachHasAName) {
  EXPECT_THAT(Ensure({kFree, {.source = "crossref", .endpoint = "members"}}).created,
              ElementsAre("crossref.members", "crossref.works"));
}

TEST_F(DefaultJobsTest, ThatLacksACredentialIsDisabledUntilItIsThere) {
  Ensure({kKeyless});
  EXPECT_FALSE(Found("tushare").enabled);
  EXPECT_EQ(Found("tushare").disabled_reason, "TUSHARE_TOKEN is not set");
  auto with_key = kKeyless;
  with_key.missing.clear();
  EXPECT_THAT(Ensure({with_key}).enabled, ElementsAre("tushare"));
  EXPECT_TRUE(Found("tushare").enabled && Found("tushare").next_fire_at);
  EXPECT_THAT(Ensure({kKeyless}).disabled, ElementsAre("tushare"));
}

TEST_F(DefaultJobsTest, WhatAPersonDecidedStays) {
  Ensure({kFree, kKeyless});
  auto job = Found("crossref");
  job.enabled = false;
  job.decided = true;
  Put(job);
  ASSERT_TRUE(ports_->jobs().Remove("tushare", {{"anna"}, "never"}));
  EXPECT_THAT(Ensure({kFree, kKeyless}).created, IsEmpty());
  EXPECT_FALSE(Found("crossref").enabled);
  EXPECT_TRUE(Found("tushare").removed_at);
}

TEST_F(DefaultJobsTest, WhatAPersonChangedStaysChanged) {
  Ensure({kKeyless});
  auto job = Found("tushare");
  job.cron = "0 5 * * *";
  job.origin = domain::JobOrigin::kPerson;
  Put(job);
  auto with_key = kKeyless;
  with_key.missing.clear();
  Ensure({with_key});
  EXPECT_EQ(Found("tushare").cron, "0 5 * * *");
  EXPECT_TRUE(Found("tushare").enabled) << "nobody decided that it should not be";
}

TEST_F(DefaultJobsTest, OfADefinitionThatIsGoneFiresNoMore) {
  Ensure({kFree});
  EXPECT_THAT(Ensure({}).disabled, ElementsAre("crossref"));
  EXPECT_THAT(Ensure({kFree}).enabled, ElementsAre("crossref"));
}

class SecretsOfTest final : public Secrets {
 public:
  Result<std::string> Resolve(std::string_view reference) override {
    if (is_set) return std::string("secret");
    return Fail(ErrorCode::kNotFound, std::string(reference) + " is not set");
  }
  bool is_set = false;
};

domain::DefinitionNode Definition(const std::string& head, const std::string& names) {
  std::string text = head + "\nlimits: [{rate: 1/s}]\nendpoints:\n";
  for (const char name : names) {
    text += fmt::format("  {}:\n", name);
    text +=
        "    request: {path: /, query: {from: \"${window.from}\", to: \"${window.to}\", page: "
        "\"${page.number}\"}}\n"
        "    paging: {style: page, first_page: 1, size: 10}\n"
        "    window: {by: updated, start: 2026-01-01, width: 1d}\n"
        "    response: {items: $.items, id: $.id, updated: $.updated, total: $.total}\n"
        "    fields: {title: $.title}\n";
  }
  return infra::definitions::ParseYaml(text, "x.yaml").tree;
}

// Asks nobody, and may not ask one address.
class TransportOfTest final : public Transport {
 public:
  Result<HttpResponse> Send(const HttpRequest&) override {
    return Fail(ErrorCode::kInternal, "nothing is sent here");
  }
  Result<void> Check(const std::string& url) const override {
    if (url != "http://127.0.0.1:8080") return {};
    return Fail(ErrorCode::kInvalidInput, "that is this machine");
  }
};

TEST(DefaultTargets, AreWhatIsMeantOfEachDefinitionAndWhatItLacks) {
  const std::string http = "\nhttp: {base_url: \"https://x.example\"}";
  const std::vector definitions{
      Definition("source: open" + http, "a"),
      Definition("source: several" + http, "ab"),
      Definition("source: one-meant\ndefault: b" + http, "ab"),
      Definition("source: base\nabstract: true" + http, "a"),
      Definition("source: keyed\nauth: {type: bearer, keys: \"${env:KEY}\", required: true}" + http,
                 "a"),
      Definition("source: polite\nhttp: {base_url: \"https://x.example\", contact: "
                 "\"${env:CONTACT}\"}",
                 "a")};
  SecretsOfTest secrets;
  const TransportOfTest transport;
  std::vector<std::string> told;
  for (const auto& target : DefaultTargetsOf(definitions, secrets, transport)) {
    told.push_back(fmt::format("{}/{}{}", target.source, *target.endpoint,
                               target.missing.empty() ? "" : " lacks"));
  }
  EXPECT_THAT(told, ElementsAre("open/a", "several/a", "several/b", "one-meant/b", "keyed/a lacks",
                                "polite/a lacks"));
  secrets.is_set = true;
  for (const auto& target : DefaultTargetsOf(definitions, secrets, transport))
    EXPECT_EQ(target.missing, "") << target.source;
}

TEST(DefaultTargets, OneAtAnAddressThatMayNotBeAskedLacksThat) {
  SecretsOfTest secrets;
  const TransportOfTest transport;
  const std::vector definitions{Definition(
      "source: local\nhttp: {base_url: \"http://127.0.0.1:8080\", allow_http: true}", "a")};
  const auto targets = DefaultTargetsOf(definitions, secrets, transport);
  ASSERT_EQ(targets.size(), 1U);
  EXPECT_EQ(targets[0].missing, "that is this machine");
}

}  // namespace patra::app::default_jobs_test
