// Slices that were read to their end and are not proven all the same: the provider ignored the window, or a rule of the
// source put a page into quarantine. They are named, alerted on and not green (I10, I14).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/execute/outside_window.h"
#include "boot/demo_source.h"
#include "boot/engine.h"
#include "infra/sqlite/connection.h"
#include "sim/simulator.h"
#include "tests/e2e/sim_rest.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"
#include "tests/world_clock.h"

namespace patra::unproven_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 10 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class Unproven : public ::testing::Test {
 protected:
  void Start(const std::string& fault) {
    Value::Array faults;
    if (!fault.empty()) faults.push_back(*ParseJson(fault));
    auto simulator =
        sim::Simulator::Start({.seed = 9,
                               .size = 1'500,
                               .providers = {"rest"},
                               .begin = kBegin,
                               .now = kNow,
                               .late_by = boot::kDemoLatestArrival,
                               .enforce_limits = false,
                               .faults = Value::Object{{"seed", 1}, {"faults", faults}}});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
    clock_ = std::make_unique<testing::WorldClock>(*simulator_);
    auto engine = boot::Engine::Open(
        {.database = stores_.At(folder_.Path("patra.db")), .allow_loopback = true}, *clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
  }

  testing::HarvestSummary Harvest(const domain::SpecSnapshot& spec) {
    const auto summary = testing::Harvest(*engine_, {.spec = spec}, {.workers = 0});
    EXPECT_TRUE(summary) << summary.error().Describe();
    return summary.value_or(testing::HarvestSummary{});
  }

  domain::SpecSnapshot Spec(const std::string& endpoint) {
    return testing::SimRest(endpoint, simulator_->url(), kBegin);
  }

  std::int64_t Count(const std::string& sql) {
    return testing::DatabaseOf(engine_->store())
        .Read([&](infra::sql::Session& connection) { return connection.Integer(sql); })
        .value_or(-1);
  }

  std::string Text(const std::string& sql) {
    return testing::DatabaseOf(engine_->store())
        .Read([&](infra::sql::Session& connection) -> Result<std::string> {
          auto rows = PATRA_TRY(connection.Query(sql));
          if (!PATRA_TRY(rows.Next())) return std::string();
          return rows.Text(infra::sql::kOnly);
        })
        .value_or("");
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::unique_ptr<sim::Simulator> simulator_;
  std::unique_ptr<testing::WorldClock> clock_;
  std::unique_ptr<boot::Engine> engine_;
};

TEST_F(Unproven, AProviderThatIgnoresTheWindowIsNotCalledComplete) {
  Start(R"({"kind":"ignored_filter"})");
  auto spec = Spec("items");
  spec.window.updated_is_filtered = true;
  const auto summary = Harvest(spec);
  const auto& counts = summary.work.totals.counts;
  EXPECT_FALSE(summary.complete());
  EXPECT_GT(summary.work.partial, 0);
  EXPECT_EQ(summary.work.succeeded, 0);
  EXPECT_EQ(summary.work.left, 0) << "it is not read again and again";
  EXPECT_GT(counts.outside, 0);
  EXPECT_LE(counts.outside, counts.filtered);
  EXPECT_TRUE(counts.Balances());
  EXPECT_THAT(Text("SELECT gap FROM ing_plan_slice WHERE status_code = 'PARTIAL' LIMIT 1"),
              HasSubstr("outside what was asked for"));
  EXPECT_EQ(Count("SELECT sum(outside) FROM ing_plan_slice"), counts.outside);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_alert WHERE alert_key LIKE 'unproven/%'"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_alert WHERE alert_key LIKE 'outside/%'"), 1);
  EXPECT_EQ(summary.watermark, summary.watermark_before);
}

// In OAI-PMH the window of datestamps is the server's matter.
TEST_F(Unproven, TheShippedOaiPmhDefinitionsKeepAllThatTheServerCountsToAWindow) {
  const auto spec = testing::Shipped("arxiv", "http://127.0.0.1:1/oai2", kBegin);
  domain::PageContent page;
  page.records.push_back({.id = "old", .version = {.updated_at = kBegin - 24h * 365}});
  EXPECT_EQ(app::TakeOutOutside(spec, *domain::Window::Between(kBegin, kNow), page).records, 0);
  EXPECT_EQ(page.records.size(), 1u);
}

TEST_F(Unproven, AProviderThatKeepsToTheWindowHasNothingOutside) {
  Start("");
  auto spec = Spec("items");
  spec.window.updated_is_filtered = true;
  const auto summary = Harvest(spec);
  EXPECT_TRUE(summary.complete());
  EXPECT_EQ(summary.work.totals.counts.outside, 0);
}

