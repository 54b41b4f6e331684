// The same command again and again, against a provider that has bad days: what failed is tried again so many times, the
// command speaks of what was asked for, and a long Retry-After is kept to.
#include <gtest/gtest.h>

#include "app/verify/verify_completeness.h"
#include "app/work/run_operation.h"
#include "infra/definitions/yaml_files.h"
#include "infra/sql/completeness_queries.h"
#include "infra/sql/registry.h"
#include "tests/e2e/sim_rest.h"
#include "tests/e2e/sim_world.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"

namespace patra::same_command_again_test {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 12 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class SameCommandAgain : public testing::SimWorld, public ::testing::Test {
 protected:
  void SetUp() override {
    Start({.seed = 5, .size = 600, .providers = {"rest"}, .begin = kBegin, .now = kNow});
    ports_.emplace(engine_->plan_ports());
    planner_ = std::make_unique<app::Planner>(*ports_, engine_->store().registry(), files_);
  }

  void Suffer(const std::string& fault) {
    ASSERT_TRUE(simulator_->SetFaults(*ParseJson(R"({"seed":1,"faults":[)" + fault + "]}")));
  }

  app::OperationSummary Harvest(bool is_fixed_window = true,
                                domain::Operation operation = domain::Operation::kHarvest) {
    app::PlanRequest request{.sources_folder = std::string(PATRA_SOURCE_DIR) + "/sources"};
    request.source.target = "sim-rest/items";
    request.source.operation = operation;
    request.source.overrides = {"sim-rest.http.base_url=" + simulator_->url(),
                                "sim-rest.http.allow_http=true",
                                "sim-rest.window.start=" + FormatRfc3339(kBegin),
                                "sim-rest.window.safety_lag=1d", "sim-rest.window.width=7d"};
    if (is_fixed_window) {
      request.from = FormatRfc3339(kBegin);
      request.to = FormatRfc3339(kNow - 48h);
    }
    auto summary =
        app::RunOperation(*planner_, engine_->work()).Run(request, {.workers = 0}, [](const auto&) {
        });
    EXPECT_TRUE(summary) << summary.error().Describe();
    if (!summary) return {};
    for (const auto& problem : summary->plan.problems) ADD_FAILURE() << problem.Describe();
    return *std::move(summary);
  }

  std::int64_t OpenRows() {
    return Count("SELECT count(*) FROM ing_quarantine WHERE status_code = 'OPEN'");
  }

  std::int64_t Requests() {
    const auto keys = engine_->gate().List();
    return keys && !keys->empty() ? keys->front().counts.permits : -1;
  }

