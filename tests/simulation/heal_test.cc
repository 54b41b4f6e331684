// Self-healing in virtual time: what executors and planners do with its wishes, and how long it takes until work
// is where it should be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simulation/process.h"

namespace patra::heal_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using testing::ModelProvider;
using testing::Process;
using testing::Stage;
using testing::StageClock;

const Instant kBegin = testing::kModelBegin;
const Instant kNow = kBegin + 13h;

// A record every five minutes from the beginning to far beyond now: the provider's list grows as time goes on.
std::vector<testing::ModelRecord> RecordsUntil(Instant end) {
  std::vector<testing::ModelRecord> records;
  for (auto at = kBegin; at < end; at += 5min)
    records.push_back({fmt::format("r{}", records.size()), at});
  return records;
}

class HealWorld {
 protected:
  void Play(const std::function<void()>& body) {
    stage_.Add(body);
    stage_.Run();
  }

  std::unique_ptr<Process> Start(const app::ExecutePolicy& policy = {.fetch_ahead = false}) {
    return std::make_unique<Process>(database_, stage_, clock_, provider_, ++incarnations_, policy);
  }

  // Until nothing is left, also of what is parked.
  void Harvest(Process& process, const domain::SpecSnapshot& spec, Duration pause = 1min) {
    const auto planned = process.plan.Run({.spec = spec, .to = kNow - 10min});
    ASSERT_TRUE(planned) << planned.error().Describe();
    WorkOff(process, pause);
  }

  void WorkOff(Process& process, Duration pause = 1min) {
    for (int i = 0; i < 600; ++i) {
      const auto worked = process.work.Run({.workers = 0}, [](const auto&) {});
      ASSERT_TRUE(worked) << worked.error().Describe();
      if (worked->left == 0) return;
      stage_.Sleep(pause);
    }
    ADD_FAILURE() << "tasks are left";
  }

  std::int64_t Number(const std::string& sql) {
    const auto connection =
        infra::sqlite::Connection::Open(database_, infra::sqlite::Connection::Access::kReadOnly);
    return connection ? (*connection)->Integer(sql).value_or(-1) : -1;
  }

  // Of what a harvest until now could bring.
  std::int64_t CountItems() {
    return Number(fmt::format("SELECT count(*) FROM ing_item WHERE updated_at < {}",
                              (kNow - 10min).time_since_epoch().count()));
  }

  // Healing may have planned a backfill over the gaps, which finds the same.
  std::int64_t CountIsolatedByHarvest() {
    return Number(
        "SELECT count(*) FROM ing_quarantine WHERE level_code = 'BATCH' AND operation_code = "
        "'HARVEST'");
  }

  testing::TemporaryFolder folder_;
  const std::string database_ = testing::EmptyStoreIn(folder_);
  Stage stage_{1, kNow};
  StageClock clock_{stage_};
  ModelProvider provider_{stage_, RecordsUntil(kBegin + 20h), 0};
  std::uint64_t incarnations_ = 0;
};

class HealSimulation : public HealWorld, public ::testing::TestWithParam<const char*> {};
class HealWishes : public HealWorld, public ::testing::Test {};
class Poison : public HealWorld, public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(OfEveryStyle, HealSimulation,
                         ::testing::Values("page", "offset", "token", "scroll"),
                         [](const auto& style) { return std::string(style.param); });

INSTANTIATE_TEST_SUITE_P(OfEveryStyle, Poison,
                         ::testing::Values("page", "offset", "token", "scroll"),
                         [](const auto& style) { return std::string(style.param); });

