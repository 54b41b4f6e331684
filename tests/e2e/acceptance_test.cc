// What executing promises as a whole, one test per promise. Those about speed are rows of `make bench` (scaling_bench,
// ledger_bench); that a crash costs no more than a batch is checked in tests/torture/play_matrix.cc.
#include <algorithm>

#include <gtest/gtest.h>

#include "app/plan/plan_backfill.h"
#include "base/hash.h"
#include "base/value.h"
#include "boot/demo_source.h"
#include "boot/engine.h"
#include "infra/sqlite/connection.h"
#include "sim/simulator.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"
#include "tests/world_clock.h"

namespace patra::acceptance_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 10 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class Acceptance : public ::testing::Test {
 protected:
  void Start(const char* faults = "null") {
    auto simulator = sim::Simulator::Start({.seed = 4,
                                            .size = 1'500,
                                            .providers = {"rest"},
                                            .begin = kBegin,
                                            .now = kNow,
                                            .late_by = boot::kDemoLatestArrival,
                                            .enforce_limits = false,
                                            .faults = *ParseJson(faults)});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
    clock_ = std::make_unique<testing::WorldClock>(*simulator_);
    auto engine = boot::Engine::Open({.database = stores_.At(folder_.Path("patra.db")),
                                      .allow_loopback = true,
                                      .log = {.level = "error"}},
                                     *clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
    spec_ = boot::DemoSource(simulator_->url(), kBegin);
  }

  testing::HarvestSummary Harvest(const app::HarvestCommand& command) {
    const auto summary = testing::Harvest(*engine_, command, {.workers = 0});
    EXPECT_TRUE(summary && summary->complete());
    return summary.value_or(testing::HarvestSummary{});
  }

  std::int64_t Count(std::string_view sql) {
    return testing::DatabaseOf(engine_->store())
        .Read([&](infra::sql::Session& connection) { return connection.Integer(sql); })
        .value_or(-1);
  }

  std::string Text(std::string_view sql) {
    const auto text = testing::DatabaseOf(engine_->store())
                          .Read([&](infra::sql::Session& connection) -> Result<std::string> {
                            auto rows = PATRA_TRY(connection.Query(sql));
                            PATRA_TRY(rows.Next());
                            return rows.Text(infra::sql::kOnly);
                          });
    EXPECT_TRUE(text);
    return text.value_or("");
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::unique_ptr<sim::Simulator> simulator_;
  std::unique_ptr<testing::WorldClock> clock_;
  std::unique_ptr<boot::Engine> engine_;
  domain::SpecSnapshot spec_;
};

// The border is the very moment of a record: it belongs to the later window, and comes once.
TEST_F(Acceptance, AdjacentWindowsNeitherRepeatNorLose) {
  Start();
  const auto end = kNow - 2 * boot::kDemoLatestArrival;
  const auto truth = simulator_->Truth("rest/deleted", kBegin, end);
  ASSERT_TRUE(truth);
  std::vector<Instant> moments;
  while (const auto entry = (*truth)->Next()) moments.push_back(entry->updated);
  ASSERT_GT(moments.size(), 100u);
  std::ranges::sort(moments);
  std::int64_t received = 0;
  for (const auto to : {moments[moments.size() / 3], moments[moments.size() / 2], end}) {
    const auto counts = Harvest({.spec = spec_, .to = to}).work.totals.counts;
    EXPECT_EQ(counts.unchanged + counts.repeated, 0) << "nothing comes twice";
    received += counts.received;
  }
  EXPECT_EQ(received, static_cast<std::int64_t>(moments.size()));
  const auto difference =
      boot::CompareWithTruth(*simulator_, engine_->store().read().items(), kBegin, end);
  ASSERT_TRUE(difference);
  EXPECT_TRUE(difference->empty());
}

TEST_F(Acceptance, RetriesSucceedAndTheRateGoesDown) {
  Start(R"({"seed":3,"faults":[{"kind":"too_many_requests","probability":0.1,"retry_after":"1s"},
                               {"kind":"server_error","probability":0.1}]})");
  spec_.paging.size = 10;
  Harvest({.spec = spec_});
  const auto came = Count(
      "SELECT count(*) FROM ing_task_run_batch WHERE status_code = 'SUCCEEDED' "
      "AND json_extract(stats, '$.retryCount') > 0");
  const auto lost = Count(
      "SELECT count(*) FROM ing_task_run_batch WHERE status_code = 'FAILED' AND error_level = "
      "'L1'");
  EXPECT_GT(came, 10);
  EXPECT_GE(static_cast<double>(came), 0.95 * static_cast<double>(came + lost));
  EXPECT_GT(Count("SELECT count(*) FROM ing_task_run WHERE stats LIKE '%\"rateAdjusted\":true%'"),
            0);
}

