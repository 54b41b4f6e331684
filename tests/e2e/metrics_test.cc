// Measurements about records, harvested through the command line: items of their own, by identity what the provider says, proven
// like any other list.
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/value.h"
#include "boot/demo_source.h"
#include "boot/engine.h"
#include "sim/simulator.h"
#include "tests/e2e/patra_command.h"
#include "tests/raw_database.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::metrics_test {

using ::testing::HasSubstr;

class MetricsEndToEnd : public ::testing::Test {
 protected:
  void SetUp() override {
    begin_ = domain::FloorTo(clock_.Now(), std::chrono::seconds(1)) - std::chrono::days(60);
    auto simulator = sim::Simulator::Start({.seed = 5,
                                            .size = 450,
                                            .providers = {"rest"},
                                            .begin = begin_,
                                            .now = begin_ + std::chrono::days(60),
                                            .enforce_limits = false});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
  }

  testing::CommandAnswer Run(std::vector<std::string> arguments) {
    return testing::RunPatra(application_, clock_, stores_.At(folder_.Path("patra.db")),
                             std::move(arguments));
  }

  testing::CommandAnswer Work(const std::string& command, const std::string& endpoint,
                              std::vector<std::string> options = {}) {
    std::vector<std::string> arguments{
        command,           "sim-rest/" + endpoint,
        "--sources",       std::string(PATRA_SOURCE_DIR) + "/sources",
        "--set",           "http.base_url=" + simulator_->url(),
        "--set",           "window.start=" + FormatRfc3339(begin_),
        "--allow-loopback"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return Run(std::move(arguments));
  }

  std::int64_t Count(const std::string& sql) {
    const auto engine = boot::Engine::Open(
        {.database = stores_.At(folder_.Path("patra.db")), .allow_loopback = true}, clock_);
    EXPECT_TRUE(engine) << engine.error().Describe();
    return testing::DatabaseOf((*engine)->store())
        .Read([&](infra::sql::Session& connection) { return connection.Integer(sql); })
        .value_or(-1);
  }

  void ExpectTruth() {
    const auto engine = boot::Engine::Open(
        {.database = stores_.At(folder_.Path("patra.db")), .allow_loopback = true}, clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    const auto difference = boot::CompareWithTruth(
        *simulator_, (*engine)->store().read().items(), begin_, simulator_->WorldNow(),
        {.truth = "rest/usage", .provenance = "sim-rest", .endpoint = "usage"});
    ASSERT_TRUE(difference) << difference.error().Describe();
    EXPECT_TRUE(difference->empty()) << difference->missing << " missing, " << difference->wrong
                                     << " wrong, such as " << difference->first;
    EXPECT_GT(difference->truth, 100);
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  boot::Application application_;
  SystemClock clock_;
  Instant begin_;
  std::unique_ptr<sim::Simulator> simulator_;
};

TEST_F(MetricsEndToEnd, AreHarvestedProvenAndReadAgainWhenTheyHaveGrown) {
  const auto first = Work("harvest", "usage");
  ASSERT_EQ(first.code, 0) << first.out << first.err;
  ExpectTruth();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_plan_slice WHERE status_code <> 'SUCCEEDED'"), 0);
  EXPECT_EQ(Run({"verify", "sim-rest/usage"}).code, 0);
  EXPECT_EQ(Count("SELECT count(*) FROM v_ing_item WHERE endpoint_name <> 'usage'"), 0);
  const auto items = Count("SELECT count(*) FROM ing_item");

  simulator_->Advance(std::chrono::days(3));
  const auto second = Work("harvest", "usage", {"--again", "--from", FormatRfc3339(begin_)});
  ASSERT_EQ(second.code, 0) << second.out << second.err;
  ExpectTruth();
  EXPECT_GE(Count("SELECT count(*) FROM ing_item"), items) << "one item per record, not per look";
  EXPECT_LT(Count("SELECT count(*) FROM ing_item"), 2 * items);
}

TEST_F(MetricsEndToEnd, LeaveTheRecordsThatTheyAreAboutAlone) {
  ASSERT_EQ(Work("harvest", "items").code, 0);
  const auto records = Count("SELECT count(*) FROM v_ing_item WHERE endpoint_name = 'items'");
  const auto watermark = Count(
      "SELECT max(normalized_instant) FROM ing_cursor WHERE endpoint_name = 'items' AND "
      "operation_code = 'HARVEST'");
  ASSERT_GT(records, 100);
  ASSERT_EQ(Work("harvest", "usage").code, 0);
  ExpectTruth();
  EXPECT_EQ(Count("SELECT count(*) FROM v_ing_item WHERE endpoint_name = 'items'"), records);
  EXPECT_EQ(Count("SELECT max(normalized_instant) FROM ing_cursor WHERE endpoint_name = 'items' "
                  "AND operation_code = 'HARVEST'"),
            watermark);
}

TEST_F(MetricsEndToEnd, AreNotAskedForByIds) {
  const auto update = Work("update", "usage", {"--stale", "30d"});
  EXPECT_NE(update.code, 0);
  EXPECT_THAT(update.err, HasSubstr("no endpoint that gives records by their ids"));
}

}  // namespace patra::metrics_test
