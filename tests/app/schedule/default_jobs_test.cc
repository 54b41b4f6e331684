#include "app/schedule/default_jobs.h"

#include <gmock/gmock.h>

#include "tests/app/schedule/schedule_fixture.h"

namespace patra::app {
namespace {

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

}  // namespace
}  // namespace patra::app
