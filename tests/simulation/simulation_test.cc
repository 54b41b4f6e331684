// Two executors and a planner over one store, in virtual time, each dying again and again at any call of a
// port, with a provider that refuses, loses and cuts answers. When they are done, the store holds exactly what
// the provider has, every slice is green and the watermark stands at the end (I4, I5, I8, I12, I14).
//
// A failing seed is printed and repeats exactly: PATRA_SEED=N runs that one, PATRA_SEEDS=N runs so many.
#include <cstdlib>

#include <gtest/gtest.h>

#include "tests/simulation/process.h"

namespace patra::simulation_test {

using namespace std::chrono_literals;
using testing::Crash;
using testing::ModelProvider;
using testing::Stage;
using testing::StageClock;

const Instant kBegin = testing::kModelBegin;
const Instant kEnd = kBegin + 12h;
const Instant kNow = kEnd + 1h;

void Simulate(std::uint64_t seed) {
  SCOPED_TRACE(fmt::format("PATRA_SEED={}", seed));
  testing::TemporaryFolder folder;
  const auto database = testing::EmptyStoreIn(folder);

  Stage stage(seed, kNow);
  auto& random = stage.random();
  std::vector<testing::ModelRecord> records;
  const auto count = random.Between(0, 120);
  for (std::int64_t i = 0; i < count; ++i) {
    // Few moments, so that many records share one and some lie on the edges of slices.
    records.push_back({fmt::format("r{}", i), kBegin + random.Between(0, 143) * 5min});
  }
  std::ranges::sort(records, {}, &testing::ModelRecord::updated);
  static constexpr auto kStyles =
      std::to_array<const char*>({"page", "offset", "token", "scroll", "members", "header"});
  const auto spec = testing::SourceIn(kStyles[seed % kStyles.size()]);
  ModelProvider provider(stage, records, 0.02);
  stage.SetCrashChance(0.01);

  StageClock clock(stage);
  std::uint64_t incarnations = 0;
  int unfinished = 0;
  for (int actor = 0; actor < 3; ++actor) {
    stage.Add([&] {
      for (int lives = 0; lives < 200; ++lives) {
        try {
          testing::Process process(database, stage, clock, provider, ++incarnations);
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
  ASSERT_EQ(unfinished, 0) << "somebody never came to the end: " << open->Text(infra::sql::kOnly);
  const auto number = [&](const std::string& sql) {
    return (*connection)->Integer(sql).value_or(-1);
  };
  EXPECT_EQ(number("SELECT count(*) FROM ing_item"), count);
  // A slice that was cut while it ran has handed everything over to its children.
  const std::string leaves =
      " FROM ing_plan_slice AS slice WHERE NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE "
      "child.parent_slice_id = slice.id)";
  // What healing prepares for later, where the world is bad for long enough, is beyond what anybody here asks for.
  EXPECT_EQ(
      number(fmt::format("SELECT count(*){} AND status_code <> 'SUCCEEDED' AND window_from < {}",
                         leaves, kEnd.time_since_epoch().count())),
      0)
      << open->Text(infra::sql::kOnly);
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

}  // namespace patra::simulation_test