// A record that the provider cannot serve stands alone in quarantine; everything else arrives, and the account says
// what is missing.
TEST_P(Poison, StandsAloneAndTheRestGoesOn) {
  provider_.poison = {"r7", "r61", "r62"};
  const std::string style = GetParam();
  Play([&] {
    auto process = Start();
    auto spec = testing::SourceIn(style);
    spec.window.width_min = 1min;
    Harvest(*process, spec);
  });
  const auto expected = static_cast<std::int64_t>(provider_.CountIn(kBegin, kNow - 10min)) - 3;
  // Where pages can be halved, all three stand alone; else the smallest slice around each does.
  // Healing may have planned what came in the meantime, and a backfill over the gaps, which finds the same.
  EXPECT_EQ(CountItems(), expected);
  EXPECT_EQ(CountIsolatedByHarvest(), 3);
  const std::string leaves =
      " FROM ing_plan_slice AS slice WHERE NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE "
      "child.parent_slice_id = slice.id) AND EXISTS (SELECT 1 FROM ing_plan AS plan WHERE plan.id "
      "= slice.plan_id AND plan.operation_code = 'HARVEST')";
  const bool halves_pages = style == "page" || style == "offset";
  EXPECT_EQ(Number("SELECT count(*) FROM ing_raw_page WHERE content_type LIKE 'multipart/mixed%'"),
            halves_pages ? 2 : 0)
      << "the answers that a page was put together from";
  EXPECT_EQ(Number("SELECT count(*) FROM ing_task_run_batch AS batch WHERE status_code = "
                   "'SUCCEEDED' AND NOT EXISTS (SELECT 1 FROM ing_raw_page AS page WHERE "
                   "page.batch_id = batch.id)"),
            0);
  EXPECT_EQ(Number("SELECT count(*)" + leaves + " AND status_code = 'FAILED' AND gap <> ''"),
            halves_pages ? 0 : 3);
  EXPECT_EQ(Number("SELECT count(*)" + leaves + " AND status_code NOT IN ('SUCCEEDED', 'FAILED')"),
            0);
  EXPECT_EQ(
      Number("SELECT count(*)" + leaves +
             " AND status_code = 'SUCCEEDED' AND (announced <> received - repeated OR received "
             "<> inserted + updated + unchanged + stale + quarantined + filtered)"),
      0);
}

// The request that an open breaker lets through must not be the bad page again and again, nor the bad part of it: then
// nobody would ever learn that the provider is well.
TEST_P(Poison, OpensTheBreakerAndIsIsolatedAllTheSame) {
  // Both halves of a page, two pages of a slice, and another slice's.
  provider_.poison = {"r5", "r8", "r16", "r61", "r62"};
  const std::string style = GetParam();
  Play([&] {
    auto process = Start();
    auto spec = testing::SourceIn(style);
    spec.window.width_min = 1min;
    spec.retry.circuit_failures_max = 3;
    spec.retry.circuit_cool_down = 10min;
    Harvest(*process, spec, 10min);
  });
  const auto expected = static_cast<std::int64_t>(provider_.CountIn(kBegin, kNow - 10min)) - 5;
  EXPECT_EQ(CountItems(), expected);
  EXPECT_EQ(CountIsolatedByHarvest(), 5);
}

// But for one of many that hold as many, which is cut to see whether the provider counts further.
const std::string kLeft =
    "SELECT count(*) FROM ing_plan_slice AS slice WHERE status_code <> 'SUCCEEDED' AND NOT EXISTS "
    "(SELECT 1 FROM ing_plan_slice AS part WHERE part.parent_slice_id = slice.id)";

class PoisonIds : public HealWorld, public ::testing::TestWithParam<int> {
 protected:
  // A list of ids, and their records in batches of eight.
  static domain::SpecSnapshot TwoPhases() {
    auto spec = testing::SourceIn("ids");
    spec.details = {.endpoint = "details",
                    .id_batch_size = 8,
                    .http = {.base_url = spec.http.base_url,
                             .path = "/details",
                             .query = {{"ids", "${ids | join(',')}"}}},
                    .response = spec.response,
                    .fields = std::move(spec.fields)};
    spec.fields.clear();
    spec.response.updated.reset();
    spec.details->response.total.reset();
    spec.details->response.total_kind = domain::TotalKind::kNone;
    spec.retry.circuit_failures_max = GetParam();
    spec.retry.circuit_cool_down = 10min;
    return spec;
  }
};
INSTANTIATE_TEST_SUITE_P(WithBreakersThatOpenAfter, PoisonIds, ::testing::Values(3, 100),
                         [](const auto& failures) { return std::to_string(failures.param); });

TEST_P(PoisonIds, StandAloneAndTheRestGoesOn) {
  provider_.poison = {"r5", "r8", "r16", "r61", "r62"};
  Play([&] {
    auto process = Start();
    Harvest(*process, TwoPhases(), 10min);
  });
  EXPECT_EQ(
      Number(kLeft + " AND plan_id IN (SELECT id FROM ing_plan WHERE operation_code = 'HARVEST')"),
      0);
  EXPECT_EQ(Number("SELECT count(DISTINCT provider_item_id) FROM ing_quarantine WHERE rule = "
                   "'no_details'"),
            5);
  EXPECT_GE(Number("SELECT count(*) FROM ing_item"),
            static_cast<std::int64_t>(provider_.CountIn(kBegin, kNow - 10min)) - 5);
}