  infra::definitions::YamlFiles files_;
  std::optional<app::PlanPorts> ports_;
  std::unique_ptr<app::Planner> planner_;
};

TEST_F(SameCommandAgain, WhatFailedIsTriedAgainAndProvenOnceTheProviderIsWell) {
  Suffer(R"({"kind":"server_error","status":400})");
  const auto first = Harvest();
  EXPECT_GT(first.work.failed, 0);
  EXPECT_FALSE(first.complete());
  EXPECT_FALSE(first.unproven.stretches.empty());

  const auto second = Harvest();
  EXPECT_EQ(second.plan.planned.tried_again, first.work.failed);
  EXPECT_FALSE(second.complete());

  ASSERT_TRUE(simulator_->SetFaults(Value()));
  const auto third = Harvest();
  EXPECT_EQ(third.plan.planned.tried_again, first.work.failed);
  EXPECT_TRUE(third.complete());
  EXPECT_TRUE(third.unproven.empty());
  EXPECT_EQ(Harvest().work.totals.requests, 0);
}

TEST_F(SameCommandAgain, ADeadProviderEndsHarvestsUpdatesAndWorkAlikeAndSaysForWhatTheyWaited) {
  Harvest();
  clock_->SleepFor(6h);
  Suffer(R"({"kind":"server_error","status":503})");
  const auto request = [&](domain::Operation operation) {
    app::PlanRequest plan{.sources_folder = std::string(PATRA_SOURCE_DIR) + "/sources"};
    plan.source.target = "sim-rest/items";
    plan.source.operation = operation;
    plan.source.overrides = {"sim-rest.http.base_url=" + simulator_->url(),
                             "sim-rest.http.allow_http=true",
                             "sim-rest.window.start=" + FormatRfc3339(kBegin)};
    if (operation == domain::Operation::kUpdate) plan.stale = "1h";
    return plan;
  };
  for (const auto operation : {domain::Operation::kHarvest, domain::Operation::kUpdate}) {
    for (const std::optional<Duration> wait_max : {std::optional<Duration>(2min), {}}) {
      clock_->SleepFor(30min);
      const auto began = clock_->Elapsed();
      const auto summary =
          app::RunOperation(*planner_, engine_->work())
              .Run(request(operation), {.workers = 0, .wait_max = wait_max}, [](const auto&) {});
      ASSERT_TRUE(summary) << summary.error().Describe();
      const auto took = clock_->Elapsed() - began;
      EXPECT_GT(summary->work.left, 0);
      EXPECT_GT(summary->work.totals.requests, 0) << "what was sent is counted";
      EXPECT_FALSE(summary->complete());
      EXPECT_LT(took, wait_max ? 3min : 7min) << Code(operation);
      ASSERT_TRUE(app::WhatDecided(*summary));
      const auto last_word = app::WhatDecided(*summary)->message;
      EXPECT_TRUE(last_word.find("503") != std::string::npos ||
                  last_word.find("BREAKER_OPEN") != std::string::npos)
          << last_word;
      if (wait_max) {
        ASSERT_TRUE(summary->work.tired);
        EXPECT_FALSE(summary->work.tired->what.empty());
      }
    }
  }
  clock_->SleepFor(30min);
  const auto began = clock_->Elapsed();
  const auto worked =
      engine_->work().Run({.workers = 0, .drain = false, .wait_max = 2min}, [](const auto&) {});
  ASSERT_TRUE(worked) << worked.error().Describe();
  EXPECT_TRUE(worked->tired);
  EXPECT_FALSE(worked->is_stopped);
  EXPECT_LT(clock_->Elapsed() - began, 3min);
}

TEST_F(SameCommandAgain, WhatWasOvercomeIsNotTheLastWord) {
  Suffer(R"({"kind":"server_error","status":503,"times":4})");
  const auto summary = Harvest();
  EXPECT_TRUE(summary.complete());
  EXPECT_FALSE(summary.work.first_error);
  EXPECT_FALSE(app::WhatDecided(summary));
}

// Commands give it up, or self-healing pauses planning before that.
TEST_F(SameCommandAgain, ASliceThatAlwaysFailsIsLeftAloneInTheEndAndNeverCalledComplete) {
  Suffer(R"({"kind":"server_error","status":400})");
  app::OperationSummary last;
  for (int i = 0; i < 6; ++i) {
    last = Harvest();
    EXPECT_FALSE(last.complete()) << i;
  }
  EXPECT_EQ(last.work.failed, 0) << "nothing was tried";
  EXPECT_TRUE(last.plan.planned.kind == app::Planned::Kind::kHeld ||
              !last.plan.planned.given_up.empty());
}

TEST_F(SameCommandAgain, ARetryAfterOfAMonthIsKeptToButForOneProbeADay) {
  Suffer(R"({"kind":"too_many_requests","retry_after":"30d"})");
  EXPECT_GT(Harvest().work.left, 0);
  EXPECT_EQ(Requests(), 1);
  constexpr int kDays = 5;
  for (int hours = 0; hours < 24 * kDays; hours += 6) {
    clock_->SleepFor(6h);
    const auto summary = Harvest();
    EXPECT_GT(summary.work.left, 0);
    EXPECT_TRUE(summary.work.waits) << "it says for what and until when";
  }
  EXPECT_LE(Requests(), 1 + kDays);
  ASSERT_TRUE(simulator_->SetFaults(Value()));
  clock_->SleepFor(25h);
  EXPECT_TRUE(Harvest().complete()) << "the probe was answered: there is no need to wait longer";
}

TEST_F(SameCommandAgain, WhatIsInQuarantineIsToldAsLongAsItIsThere) {
  Suffer(R"({"kind":"future_date","positions":[2]})");
  const auto first = Harvest();
  EXPECT_TRUE(first.complete());
  const auto open = OpenRows();
  ASSERT_GT(open, 0);
  EXPECT_EQ(first.quarantine_open, open);
  EXPECT_EQ(first.work.totals.counts.quarantined, open) << "however often a slice is walked over";
  EXPECT_TRUE(first.work.totals.counts.Balances());
  for (const bool is_fixed_window : {true, false, false}) {
    const auto again = Harvest(is_fixed_window);
    EXPECT_TRUE(again.complete());
    EXPECT_GE(again.quarantine_open, open);
    EXPECT_EQ(again.quarantine_open, OpenRows());
  }
}

TEST_F(SameCommandAgain, ABackfillMeetsTheSameRecordsAndSettlesWhatIsWellByNow) {
  Suffer(R"({"kind":"future_date","positions":[2]})");
  Harvest();
  const auto open = OpenRows();
  ASSERT_GT(open, 0);
  ASSERT_TRUE(simulator_->SetFaults(Value()));
  const auto backfill = Harvest(true, domain::Operation::kBackfill);
  EXPECT_TRUE(backfill.complete());
  EXPECT_EQ(backfill.quarantine_open, 0);
  EXPECT_EQ(OpenRows(), 0);
}

TEST_F(SameCommandAgain, AProviderWhoseClockIsAlwaysBehindIsHarvestedWell) {
  const auto put_behind = [&] {
    simulator_->SetClockOffset(clock_->Now() - 5h - SystemClock().Now());
  };
  std::optional<Instant> last;
  for (int i = 0; i < 4; ++i) {
    put_behind();
    const auto summary = Harvest(false);
    EXPECT_TRUE(summary.complete()) << i;
    EXPECT_EQ(summary.work.partial, 0);
    EXPECT_FALSE(summary.work.first_error);
    ASSERT_TRUE(summary.watermark);
    ASSERT_TRUE(summary.unproven.not_before) << "it says how far it is proven";
    EXPECT_EQ(*summary.unproven.not_before, *summary.watermark);
    EXPECT_LE(*summary.watermark, clock_->Now() - 5h - 24h + 1min);
    if (last) {
      EXPECT_GT(*summary.watermark, *last);
    }
    last = summary.watermark;
    clock_->SleepFor(6h);
  }
  auto& queries = engine_->store().read().completeness();
  const auto certificates =
      app::VerifyCompleteness(queries, *clock_).Run({.source = "sim-rest", .endpoint = "items"});
  ASSERT_TRUE(certificates) << certificates.error().Describe();
  for (const auto& certificate : *certificates) {
    EXPECT_TRUE(certificate.is_complete()) << "verify agrees";
    ASSERT_EQ(certificate.gaps.size(), 1u) << "and names what comes later";
    EXPECT_EQ(certificate.gaps[0].stretch.from, *last);
  }
}

TEST_F(SameCommandAgain, ATotalThatIsAlwaysWrongNamesTheWayOut) {
  Suffer(R"({"kind":"moving_total","amount":17})");
  app::OperationSummary summary;
  for (int i = 0; i < 4 && summary.work.partial == 0; ++i) {
    summary = Harvest();
    clock_->SleepFor(1h);
  }
  ASSERT_GT(summary.work.partial, 0);
  ASSERT_TRUE(summary.work.first_error);
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE status_code = 'PARTIAL' AND gap LIKE "
                  "'%announced%`total: {is: estimate}`%'"),
            summary.work.partial);
}

