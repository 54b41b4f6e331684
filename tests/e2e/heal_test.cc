// Trouble from its first sign to its end, against the simulator.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "boot/demo_source.h"
#include "boot/engine.h"
#include "sim/simulator.h"
#include "tests/e2e/sim_rest.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"
#include "tests/world_clock.h"

namespace patra::heal_test {

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 10 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

TEST(Heal, AChangedResponseStopsTheSourceAndIsOnePieceOfNews) {
  testing::TemporaryFolder folder;
  testing::TestStores stores;
  auto simulator = sim::Simulator::Start({.seed = 9,
                                          .size = 500,
                                          .providers = {"rest"},
                                          .begin = kBegin,
                                          .now = kNow,
                                          .late_by = boot::kDemoLatestArrival,
                                          .enforce_limits = false});
  ASSERT_TRUE(simulator) << simulator.error().Describe();
  testing::WorldClock clock(**simulator);
  const auto engine = boot::Engine::Open(
      {.database = stores.At(folder.Path("patra.db")), .allow_loopback = true}, clock);
  ASSERT_TRUE(engine);
  auto changed = testing::SimRest("items", (*simulator)->url(), kBegin);
  changed.fields.push_back({.name = "gone", .path = "$.no_such_member", .required = true});
  const auto run = [&](const domain::SpecSnapshot& spec) {
    return testing::Harvest(**engine, {.spec = spec}, {.workers = 0});
  };
  const auto summary = run(changed);
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_EQ(summary->work.failed, 1) << "the first page is enough";
  ASSERT_TRUE(summary->work.first_error);
  EXPECT_THAT(summary->work.first_error->message, ::testing::HasSubstr("$.no_such_member"));
  EXPECT_THAT(summary->work.first_error->message, ::testing::HasSubstr("id"));
  const auto count = [&](const std::string& sql) {
    return testing::DatabaseOf((*engine)->store())
        .Read([&](infra::sql::Session& connection) { return connection.Integer(sql); })
        .value_or(-1);
  };
  EXPECT_EQ(count("SELECT count(*) FROM ing_quarantine"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM ing_quarantine WHERE level_code = 'BATCH'"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM ing_fuse WHERE status_code = 'BLOWN'"), 1);
  EXPECT_EQ(count("SELECT count(*) FROM ing_item"), 0);
}

// Every page but the last has its slice cut, as long as it can be: whatever the reason, the
// children tile the rest (I3) and the watermark ends where it would have (I4).
class Recut : public ::testing::TestWithParam<const char*> {};

TEST_P(Recut, LosesNothingHoweverOftenSlicesAreCut) {
  testing::TemporaryFolder folder;
  testing::TestStores stores;
  auto simulator = sim::Simulator::Start({.seed = 11,
                                          .size = 1'500,
                                          .providers = {"rest"},
                                          .begin = kBegin,
                                          .now = kNow,
                                          .late_by = boot::kDemoLatestArrival,
                                          .enforce_limits = false});
  ASSERT_TRUE(simulator) << simulator.error().Describe();
  testing::WorldClock clock(**simulator);
  const auto engine = boot::Engine::Open({.database = stores.At(folder.Path("patra.db")),
                                          .allow_loopback = true,
                                          .execute = {.recut = {.slice_time_max = Duration(-1)}}},
                                         clock);
  ASSERT_TRUE(engine);
  auto spec = testing::SimRest(GetParam(), (*simulator)->url(), kBegin);
  spec.window.width = spec.window.width_max = std::chrono::days(30);
  const auto summary = testing::Harvest(**engine, {.spec = spec}, {.workers = 0});
  ASSERT_TRUE(summary) << summary.error().Describe();
  EXPECT_GT(summary->work.recut, 2);
  EXPECT_EQ(summary->work.failed, 0);
  EXPECT_EQ(summary->work.left, 0);
  ASSERT_TRUE(summary->watermark);
  EXPECT_GT(*summary->watermark, kNow - std::chrono::hours(24));
  const auto difference = boot::CompareWithTruth(
      **simulator, (*engine)->store().read().items(), kBegin, *summary->watermark,
      {.provenance = "sim-rest", .endpoint = GetParam()});
  ASSERT_TRUE(difference);
  EXPECT_TRUE(difference->empty()) << difference->missing << " missing, " << difference->wrong
                                   << " wrong, such as " << difference->first;
}

INSTANTIATE_TEST_SUITE_P(OfEveryStyle, Recut,
                         ::testing::Values("items", "by-offset", "by-token", "by-url"),
                         [](const auto& endpoint) {
                           std::string name = endpoint.param;
                           std::erase(name, '-');
                           return name;
                         });

}  // namespace patra::heal_test
