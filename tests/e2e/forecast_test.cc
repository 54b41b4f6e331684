// How long a harvest still takes, told while it goes on. Time is counted in requests here, so that a busy machine changes
// nothing.
#include <gtest/gtest.h>

#include "app/work/run_operation.h"
#include "infra/definitions/yaml_files.h"
#include "tests/e2e/sim_world.h"

namespace patra::forecast_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 6 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class ForecastOfHarvest : public testing::SimWorld, public ::testing::Test {
 protected:
  struct Told {
    int requests;
    std::int64_t done, total;
    std::optional<Duration> left;  // a request is a second
  };

  void SetUp() override {
    Start({.seed = 5, .size = 20'000, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    Plan();
  }

  void Plan() {
    ports_.emplace(engine_->plan_ports());
    planner_ = std::make_unique<app::Planner>(*ports_, engine_->store().registry(), files_);
  }

  // The same store, by a process that begins.
  void Restart() {
    planner_.reset();
    engine_.reset();
    auto engine = boot::Engine::Open({.database = database_, .allow_loopback = true}, *clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
    Plan();
  }

  std::vector<Told> Harvest(std::optional<std::int64_t> requests_max = {}) {
    app::PlanRequest request{.sources_folder = std::string(PATRA_SOURCE_DIR) + "/sources"};
    request.source.target = "sim-rest/by-token";
    request.source.overrides = {"http.base_url=" + simulator_->url(), "http.allow_http=true",
                                "window.start=" + FormatRfc3339(kBegin), "window.safety_lag=1d"};
    request.from = FormatRfc3339(kBegin);
    request.to = FormatRfc3339(kNow - 48h);
    std::vector<Told> told;
    const auto summary =
        app::RunOperation(*planner_, engine_->work())
            .Run(request, {.workers = 0, .requests_max = requests_max},
                 [&](const app::OperationProgress& progress) {
                   const auto requests = progress.work.requests;
                   told.push_back({requests, progress.Done(), progress.Total().value_or(0),
                                   progress.Left(std::chrono::seconds(requests))});
                 });
    EXPECT_TRUE(summary) << summary.error().Describe();
    EXPECT_TRUE(requests_max || (summary && summary->complete()));
    return told;
  }

  infra::definitions::YamlFiles files_;
  std::optional<app::PlanPorts> ports_;
  std::unique_ptr<app::Planner> planner_;
};

// Of the whole: what a slice has that nobody has asked for yet can only be guessed.
TEST_F(ForecastOfHarvest, IsRightWithinAHalfAfterTheFirstTenth) {
  const auto told = Harvest();
  ASSERT_FALSE(told.empty());
  const auto& end = told.back();
  EXPECT_EQ(end.done, end.total);
  EXPECT_EQ(end.done, Count("SELECT count(*) FROM ing_item"));
  int compared = 0;
  for (const auto& moment : told) {
    if (moment.done < end.done / 10 || moment.requests == end.requests) continue;
    const auto left = std::chrono::duration<double>(moment.left.value_or(Duration{})).count();
    const auto ratio = (moment.requests + left) / end.requests;
    EXPECT_LT(ratio, 1.5) << moment.requests << " of " << end.requests;
    EXPECT_GT(ratio, 1 / 1.5) << moment.requests << " of " << end.requests;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST_F(ForecastOfHarvest, WhatCameBeforeARestartCountsOnce) {
  const auto first = Harvest(30);
  Restart();
  const auto second = Harvest();
  for (const auto& moment : second) EXPECT_LE(moment.done, moment.total) << moment.requests;
  EXPECT_EQ(second.back().done, second.back().total);
  // The slice that was interrupted is in both; no other record is.
  const auto records = Count("SELECT count(*) FROM ing_item");
  EXPECT_GE(first.back().done + second.back().done, records);
  EXPECT_LT(second.back().done, records);
}

}  // namespace patra::forecast_test
