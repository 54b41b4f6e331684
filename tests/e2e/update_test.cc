// UPDATE against the simulator, the way commands go: registry, planner, executor. What the world changed
// meanwhile is fetched by id, each candidate once; cursors of updates move and the harvest's stays; and after
// the next harvest the store holds the truth.
#include <cstdlib>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "app/work/run_operation.h"
#include "infra/definitions/yaml_files.h"
#include "infra/sql/registry.h"
#include "tests/e2e/sim_world.h"
#include "tests/raw_database.h"

namespace patra::update_test {

using namespace std::chrono_literals;
using domain::Operation;
using Kind = app::Planned::Kind;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 11 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

struct Case {
  const char* name;
  const char* source;
  const char* endpoint;
  const char* provider;  // of the simulator
  const char* base_url;  // below the simulator's
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.source; }

class UpdateEndToEnd : public testing::SimWorld, public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    Start(
        {.seed = 5, .size = 600, .providers = {GetParam().provider}, .begin = kBegin, .now = kNow});
    ports_.emplace(engine_->plan_ports());
    planner_ = std::make_unique<app::Planner>(*ports_, engine_->store().registry(), files_);
  }

  app::PlanRequest Request(Operation operation) const {
    const auto set = [&](const std::string& text) { return GetParam().source + ("." + text); };
    app::PlanRequest request{.sources_folder = std::string(PATRA_SOURCE_DIR) + "/sources"};
    request.source.target = fmt::format("{}/{}", GetParam().source, GetParam().endpoint);
    request.source.operation = operation;
    request.source.overrides = {set("http.base_url=" + simulator_->url() + GetParam().base_url),
                                set("http.allow_http=true"),
                                set("window.start=" + FormatRfc3339(kBegin)),
                                set("window.safety_lag=1d"), set("window.width=1d")};
    return request;
  }

  app::OperationSummary Run(const app::PlanRequest& request) {
    auto summary =
        app::RunOperation(*planner_, engine_->work()).Run(request, {.workers = 0}, [](const auto&) {
        });
    EXPECT_TRUE(summary) << summary.error().Describe();
    if (!summary) return {};
    for (const auto& problem : summary->plan.problems) ADD_FAILURE() << problem.Describe();
    EXPECT_TRUE(summary->complete())
        << (summary->work.first_error ? summary->work.first_error->Describe() : "");
    return *std::move(summary);
  }

  app::OperationSummary Harvest() { return Run(Request(Operation::kHarvest)); }

  boot::Difference DifferenceTo(Instant to) {
    const auto difference =
        boot::CompareWithTruth(*simulator_, engine_->store().read().items(), kBegin, to,
                               {.truth = GetParam().provider,
                                .provenance = GetParam().source,
                                .endpoint = GetParam().endpoint});
    EXPECT_TRUE(difference) << difference.error().Describe();
    return difference.value_or(boot::Difference{.missing = -1});
  }

  std::vector<std::string> StoredIds(int ids_max) {
    const auto ids =
        testing::DatabaseOf(engine_->store())
            .Read([&](infra::sql::Session& connection) -> Result<std::vector<std::string>> {
              std::vector<std::string> found;
              auto rows = PATRA_TRY(
                  connection.Query("SELECT provider_item_id FROM ing_item WHERE deleted_at IS NULL "
                                   "ORDER BY provider_item_id LIMIT :ids_max",
                                   {{"ids_max", ids_max}}));
              while (PATRA_TRY(rows.Next())) found.push_back(rows.Text(infra::sql::kOnly));
              return found;
            });
    return ids.value_or(std::vector<std::string>{});
  }

  std::int64_t UpdateCursors(const std::string& key) {
    return Count(
        fmt::format("SELECT count(*) FROM ing_cursor WHERE operation_code = 'UPDATE' AND "
                    "namespace_scope_code = 'CUSTOM' AND cursor_key = '{}'",
                    key));
  }

  // Events came first, the harvest's watermark stays where the harvest left it.
  void ExpectOwnNamespace(std::int64_t harvest_watermark) {
    EXPECT_EQ(Watermark(), harvest_watermark);
    EXPECT_EQ(Count("SELECT count(*) FROM ing_cursor AS now WHERE operation_code = 'UPDATE' AND "
                    "NOT EXISTS (SELECT 1 FROM ing_cursor_event AS event WHERE "
                    "event.namespace_key = now.namespace_key AND "
                    "event.cursor_key = now.cursor_key AND event.new_value = now.cursor_value)"),
              0);
  }

  std::int64_t Watermark() {
    return Count("SELECT max(normalized_instant) FROM ing_cursor WHERE operation_code = 'HARVEST'");
  }

  infra::definitions::YamlFiles files_;
  std::optional<app::PlanPorts> ports_;
  std::unique_ptr<app::Planner> planner_;
};

