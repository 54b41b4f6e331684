// Two executors and a planner over one store, in virtual time, each dying again and again at any call of a
// port, with a provider that refuses, loses and cuts answers. When they are done, the store holds exactly what
// the provider has, every slice is green and the watermark stands at the end (I4, I5, I8, I12, I14).
//
// A failing seed is printed and repeats exactly: PATRA_SEED=N runs that one, PATRA_SEEDS=N runs so many.
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>

#include "app/harvest/run_harvest.h"
#include "infra/gate/rate_gate.h"
#include "infra/reader/page_reader.h"
#include "infra/sqlite/backup.h"
#include "infra/sqlite/cursor_repository.h"
#include "infra/sqlite/gate_ledger.h"
#include "infra/sqlite/hold_repository.h"
#include "infra/sqlite/id_ledger.h"
#include "infra/sqlite/plan_history.h"
#include "infra/sqlite/plan_repository.h"
#include "infra/sqlite/run_ledger.h"
#include "infra/sqlite/signal_repository.h"
#include "infra/sqlite/store.h"
#include "infra/sqlite/task_queue.h"
#include "infra/sqlite/update_candidates.h"
#include "tests/simulation/crashing_ports.h"
#include "tests/simulation/model_provider.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using testing::Crash;
using testing::ModelProvider;
using testing::Stage;
using testing::StageClock;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
const Instant kEnd = kBegin + 12h;
const Instant kNow = kEnd + 1h;

domain::SpecSnapshot SourceIn(const std::string& style) {
  domain::SpecSnapshot spec{.provenance = "model",
                            .endpoint = "items",
                            .http = {.base_url = "https://model.example.org",
                                     .path = "/items",
                                     .query = {{"style", style},
                                               {"from", "${window.from}"},
                                               {"to", "${window.to}"},
                                               {"size", "${page.size}"},
                                               {"page", "${page.number}"},
                                               {"offset", "${page.offset}"},
                                               {"token", "${page.token}"}}},
                            .paging = {.size = 5},
                            .window = {.start = kBegin,
                                       .safety_lag = 10min,
                                       .width = 2h,
                                       .width_max = 2h,
                                       .updated_is_filtered = true},
                            .response = {.items = "$.items",
                                         .id = {"$.id"},
                                         .updated = "$.updated",
                                         .total = "$.total",
                                         .total_kind = domain::TotalKind::kExact},
                            .fields = {{.name = "title", .path = "$.title", .required = true}},
                            .limits = {{.rate = domain::RateSpec{.requests = 100, .per = 1s}}}};
  auto& paging = spec.paging;
  paging.ends = {domain::WalkEnd::kShortPage};
  if (style == "offset") paging.style = domain::PagingStyle::kOffset;
  if (style == "token" || style == "scroll") {
    paging.style = domain::PagingStyle::kToken;
    paging.next = "$.next";
    paging.replayable = style == "token";
    paging.ends = {style == "token" ? domain::WalkEnd::kNoToken : domain::WalkEnd::kShortPage};
  }
  return spec;
}

// Everything that one process has; it is made anew after every crash.
struct Process {
  Process(const std::string& database, Stage& stage, StageClock& clock, app::Transport& transport,
          std::uint64_t incarnation)
      : store(*infra::sqlite::Store::Open(
            {.path = database, .migrate = false, .synchronous_full = false}, clock)),
        gate_ledger(*store, clock),
        gate(*infra::gate::RateGate::Open(database + "-gate", gate_ledger, clock)),
        ids(clock, incarnation),
        plans(*store, clock, ids),
        cursors(*store, clock, ids),
        real_queue(*store, clock, ids),
        real_runs(*store, clock, ids),
        id_ledger(*store, clock),
        holds(*store, clock, ids),
        history(*store, clock),
        signals(*store, clock, ids),
        candidates(*store),
        queue(real_queue, stage),
        runs(real_runs, stage),
        plan({.plans = plans,
              .cursors = cursors,
              .queue = queue,
              .holds = holds,
              .history = history,
              .signals = signals,
              .candidates = candidates,
              .gate = gate.get(),
              .clock = clock,
              .ids = ids}),
        sender(*gate, transport, clock),
        execute(runs, id_ledger, holds, sender, reader, clock, log, stop,
                {.fetch_ahead = false, .failures_max = 50}),
        work(execute, queue, clock, stop, "process-" + std::to_string(incarnation)),
        harvest(plan, work) {}

  std::unique_ptr<infra::sqlite::Store> store;
  infra::sqlite::GateLedger gate_ledger;
  std::unique_ptr<infra::gate::RateGate> gate;
  IdGenerator ids;
  infra::sqlite::PlanRepository plans;
  infra::sqlite::CursorRepository cursors;
  infra::sqlite::TaskQueue real_queue;
  infra::sqlite::RunLedger real_runs;
  infra::sqlite::IdLedger id_ledger;
  infra::sqlite::HoldRepository holds;
  infra::sqlite::PlanHistory history;
  infra::sqlite::SignalRepository signals;
  infra::sqlite::UpdateCandidates candidates;
  testing::CrashingQueue queue;
  testing::CrashingLedger runs;
  app::NoLog log;
  app::StopRequest stop;
  infra::reader::PageReader reader;
  app::PlanHarvest plan;
  app::Sender sender;
  app::ExecuteTask execute;
  app::Work work;
  app::RunHarvest harvest;
};