TEST_F(SameCommandAgain, WhatIsHeldIsToldWithItsReasonAndItsRelease) {
  ASSERT_TRUE(ports_->holds.Pause({.provenance = "sim-rest",
                                   .endpoint = "items",
                                   .reason = "page is refused",
                                   .only = domain::Role::kPlanner},
                                  {{"heal"}, "400"}));
  const auto held = Harvest();
  EXPECT_EQ(held.plan.planned.kind, app::Planned::Kind::kHeld);
  const auto worked = engine_->work().Run({.workers = 0}, [](const auto&) {});
  ASSERT_TRUE(worked);
  for (const auto& holds : {held.work.holds, worked->holds}) {
    ASSERT_EQ(holds.size(), 1u);
    EXPECT_EQ(holds[0].Describe(), "sim-rest/items is paused since " +
                                       FormatRfc3339(*holds[0].since) + ": page is refused");
    EXPECT_EQ(holds[0].Release(), "‹source.resume sim-rest/items›");
  }
}

TEST_F(SameCommandAgain, ARefusalOfTheFirstPageIsCountedAndWaitsAsLongAsTheGateDoes) {
  Suffer(R"({"kind":"too_many_requests","retry_after":"1h"})");
  const auto first = Harvest();
  EXPECT_EQ(first.work.totals.requests, 1);
  EXPECT_EQ(first.work.totals.throttled, 1);
  const auto again = Harvest();
  EXPECT_EQ(again.work.totals.requests, 0);
  ASSERT_TRUE(first.work.waits && again.work.waits);
  EXPECT_LT(std::chrono::abs(first.work.waits->until - again.work.waits->until), 1min);
  EXPECT_TRUE(first.work.waits->what.starts_with("COOL_DOWN"));
  EXPECT_EQ(first.work.running, 0) << "nobody is at it";
}