TEST_F(Acceptance, DoingItTwiceHasTheEffectOfDoingItOnce) {
  Start();
  const auto first = Harvest({.spec = spec_}).work.totals.counts;
  constexpr std::string_view kTable =
      "SELECT group_concat(provider_item_id || hex(content_hash) || updated_at) FROM "
      "(SELECT * FROM ing_item ORDER BY provider_item_id) AS items";
  const auto before = Sha256Hex(Text(kTable));
  const auto again =
      Harvest({.spec = spec_, .from = kBegin, .options = {.again = true}}).work.totals.counts;
  EXPECT_EQ(again.received, first.received);
  EXPECT_EQ(again.inserted + again.updated, 0);
  EXPECT_EQ(Sha256Hex(Text(kTable)), before);
}

TEST_F(Acceptance, OperationsDoNotTouchEachOthersWatermark) {
  Start();
  const auto middle = kBegin + std::chrono::days(30);
  spec_.window.start = middle;
  const auto harvested = Harvest({.spec = spec_});
  const auto watermark = [&] {
    return Text("SELECT cursor_value FROM ing_cursor WHERE operation_code = 'HARVEST'");
  };
  const auto before = watermark();
  app::PlanBackfill backfill(engine_->plan_ports());
  ASSERT_TRUE(
      backfill.Run({.spec = spec_, .scope = app::BackfillRange{.from = kBegin, .to = middle}}));
  const auto worked = engine_->work().Run({.workers = 0}, [](const auto&) {});
  ASSERT_TRUE(worked);
  EXPECT_GT(worked->totals.counts.inserted, 0);
  EXPECT_EQ(watermark(), before);
  EXPECT_EQ(Text("SELECT cursor_value FROM ing_cursor WHERE operation_code = 'BACKFILL'"),
            FormatRfc3339(kBegin));
}

// From what the ledger keeps of a batch the request can be made again, and brings the bytes that the digest names.
TEST_F(Acceptance, ABatchCanBeAskedForAgainAsItWas) {
  Start();
  Harvest({.spec = spec_});
  const auto digest =
      ParseJson(Text("SELECT request_digest FROM ing_task_run_batch WHERE batch_no = 2 LIMIT 1"));
  ASSERT_TRUE(digest);
  auto url = *digest->Find("urlTemplate")->AsString();
  char mark = '?';
  for (const auto& [name, value] : *digest->Find("query")->AsObject()) {
    url += mark + name + "=" + *value.AsString();  // as it was on the wire
    mark = '&';
  }
  const auto transport = infra::curl::Transport::Create({.allow_loopback = true}, *clock_);
  ASSERT_TRUE(transport);
  const auto requests_before = Count("SELECT count(*) FROM ing_task_run_batch");
  const auto answer = (*transport)->Send({.url = url});
  ASSERT_TRUE(answer) << answer.error().Describe();
  const auto response =
      ParseJson(Text("SELECT response_digest FROM ing_task_run_batch WHERE batch_no = 2 LIMIT 1"));
  ASSERT_TRUE(response);
  EXPECT_EQ(*response->Find("sample")->AsString(), "sha256:" + Sha256Hex(answer->body));
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task_run_batch"), requests_before);
}

}  // namespace patra::acceptance_test