TEST_P(UpdateEndToEnd, TheSameIdsOnTheSameDayAreFetchedAgain) {
  Harvest();
  auto request = Request(Operation::kUpdate);
  request.ids = StoredIds(7);
  for (int i = 0; i < 3; ++i) {
    const auto update = Run(request);
    EXPECT_EQ(update.plan.planned.kind, Kind::kCreated) << i;
    EXPECT_EQ(update.work.totals.counts.received, 7) << i;
  }
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan WHERE operation_code = 'UPDATE'"), 3);

  // One that is under way is joined.
  const auto planned = planner_->Run(request);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->planned.kind, Kind::kCreated);
  const auto joined = Run(request);
  EXPECT_EQ(joined.plan.planned.kind, Kind::kAlreadyPlanned);
  EXPECT_NE(joined.plan.planned.reason.find("this command joins in"), std::string::npos);
  EXPECT_EQ(joined.plan.planned.plan, planned->planned.plan);
  EXPECT_EQ(joined.work.totals.counts.received, 7);
}

TEST_P(UpdateEndToEnd, APlanThatIsCutAndWorkedOffInPartsLeavesNoRestToSpeakOf) {
  planner_ = std::make_unique<app::Planner>(*ports_, engine_->store().registry(), files_,
                                            app::PlanLimits{.open_tasks_max = 20});
  auto request = Request(Operation::kHarvest);
  // Else it would begin as one slice.
  request.source.overrides.push_back(GetParam().source + std::string(".window.longest=1d"));
  const auto harvest = Run(request);
  EXPECT_GT(harvest.slices, 20);
  EXPECT_FALSE(harvest.plan.planned.is_partial);
  EXPECT_EQ(harvest.plan.planned.reason, "");
  EXPECT_TRUE(DifferenceTo(kNow - 24h).empty());
}

TEST_P(UpdateEndToEnd, StaleRecordsAreFetchedOnceAndBecomeWhatTheProviderHas) {
  Harvest();
  const auto watermark = Watermark();
  const auto stored = Count("SELECT count(*) FROM ing_item WHERE deleted_at IS NULL");
  simulator_->Advance(std::chrono::days(40));
  auto request = Request(Operation::kUpdate);
  request.stale = "30d";
  request.parts = 1;
  const auto update = Run(request);
  EXPECT_EQ(update.plan.planned.kind, Kind::kCreated);
  EXPECT_EQ(update.work.totals.counts.received, stored);
  EXPECT_GT(update.work.totals.counts.updated, 0);
  EXPECT_EQ(DifferenceTo(simulator_->WorldNow()).wrong, 0);
  EXPECT_EQ(UpdateCursors("refresh_checked_at"), 1);
  ExpectOwnNamespace(watermark);

  const auto again = Run(request);
  EXPECT_EQ(again.plan.planned.slices, 0) << "every candidate is consumed once";
  EXPECT_EQ(again.work.totals.requests, 0);

  const auto harvest = Harvest();
  ASSERT_TRUE(harvest.watermark);
  EXPECT_TRUE(DifferenceTo(*harvest.watermark).empty());
}

TEST_P(UpdateEndToEnd, TheDefinitionSaysHowFreshRecordsShouldBe) {
  Harvest();
  simulator_->Advance(std::chrono::days(200));
  auto request = Request(Operation::kUpdate);
  request.stale = "";
  const auto stored = Count("SELECT count(*) FROM ing_item WHERE deleted_at IS NULL");
  const auto update = Run(request);
  EXPECT_GT(update.work.totals.counts.received, 0);
  const auto parts = GetParam().source == std::string("sim-rest") ? 1 : 30;
  EXPECT_NEAR(static_cast<double>(update.work.totals.counts.received),
              static_cast<double>(stored) / parts, static_cast<double>(stored) / parts);
}