// A slice in which nothing works proves nothing by itself: what the provider gave before tells that it is well.
TEST_P(PoisonIds, StandAloneAlsoWhereASliceHasNoOthers) {
  const auto spec = TwoPhases();
  const auto slice = static_cast<int>(spec.window.width / 5min);
  ASSERT_GT(slice, 10) << "more than are given up in a row";
  for (int i = slice; i < 2 * slice; ++i) provider_.poison.insert(fmt::format("r{}", i));
  Play([&] {
    auto process = Start();
    Harvest(*process, spec, 10min);
  });
  EXPECT_EQ(
      Number(kLeft + " AND plan_id IN (SELECT id FROM ing_plan WHERE operation_code = 'HARVEST')"),
      0);
  EXPECT_EQ(Number("SELECT count(DISTINCT provider_item_id) FROM ing_quarantine WHERE rule = "
                   "'no_details'"),
            slice);
  EXPECT_GE(Number("SELECT count(*) FROM ing_item"),
            static_cast<std::int64_t>(provider_.CountIn(kBegin, kNow - 10min)) - slice);
}

TEST_P(PoisonIds, AreNotWhatAProviderHasThatIsDown) {
  provider_.down_from = kNow + 100ms;
  provider_.down_to = kNow + 3h;
  provider_.lists_stay_up = true;
  Play([&] {
    auto process = Start();
    Harvest(*process, TwoPhases(), 10min);
  });
  EXPECT_GT(provider_.refused, 0);
  EXPECT_EQ(Number("SELECT count(*) FROM ing_quarantine WHERE rule = 'no_details'"), 0);
  // Where no breaker opens, a task fails after three runs, with its gap.
  const bool waits = GetParam() < 15;
  if (!waits) return;
  EXPECT_GE(Number("SELECT count(*) FROM ing_item"),
            static_cast<std::int64_t>(provider_.CountIn(kBegin, kNow - 10min)));
  EXPECT_EQ(Number(kLeft), 0);
}

// A provider that is down is no poison: nothing is cut to pieces over it, and nothing is given up.
TEST_P(Poison, IsNotWhatAProviderIsThatIsDown) {
  provider_.down_from = kNow - 1h;
  provider_.down_to = kNow + 3h;
  Play([&] {
    auto process = Start();
    Harvest(*process, testing::SourceIn(GetParam()));
  });
  EXPECT_EQ(Number("SELECT count(*) FROM ing_plan_slice AS slice WHERE EXISTS (SELECT 1 FROM "
                   "ing_plan_slice AS part WHERE part.parent_slice_id = slice.id) AND gap NOT LIKE "
                   "'%as many as for another window%'"),
            0);
  EXPECT_EQ(Number(kLeft), 0);
  EXPECT_EQ(Number("SELECT count(*) FROM ing_item"),
            static_cast<std::int64_t>(provider_.CountIn(kBegin, kNow - 10min)));
  EXPECT_LT(provider_.requests, 500) << "nobody hammers at a closed door";
}

TEST_P(HealSimulation, SmallerPagesLoseNothingAlsoAcrossRuns) {
  const auto spec = testing::SourceIn(GetParam());
  Play([&] {
    auto process = Start();
    ASSERT_TRUE(process->adjustments.Put({.provenance = "model",
                                          .endpoint = "items",
                                          .kind = app::AdjustmentKind::kPageSize,
                                          .value = 2,
                                          .reason = "slow",
                                          .until = stage_.Now() + 1min,
                                          .made_by = "test"}));
    ASSERT_TRUE(process->plan.Run({.spec = spec, .to = kNow - 10min}));
    // Stopped again and again, so that most slices are resumed, some after the adjustment has ended.
    for (int i = 0; i < 20; ++i) {
      const auto some = process->work.Run({.workers = 0, .requests_max = 4}, [](const auto&) {});
      ASSERT_TRUE(some) << some.error().Describe();
      process = Start();
      stage_.Sleep(5s);
    }
    WorkOff(*process);
  });
  EXPECT_EQ(Number("SELECT count(*) FROM ing_item"),
            static_cast<std::int64_t>(provider_.CountIn(kBegin, kNow - 10min)));
  // A scroll cannot be come back to: stopped, it is cut, and its pieces take over.
  EXPECT_EQ(
      Number("SELECT count(*) FROM ing_plan_slice AS slice WHERE status_code <> 'SUCCEEDED' AND "
             "NOT EXISTS (SELECT 1 FROM ing_plan_slice WHERE parent_slice_id = slice.id)"),
      0);
  EXPECT_GT(Number("SELECT count(*) FROM ing_task_run_batch WHERE after_token LIKE '%\"size\":2%'"),
            0);
}