// Half of the requests fail, and every page comes at the second attempt.
TEST(RunsThatMostlyFail, EndPartialAndAreResumedWhereTheyStand) {
  testing::TemporaryFolder folder;
  testing::TestStores stores;
  auto simulator = sim::Simulator::Start(
      {.seed = 9,
       .size = 1'500,
       .providers = {"rest"},
       .begin = kBegin,
       .now = kNow,
       .late_by = boot::kDemoLatestArrival,
       .enforce_limits = false,
       .faults = *ParseJson(
           R"({"seed":1,"faults":[{"kind":"server_error","positions":[1,3,5,7,9,11]}]})")});
  ASSERT_TRUE(simulator) << simulator.error().Describe();
  testing::WorldClock clock(**simulator);
  boot::EngineOptions options{.database = stores.At(folder.Path("patra.db")),
                              .allow_loopback = true};
  options.execute.fetch_ahead = false;
  options.execute.failing = {.part_over = 0.5, .batches_min = 3};
  options.execute.recut.failures_in_a_row_max = 100;
  const auto engine = boot::Engine::Open(options, clock);
  ASSERT_TRUE(engine);
  auto spec = testing::SimRest("items", (*simulator)->url(), kBegin);
  spec.window.width = spec.window.width_max = std::chrono::days(40);
  spec.paging.size = 100;
  const auto summary = testing::Harvest(**engine, {.spec = spec}, {.workers = 0});
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_TRUE(summary->complete());
  const auto count = [&](const char* sql) {
    return testing::DatabaseOf((*engine)->store()).Read([&](infra::sql::Session& connection) {
      return connection.Integer(sql);
    });
  };
  EXPECT_EQ(count("SELECT count(*) FROM ing_task_run WHERE status_code = 'PARTIAL' AND error LIKE "
                  "'3 of 3 batches came only after failures%'"),
            2);
  EXPECT_EQ(count("SELECT count(*) FROM ing_task_run WHERE status_code = 'SUCCEEDED'"),
            summary->slices);
  const auto difference = boot::CompareWithTruth(
      **simulator, (*engine)->store().read().items(), kBegin, *summary->watermark,
      {.truth = "rest/deleted", .provenance = "sim-rest", .endpoint = "items"});
  ASSERT_TRUE(difference);
  EXPECT_TRUE(difference->empty()) << difference->missing << " missing";
}

}  // namespace patra::same_command_again_test
