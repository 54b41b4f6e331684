// How ids are joined into requests, against the simulator: whatever the definition says, the same records come and the same ids are
// bad, in as many requests as the plan was priced with.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/work/run_operation.h"
#include "infra/definitions/yaml_files.h"
#include "tests/e2e/sim_world.h"

namespace patra::two_phase_test {

using domain::Operation;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 11 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class TwoPhaseEndToEnd : public testing::SimWorld, public ::testing::Test {
 protected:
  void StartWorld() {
    planner_.reset();
    Start({.seed = 5, .size = 600, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    ports_.emplace(engine_->plan_ports());
    planner_ = std::make_unique<app::Planner>(*ports_, engine_->store().registry(), files_);
  }

  app::PlanRequest Request(const std::string& endpoint, Operation operation,
                           const std::vector<std::string>& overrides) const {
    app::PlanRequest request{.sources_folder = std::string(PATRA_SOURCE_DIR) + "/sources"};
    request.source.target = "sim-rest/" + endpoint;
    request.source.operation = operation;
    for (const auto& text :
         {"http.base_url=" + simulator_->url(), std::string("http.allow_http=true"),
          "window.start=" + FormatRfc3339(kBegin), std::string("window.safety_lag=1d"),
          std::string("window.width=30d")})
      request.source.overrides.push_back("sim-rest." + text);
    for (const auto& text : overrides) request.source.overrides.push_back("sim-rest." + text);
    return request;
  }

  app::OperationSummary Run(const app::PlanRequest& request) {
    auto summary =
        app::RunOperation(*planner_, engine_->work()).Run(request, {.workers = 0}, [](const auto&) {
        });
    EXPECT_TRUE(summary) << summary.error().Describe();
    if (!summary) return {};
    for (const auto& problem : summary->plan.problems) ADD_FAILURE() << problem.Describe();
    return *std::move(summary);
  }

  // Of records that there are, `count` in the order of their ids.
  std::vector<std::string> Existing(std::size_t count) {
    Run(Request("items", Operation::kHarvest, {}));
    const auto ids =
        testing::DatabaseOf(engine_->store())
            .Read([&](infra::sql::Session& connection) -> Result<std::vector<std::string>> {
              std::vector<std::string> found;
              auto rows = PATRA_TRY(connection.Query(
                  "SELECT provider_item_id FROM ing_item WHERE deleted_at IS NULL ORDER BY "
                  "provider_item_id LIMIT :ids_max",
                  {{"ids_max", static_cast<std::int64_t>(count)}}));
              while (PATRA_TRY(rows.Next())) found.push_back(rows.Text(infra::sql::kOnly));
              return found;
            });
    EXPECT_TRUE(ids && ids->size() == count);
    return ids.value_or(std::vector<std::string>{});
  }

  app::OperationSummary Update(const std::vector<std::string>& ids,
                               const std::vector<std::string>& overrides) {
    auto request = Request("items", Operation::kUpdate, overrides);
    request.ids = ids;
    return Run(request);
  }

  infra::definitions::YamlFiles files_;
  std::optional<app::PlanPorts> ports_;
  std::unique_ptr<app::Planner> planner_;
};

TEST_F(TwoPhaseEndToEnd, IdsThatAnswersLackAreAskedForTogether) {
  const std::pair<const char*, std::int64_t> cases[] = {{"refresh.combine_threshold=1", 12 + 12},
                                                        {"refresh.combine_threshold=6", 12 + 2}};
  for (const auto& [combine, requests] : cases) {
    StartWorld();
    std::vector<std::string> ids;
    // One in ten is no record's: it stands behind its neighbour.
    for (const auto& id : Existing(108)) {
      ids.push_back(id);
      if (ids.size() % 10 == 9) ids.push_back(id + "x");
    }
    ASSERT_EQ(ids.size(), 120U);
    const auto update = Update(ids, {"refresh.batch=10", combine});
    EXPECT_EQ(update.work.totals.requests, requests) << combine;
    EXPECT_EQ(update.work.totals.counts.received, 120) << combine;
    EXPECT_EQ(Count("SELECT count(DISTINCT provider_item_id) FROM ing_quarantine WHERE "
                    "rule = 'no_details' AND provider_item_id LIKE '%x'"),
              12)
        << combine;
  }
}

TEST_F(TwoPhaseEndToEnd, ARestThatIsNotWorthJoiningIsAskedForOneByOneAndPricedSo) {
  StartWorld();
  const auto ids = Existing(23);
  const std::pair<const char*, std::int64_t> cases[] = {
      {"refresh.threshold=1", 3}, {"refresh.threshold=3", 3}, {"refresh.threshold=4", 2 + 3}};
  for (const auto& [threshold, requests] : cases) {
    const auto update = Update(ids, {"refresh.batch=10", threshold});
    EXPECT_TRUE(update.complete()) << threshold;
    EXPECT_EQ(update.work.totals.counts.received, 23) << threshold;
    EXPECT_EQ(update.work.totals.requests, requests) << threshold;
    EXPECT_EQ(Count(fmt::format("SELECT json_extract(record_remarks, '$.price.expectedRequests') "
                                "FROM ing_plan WHERE id = {}",
                                update.plan.planned.plan)),
              requests)
        << threshold;
  }
}

TEST_F(TwoPhaseEndToEnd, WhateverIsJoinedAHarvestHoldsTheTruth) {
  const std::vector<std::string> cases[] = {
      {"details.batch=25"},
      {"details.batch=25", "details.threshold=25", "details.combine_threshold=25"},
      {"details.batch=7", "details.threshold=3", "details.combine_threshold=2"}};
  for (const auto& overrides : cases) {
    StartWorld();
    const auto harvest = Run(Request("by-ids", Operation::kHarvest, overrides));
    EXPECT_TRUE(harvest.complete()) << overrides.back();
    ASSERT_TRUE(harvest.watermark);
    const auto difference = boot::CompareWithTruth(
        *simulator_, engine_->store().read().items(), kBegin, *harvest.watermark,
        {.truth = "rest", .provenance = "sim-rest", .endpoint = "by-ids"});
    ASSERT_TRUE(difference) << difference.error().Describe();
    EXPECT_TRUE(difference->empty()) << overrides.back() << ": " << difference->first;
    EXPECT_GT(difference->truth, 100);
  }
}

}  // namespace patra::two_phase_test