// The parent ends and its children begin together.
TEST_F(HealWishes, ASliceIsCutOrFailedWhenHealingAsksForIt) {
  Play([&] {
    auto process = Start();
    const auto spec = testing::SourceIn("page");
    ASSERT_TRUE(process->plan.Run({.spec = spec}));
    const auto first = Number("SELECT min(id) FROM ing_plan_slice");
    const auto last = Number("SELECT max(id) FROM ing_plan_slice");
    ASSERT_TRUE(
        *process->adjustments.AskOfSlice(first, domain::SliceRequest::kReslice, "too deep"));
    ASSERT_TRUE(*process->adjustments.AskOfSlice(last, domain::SliceRequest::kFail, "hopeless"));
    ASSERT_TRUE(process->work.Run({.workers = 0}, [](const auto&) {}));
    EXPECT_EQ(Number(fmt::format("SELECT count(*) FROM ing_plan_slice WHERE parent_slice_id = {}",
                                 first)),
              2);
    EXPECT_EQ(Number(fmt::format("SELECT count(*) FROM ing_plan_slice WHERE id = {} AND "
                                 "status_code = 'FAILED' AND gap LIKE '%hopeless%'",
                                 last)),
              1);
  });
}

TEST_F(HealWishes, ALongerSafetyLagEndsTheNextWindowEarlier) {
  Play([&] {
    auto process = Start();
    auto spec = testing::SourceIn("page");
    const auto planned = [&] {
      auto window = process->plan.Run({.spec = spec, .options = {.dry_run = true}})->window;
      return window ? window->to() : Instant();
    };
    EXPECT_EQ(planned(), kNow - 10min);
    const auto raise = [&](Duration lag) {
      ASSERT_TRUE(process->adjustments.Put({.provenance = "model",
                                            .endpoint = "items",
                                            .kind = app::AdjustmentKind::kSafetyLag,
                                            .value = lag.count(),
                                            .reason = "r",
                                            .until = stage_.Now() + 15min,
                                            .made_by = "test"}));
    };
    raise(15min);
    EXPECT_EQ(planned(), kNow - 15min);
    spec.window.safety_lag_max = 12min;
    EXPECT_EQ(planned(), kNow - 12min) << "the definition bounds it";
    raise(5min);
    EXPECT_EQ(planned(), kNow - 10min) << "it is never shorter than the definition's";
  });
}

// After the cause is gone, the cursor is back under its threshold within 15 minutes.
TEST_P(HealSimulation, ACursorCatchesUpWithinAQuarterOfAnHourAfterAnOutage) {
  const auto spec = testing::SourceIn(GetParam());
  provider_.down_from = kNow + 10min;
  provider_.down_to = kNow + 2h;
  const domain::HealPolicy policy;
  const auto threshold = std::max(policy.lag_max, 2 * spec.window.safety_lag);
  std::optional<Duration> recovered_after;
  Duration longest{};
  Play([&] {
    auto process = Start();
    const domain::Lane lane{spec.provenance, spec.endpoint, domain::Operation::kHarvest};
    const auto cursor =
        domain::HarvestNamespace(lane, domain::QueryHash(spec.query), spec.window.watermark_key);
    while (stage_.Now() < provider_.down_to + 30min) {
      ASSERT_TRUE(process->plan.Run({.spec = spec}));
      ASSERT_TRUE(process->work.Run({.workers = 0, .patience = 0s}, [](const auto&) {}));
      stage_.Sleep(1min);
      const auto watermark = process->cursors.Watermark(lane, cursor);
      const auto lag = stage_.Now() - watermark->value_or(kBegin);
      longest = std::max(longest, lag);
      if (stage_.Now() >= provider_.down_to && lag <= threshold && !recovered_after)
        recovered_after = stage_.Now() - provider_.down_to;
    }
    const auto journal = process->journal.List("", kBegin, 1'000);
    ASSERT_TRUE(journal);
    EXPECT_FALSE(journal->empty()) << "the journal says what was done";
  });
  EXPECT_GT(longest, 1h + 30min) << "the outage was felt";
  ASSERT_TRUE(recovered_after);
  EXPECT_LE(*recovered_after, 15min);
}

}  // namespace patra::heal_test
