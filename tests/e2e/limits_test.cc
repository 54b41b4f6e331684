// What a definition says of a provider's limits, seen in the requests that are made.
#include <algorithm>
#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/plan/plan_harvest.h"
#include "app/plan/plan_update.h"
#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"

namespace patra::limits_test {

using namespace std::chrono_literals;
using std::chrono::days;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 12 / 1}};
// Half an hour before midnight in Shanghai.
const Instant kNow = std::chrono::sys_days{std::chrono::year{2026} / 1 / 1} + 15h + 30min;

class Limits : public testing::SimWorld, public ::testing::Test {
 protected:
  void SetUp() override {
    Start({.seed = 7, .size = 2'000, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    spec_ = testing::SimRest("items", simulator_->url(), kBegin);
    spec_.window.width = spec_.window.width_max = days(1);
    spec_.paging.size = 20;
  }

  void Plan(const app::PlanOptions& options = {}) {
    const auto planned =
        app::PlanHarvest(engine_->plan_ports()).Run({.spec = spec_, .options = options});
    ASSERT_TRUE(planned) << planned.error().Describe();
  }
  std::int64_t WorkOff(int workers = 0) {
    const auto worked = engine_->work().Run({.workers = workers}, [](const auto&) {});
    EXPECT_TRUE(worked) << worked.error().Describe();
    return worked ? worked->totals.requests : -1;
  }
  std::int64_t PermitsOf(const std::string& key) {
    const auto gate = engine_->gate().List();
    EXPECT_TRUE(gate);
    for (const auto& status : *gate) {
      if (status.key == key) return status.counts.permits;
    }
    return 0;
  }

  domain::SpecSnapshot spec_;
};

TEST_F(Limits, AQuotaOfADayBeginsAnewWithTheProvidersDay) {
  spec_.limits = {{.quotas = {{.requests = 6, .per = 24h}}, .quota_reserve = 0}};
  spec_.limits[0].quota_zone = "Asia/Shanghai";
  Plan();
  EXPECT_EQ(WorkOff(), 6);
  clock_->SleepFor(20min);
  EXPECT_EQ(WorkOff(), 0) << "ten minutes before midnight there";
  clock_->SleepFor(20min);
  Plan();
  EXPECT_EQ(WorkOff(), 6) << "long before midnight UTC";
}

TEST_F(Limits, TheNextKeyServesOnceTheFirstIsSpent) {
  ::setenv("PATRA_TEST_FIRST", "secret-number-one", 1);
  ::setenv("PATRA_TEST_SECOND", "secret-number-two", 1);
  spec_.auth = {.type = domain::AuthType::kApiKey,
                .location = domain::AuthLocation::kHeader,
                .name = "X-Key",
                .credentials = {"env:PATRA_TEST_FIRST", "env:PATRA_TEST_SECOND"},
                .key_order = domain::KeyOrder::kListed};
  spec_.limits = {{.quotas = {{.requests = 8, .per = 24h}},
                   .quota_reserve = 0,
                   .per = domain::RateScope::kCredential}};
  Plan();
  constexpr auto kFirst = "sim-rest#PATRA_TEST_FIRST", kSecond = "sim-rest#PATRA_TEST_SECOND";
  const auto worked = engine_->work().Run({.workers = 0}, [&](const auto&) {
    EXPECT_TRUE(PermitsOf(kFirst) == 8 || PermitsOf(kSecond) == 0);
  });
  ASSERT_TRUE(worked) << worked.error().Describe();
  EXPECT_EQ(worked->totals.requests, 16) << "both quotas, and no more";
  EXPECT_EQ(PermitsOf(kFirst), 8);
  EXPECT_EQ(PermitsOf(kSecond), 8);
}

TEST_F(Limits, AnUnknownLimitIsApproachedFromBelow) {
  const auto takes = [&](std::optional<domain::RateSpec> ceiling) {
    SetUp();
    spec_.limits = {{.rate = domain::RateSpec{.requests = 2, .per = 1s}, .ceiling = ceiling}};
    Plan();
    const auto begun = clock_->Elapsed();
    EXPECT_GT(WorkOff(), 100);
    return clock_->Elapsed() - begun;
  };
  const auto known = takes(std::nullopt);
  EXPECT_LT(takes(domain::RateSpec{.requests = 40, .per = 1s}), known * 9 / 10);
}

TEST_F(Limits, AnEndpointSpendsItsPartOfAQuotaAndLeavesTheRest) {
  spec_.limits = {{.quotas = {{.requests = 20, .per = 24h}},
                   .quota_reserve = 0,
                   .per = domain::RateScope::kSource}};
  spec_.quota_part = 0.25;
  Plan();
  EXPECT_EQ(WorkOff(), 5);
  spec_ = testing::SimRest("by-offset", simulator_->url(), kBegin);
  spec_.window.width = spec_.window.width_max = days(1);
  spec_.paging.size = 20;
  spec_.limits = {{.quotas = {{.requests = 20, .per = 24h}},
                   .quota_reserve = 0,
                   .per = domain::RateScope::kSource}};
  spec_.quota_part = 0.75;
  Plan();
  EXPECT_EQ(WorkOff(), 15);
}

TEST_F(Limits, ATriggersTasksRunAsManyAtATimeAsItSays) {
  const auto overlaps = [&] {
    return Count(
        "SELECT count(*) FROM ing_task_run AS one JOIN ing_task_run AS other ON one.id < other.id "
        "AND one.started_at < other.finished_at AND other.started_at < one.finished_at "
        "WHERE one.status_code = 'SUCCEEDED' AND other.status_code = 'SUCCEEDED'");
  };
  spec_.window.longest = days(1);
  Plan({.tasks_at_once = 1});
  WorkOff(3);
  EXPECT_EQ(overlaps(), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE status_code <> 'SUCCEEDED' AND NOT EXISTS "
                  "(SELECT 1 FROM ing_plan_slice AS part WHERE part.parent_slice_id = slice_id)"),
            0)
      << "but for one of many that are alike, which is cut to see";
  SetUp();
  spec_.window.longest = days(1);
  // The first answers take long enough for whoever may work beside others.
  ASSERT_TRUE(simulator_->SetFaults(
      *ParseJson(R"({"seed": 1, "faults": [{"kind": "latency", "delay": "50ms", "times": 6}]})")));
  Plan();
  std::atomic<int> most = 0;
  const auto worked = engine_->work().Run(
      {.workers = 3}, [&](const auto& work) { most = std::max(most.load(), work.running); });
  ASSERT_TRUE(worked) << worked.error().Describe();
  EXPECT_GT(most, 1) << "without that";
}

}  // namespace patra::limits_test