TEST_P(UpdateEndToEnd, ListedRecordsAreFetchedAndNoOthers) {
  Harvest();
  const auto watermark = Watermark();
  simulator_->Advance(std::chrono::days(40));
  auto request = Request(Operation::kUpdate);
  request.ids = StoredIds(60);
  ASSERT_EQ(request.ids.size(), 60u);
  const auto before = clock_->Now();
  const auto update = Run(request);
  EXPECT_EQ(update.work.totals.counts.received, 60);
  EXPECT_EQ(update.work.totals.counts.quarantined, 0);
  EXPECT_EQ(Count(fmt::format("SELECT count(*) FROM ing_item WHERE refreshed_at >= {}",
                              before.time_since_epoch().count())),
            60);
  EXPECT_EQ(UpdateCursors("refresh_checked_at"), 1);
  ExpectOwnNamespace(watermark);
  const auto harvest = Harvest();
  EXPECT_TRUE(DifferenceTo(*harvest.watermark).empty());
}

TEST_P(UpdateEndToEnd, SignalsAreActedUponOnce) {
  Harvest();
  const auto watermark = Watermark();
  simulator_->Advance(std::chrono::days(40));
  ASSERT_TRUE(ports_->signals.TakeFor(1, GetParam().source, GetParam().endpoint, 1'000));
  ASSERT_TRUE(ports_->signals.Settle(1));
  const auto others = Count("SELECT count(*) FROM ing_signal");
  const auto ids = StoredIds(7);
  for (const auto* type : {"RETRACTION", "MISSING_FIELD"}) {
    for (const auto& id : ids) {
      ASSERT_TRUE(ports_->signals.Add({.provenance = GetParam().source,
                                       .endpoint = GetParam().endpoint,
                                       .item_id = id,
                                       .type = type,
                                       .origin = "test"}));
    }
  }
  auto request = Request(Operation::kUpdate);
  request.signals = true;
  const auto update = Run(request);
  EXPECT_EQ(update.work.totals.counts.received, 7)
      << "two signals about one record are one request";
  EXPECT_EQ(Count("SELECT count(*) FROM ing_signal WHERE status_code = 'DONE'"), others + 14);
  EXPECT_EQ(UpdateCursors("signal_id"), 1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_cursor WHERE cursor_key = 'signal_id' AND "
                  "normalized_numeric = (SELECT max(id) FROM ing_signal)"),
            1);
  ExpectOwnNamespace(watermark);
  EXPECT_EQ(Run(request).plan.planned.kind, Kind::kNothingDue);
}

class MergesEndToEnd : public UpdateEndToEnd {};

TEST_P(MergesEndToEnd, MakeUpdateLookAtWhatOthersBecamePartOf) {
  Harvest();
  simulator_->Advance(std::chrono::days(40));
  Harvest();
  const auto merges = Count(
      "SELECT count(DISTINCT merged_into) FROM ing_item AS gone WHERE merged_into IS NOT NULL AND "
      "EXISTS (SELECT 1 FROM ing_signal AS given WHERE given.signal_type_code = 'MERGE' AND "
      "given.provider_item_id = gone.merged_into AND given.status_code = 'OPEN')");
  ASSERT_GT(merges, 0);
  EXPECT_EQ(merges, Count("SELECT count(*) FROM ing_signal WHERE status_code = 'OPEN'"));
  auto request = Request(Operation::kUpdate);
  request.signals = true;
  EXPECT_EQ(Run(request).work.totals.counts.received, merges);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_signal WHERE status_code <> 'DONE'"), 0);
}

TEST_P(UpdateEndToEnd, RecordsOfAnOlderDefinitionAreMadeAnew) {
  auto old = Request(Operation::kHarvest);
  old.source.overrides.push_back(GetParam().source + std::string(".params.edition=1"));
  Run(old);
  const auto stored = Count("SELECT count(*) FROM ing_item WHERE deleted_at IS NULL");
  auto request = Request(Operation::kUpdate);
  request.expr_changed = true;
  const auto update = Run(request);
  EXPECT_EQ(update.work.totals.counts.received, stored);
  EXPECT_EQ(UpdateCursors("refresh_checked_at"), 1);
  EXPECT_EQ(Run(request).plan.planned.slices, 0);
  simulator_->Advance(24h);
  EXPECT_EQ(Run(request).plan.planned.kind, Kind::kNothingDue) << "none is of another definition";
  const auto harvest = Harvest();
  EXPECT_TRUE(DifferenceTo(*harvest.watermark).empty());
}

TEST_P(UpdateEndToEnd, EveryOperationMovesItsOwnCursorEventFirst) {
  const auto middle = FormatRfc3339(kBegin + std::chrono::days(30));
  auto harvest = Request(Operation::kHarvest);
  harvest.source.overrides.push_back(GetParam().source + (".window.start=" + middle));
  Run(harvest);
  const auto watermark = Watermark();
  auto backfill = Request(Operation::kBackfill);
  backfill.from = FormatRfc3339(kBegin);
  backfill.to = middle;
  Run(backfill);
  auto update = Request(Operation::kUpdate);
  update.ids = StoredIds(20);
  Run(update);
  ExpectOwnNamespace(watermark);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_cursor"), 3);
  EXPECT_EQ(Count("SELECT count(DISTINCT operation_code) FROM ing_cursor"), 3);
  EXPECT_EQ(Count("SELECT count(DISTINCT namespace_key || cursor_key) FROM ing_cursor"), 3);
  EXPECT_EQ(Count(fmt::format("SELECT count(*) FROM ing_cursor WHERE operation_code = 'BACKFILL' "
                              "AND normalized_instant = {}",
                              kBegin.time_since_epoch().count())),
            1);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_cursor AS now WHERE NOT EXISTS (SELECT 1 FROM "
                  "ing_cursor_event AS event WHERE event.namespace_key = now.namespace_key AND "
                  "event.cursor_key = now.cursor_key AND event.new_value = now.cursor_value AND "
                  "event.created_at <= now.updated_at)"),
            0);
}