std::string PreparedDatabase() {
  static testing::TemporaryFolder folder;
  static const std::string prepared = [] {
    SystemClock clock;
    EXPECT_TRUE(infra::sqlite::Store::Open({.path = folder.Path("empty.db")}, clock));
    EXPECT_TRUE(infra::sqlite::Backup(folder.Path("empty.db"), folder.Path("copy.db")));
    return folder.Path("copy.db");
  }();
  return prepared;
}

void Simulate(std::uint64_t seed) {
  SCOPED_TRACE(fmt::format("PATRA_SEED={}", seed));
  testing::TemporaryFolder folder;
  const auto database = folder.Path("patra.db");
  std::filesystem::copy_file(PreparedDatabase(), database);

  Stage stage(seed, kNow);
  auto& random = stage.random();
  std::vector<testing::ModelRecord> records;
  const auto count = random.Between(0, 120);
  for (std::int64_t i = 0; i < count; ++i) {
    // Few moments, so that many records share one and some lie on the edges of slices.
    records.push_back({fmt::format("r{}", i), kBegin + random.Between(0, 143) * 5min});
  }
  std::ranges::sort(records, {}, &testing::ModelRecord::updated);
  static constexpr auto kStyles = std::to_array<const char*>({"page", "offset", "token", "scroll"});
  const auto spec = SourceIn(kStyles[seed % kStyles.size()]);
  ModelProvider provider(stage, records, 0.02);
  stage.SetCrashChance(0.01);

  StageClock clock(stage);
  std::uint64_t incarnations = 0;
  int unfinished = 0;
  for (int actor = 0; actor < 3; ++actor) {
    stage.Add([&] {
      for (int lives = 0; lives < 200; ++lives) {
        try {
          Process process(database, stage, clock, provider, ++incarnations);
          const auto summary =
              process.harvest.Run({.spec = spec, .to = kEnd}, {.workers = 0}, [](const auto&) {});
          ASSERT_TRUE(summary) << summary.error().Describe();
          if (summary->complete()) return;
          stage.Sleep(5min);  // what is parked gets its turn
        } catch (const Crash&) {
          // The next life begins a little later.
          stage.Sleep(100ms);
        }
      }
      ++unfinished;
    });
  }
  stage.Run();
  const auto connection =
      infra::sqlite::Connection::Open(database, infra::sqlite::Connection::Access::kReadOnly);
  ASSERT_TRUE(connection);
  auto open =
      (*connection)
          ->Query(
              "SELECT coalesce(group_concat(status_code || ' ' || coalesce(gap, '') || ' ' || "
              "coalesce(wait_reason, '') || ' ' || coalesce(last_error_msg, ''), '; '), '') FROM "
              "(SELECT task.status_code, gap, wait_reason, last_error_msg FROM ing_task AS task "
              "JOIN ing_plan_slice AS slice ON slice.id = task.slice_id "
              "WHERE task.status_code <> 'SUCCEEDED')");
  ASSERT_TRUE(open && *open->Next());
  ASSERT_EQ(unfinished, 0) << "somebody never came to the end: " << open->Text(0);
  const auto number = [&](const std::string& sql) {
    return (*connection)->Integer(sql).value_or(-1);
  };
  EXPECT_EQ(number("SELECT count(*) FROM ing_item"), count);
  // A slice that was cut while it ran has handed everything over to its children.
  const std::string leaves =
      " FROM ing_plan_slice AS slice WHERE NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE "
      "child.parent_slice_id = slice.id)";
  EXPECT_EQ(number("SELECT count(*)" + leaves + " AND status_code <> 'SUCCEEDED'"), 0);
  EXPECT_EQ(number("SELECT count(*)" + leaves +
                   " AND (announced <> received - repeated OR received <> inserted + updated + "
                   "unchanged + stale + quarantined + filtered)"),
            0);
  EXPECT_EQ(number("SELECT sum(received - repeated)" + leaves), count);
  EXPECT_EQ(number("SELECT normalized_instant FROM ing_cursor"), kEnd.time_since_epoch().count());
  EXPECT_EQ(number("SELECT count(*) FROM ing_coverage"), 1);
  EXPECT_EQ(number("SELECT count(*) FROM ing_task_run WHERE status_code = 'RUNNING'"), 0);
}

TEST(Simulation, CrashesAndTroubleLoseAndDoubleNothing) {
  const char* one = std::getenv("PATRA_SEED");    // NOLINT(concurrency-mt-unsafe): before threads
  const char* many = std::getenv("PATRA_SEEDS");  // NOLINT(concurrency-mt-unsafe): before threads
  if (one != nullptr) return Simulate(std::stoull(one));
  const auto seeds = many != nullptr ? std::stoull(many) : 200;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Simulate(seed);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace patra