TEST_F(Unproven, APageThatARuleIsolatesDoesNotStopTheWalk) {
  Start(R"({"kind":"server_error","status":418,"path":"page=2"})");
  auto spec = Spec("items");
  spec.errors = {{.statuses = {{418, 418}}, .action = domain::ErrorAction::kQuarantine}};
  spec.window.width = spec.window.width_max = 24h * 30;
  const auto summary = Harvest(spec);
  const auto& counts = summary.work.totals.counts;
  EXPECT_EQ(summary.work.failed, 0);
  EXPECT_EQ(summary.work.left, 0);
  EXPECT_GT(counts.isolated_pages, 0);
  EXPECT_EQ(summary.work.partial, counts.isolated_pages) << "one page of each slice";
  EXPECT_TRUE(counts.Balances());
  EXPECT_GT(Count("SELECT count(*) FROM ing_task_run_batch WHERE page_no = 3 AND "
                  "status_code = 'SUCCEEDED' AND record_count > 0"),
            0)
      << "the pages behind it are read";
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task_run_batch WHERE error_level = 'L3' AND "
                  "status_code = 'SUCCEEDED' AND page_no = 2"),
            counts.isolated_pages);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task_run_batch WHERE error_level = 'L2'"), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_quarantine WHERE rule = 'quarantine'"),
            counts.isolated_pages);
  EXPECT_THAT(Text("SELECT gap FROM ing_plan_slice WHERE status_code = 'PARTIAL' LIMIT 1"),
              HasSubstr("in quarantine by a rule"));
}

TEST_F(Unproven, WhereNothingLeadsOnTheSliceIsCutAndNamed) {
  Start(R"({"kind":"server_error","status":418,"path":"token="})");
  auto spec = Spec("by-token");
  spec.errors = {{.statuses = {{418, 418}}, .action = domain::ErrorAction::kQuarantine}};
  spec.window.width = spec.window.width_max = 24h * 30;
  const auto summary = Harvest(spec);
  EXPECT_EQ(summary.work.failed, 0);
  EXPECT_GT(summary.work.recut, 0);
  EXPECT_EQ(summary.work.partial, 0) << "smaller slices have no second page";
  const auto difference = boot::CompareWithTruth(
      *simulator_, engine_->store().read().items(), kBegin, *summary.watermark,
      {.truth = "rest/deleted", .provenance = "sim-rest", .endpoint = "by-token"});
  ASSERT_TRUE(difference);
  EXPECT_TRUE(difference->empty());
}

TEST_F(Unproven, DetailsThatARuleIsolatesStandAlone) {
  Start("");
  auto spec = Spec("by-ids");
  // Every answer that names this record.
  const auto first = Harvest(Spec("items"));
  ASSERT_TRUE(first.complete());
  const auto bad = Text("SELECT provider_item_id FROM ing_item WHERE deleted_at IS NULL LIMIT 1");
  spec.details->errors = {
      {.text = "\"id\":\"" + bad + "\"", .action = domain::ErrorAction::kQuarantine}};
  const auto summary = Harvest(spec);
  EXPECT_EQ(summary.work.failed, 0);
  EXPECT_TRUE(summary.complete()) << "it is one record, and it is counted";
  EXPECT_EQ(summary.work.totals.counts.quarantined, 1);
  EXPECT_EQ(Text("SELECT provider_item_id FROM ing_quarantine WHERE rule = 'quarantine'"), bad);
}

TEST_F(Unproven, ATotalOfTheFirstPageAloneBalancesTheWholeWalk) {
  Start(R"({"kind":"missing_total","path":"offset=1"})");
  auto spec = Spec("by-offset");
  spec.window.width = spec.window.width_max = 24h * 30;
  spec.response.total_on_first_page = true;
  const auto summary = Harvest(spec);
  EXPECT_TRUE(summary.complete());
  EXPECT_EQ(summary.work.totals.retries, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE announced IS NULL OR announced <> "
                  "received"),
            0);
}

TEST_F(Unproven, AnExactTotalThatNeverComesIsNeverCalledComplete) {
  Start(R"({"kind":"missing_total"})");
  const auto summary = Harvest(Spec("items"));
  EXPECT_FALSE(summary.complete());
  for (int i = 0; i < 20; ++i) {
    const auto more = engine_->work().Run({.workers = 0}, [](const auto&) {});
    ASSERT_TRUE(more) << more.error().Describe();
    if (more->left == 0) break;
    clock_->SleepFor(5min);
  }
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE status_code = 'SUCCEEDED'"), 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_item"), 0);
}

}  // namespace patra::unproven_test