// What the provider has may be older than what is stored: then the row stays as it is, and has been looked at.
TEST_P(UpdateEndToEnd, RecordsThatStayAsTheyAreAreAskedForOnce) {
  static const auto kOfNothing = "X'" + std::string(64, '0') + "'";  // a hash that nothing has
  auto old = Request(Operation::kHarvest);
  old.source.overrides.push_back(GetParam().source + std::string(".params.edition=1"));
  Run(old);
  const auto stored = Count("SELECT count(*) FROM ing_item WHERE deleted_at IS NULL");
  const auto aged =
      testing::DatabaseOf(engine_->store()).Write([](infra::sql::Session& connection) {
        return connection.Run(
            "UPDATE ing_item SET updated_at = updated_at + 1000000000000, content_hash = " +
            kOfNothing);
      });
  ASSERT_TRUE(aged) << aged.error().Describe();
  const auto rows = "SELECT count(*) FROM ing_item WHERE content_hash = " + kOfNothing;
  const auto before = Count(rows);
  auto request = Request(Operation::kUpdate);
  request.expr_changed = true;
  const auto update = Run(request);
  EXPECT_EQ(update.work.totals.counts.stale, stored);
  EXPECT_EQ(Count(rows), before) << "neither content nor version is touched";
  request.options.again = true;
  const auto again = Run(request);
  EXPECT_EQ(again.plan.planned.slices, 0) << again.plan.planned.reason;
  EXPECT_EQ(again.work.totals.requests, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_item WHERE deleted_at IS NULL AND checked_batch_id IS "
                  "NOT NULL"),
            stored);
}

const Case kRest{"Rest", "sim-rest", "items", "rest", ""};

INSTANTIATE_TEST_SUITE_P(Shipped, MergesEndToEnd, ::testing::Values(kRest),
                         [](const auto& test) { return test.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Shipped, UpdateEndToEnd,
    ::testing::Values(kRest, Case{"Crossref", "crossref", "works", "crossref", "/crossref"},
                      Case{"PubMed", "pubmed", "articles", "pubmed", "/pubmed"}),
    [](const auto& test) { return test.param.name; });

}  // namespace patra::update_test
