// Harvests the simulator, then asks the store everything that people ask, through the command line.
#include <fstream>
#include <iterator>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/value.h"
#include "boot/demo_source.h"
#include "boot/engine.h"
#include "tests/e2e/patra_command.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::read_side_test {

using ::testing::HasSubstr;

class ReadSideEndToEnd : public ::testing::Test {
 protected:
  struct Answer {
    int code;
    std::string out;
    std::string err;

    std::vector<Value> Lines() const {
      std::vector<Value> lines;
      std::istringstream stream(out);
      for (std::string line; std::getline(stream, line);) lines.push_back(*ParseJson(line));
      return lines;
    }
  };

  Answer Ask(std::vector<std::string> arguments) {
    const auto [code, out, err] =
        testing::RunPatra(application_, clock_, database_, std::move(arguments));
    return {code, out, err};
  }

  static std::string TextOf(const Value& object, std::string_view name) {
    const auto* member = object.Find(name);
    return member != nullptr && member->AsString() != nullptr ? *member->AsString() : "";
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::string database_ = stores_.At(folder_.Path("patra.db"));
  boot::Application application_;
  SystemClock clock_;
};

TEST_F(ReadSideEndToEnd, EverythingThatWasHarvestedCanBeSeenProvenAndTakenOut) {
  const auto demo = application_.Demo({.database = database_, .records = 1500},
                                      [](const auto&, const auto&, auto) {});
  ASSERT_TRUE(demo) << demo.error().Describe();

  const auto status = Ask({"status", "--json"});
  EXPECT_EQ(status.code, 0);
  const auto lines = status.Lines();
  const auto& endpoint = lines.at(0).Find("endpoints")->AsArray()->at(0);
  EXPECT_EQ(TextOf(endpoint, "source"), "demo");
  EXPECT_EQ(*endpoint.Find("slicesFailed")->AsInteger(), 0);

  const auto verify = Ask({"verify", "demo/items", "--json"});
  EXPECT_EQ(verify.code, 0) << verify.out;
  EXPECT_EQ(*verify.Lines().at(0).Find("complete")->AsBool(), true);
  EXPECT_EQ(Ask({"verify", "demo", "--from", "2001"}).code, 1) << "nobody planned 2001";

  const auto plans = Ask({"plan", "list", "--json"}).Lines();
  ASSERT_EQ(plans.size(), 2u);
  for (const auto* kind : {"slice", "task", "run", "batch", "cursor"}) {
    const auto rows = Ask({kind, "list", "--json", "--limit", "5"}).Lines();
    ASSERT_FALSE(rows.empty()) << kind;
    const auto id = TextOf(rows[0], "id");
    EXPECT_THAT(Ask({kind, "show", id}).out, HasSubstr("demo")) << kind;
    EXPECT_EQ(Ask({kind, "timeline", id}).code, 0) << kind;
  }
  EXPECT_THAT(Ask({"plan", "timeline", TextOf(plans[1], "id")}).out, HasSubstr("cursor moved"));

  const auto items = Ask({"items", "export", "--with-deleted"}).Lines();
  EXPECT_EQ(static_cast<std::int64_t>(items.size()), demo->stages.back().truth);
  const auto id = TextOf(items[0], "id");
  EXPECT_THAT(Ask({"items", "show", id}).out, HasSubstr("title"));
  const auto why = Ask({"items", "why", id, "--json"}).Lines().at(0);
  EXPECT_EQ(TextOf(*why.Find("trigger"), "source"), "demo");
  EXPECT_THAT(TextOf(*why.Find("batch")->Find("request"), "urlTemplate"),
              HasSubstr("/rest/page/items"));

  const auto file = folder_.Path("items.csv");
  EXPECT_EQ(Ask({"items", "export", "--format", "csv", "--out", file, "--with-deleted"}).code, 0);
  std::ifstream stream(file, std::ios::binary);
  std::string header;
  std::getline(stream, header);
  EXPECT_EQ(header,
            "source,endpoint,id,updatedAt,deletedAt,mergedInto,title,authors,year,kind,abstract\r");

  const auto engine = boot::Engine::Open({.database = database_, .allow_loopback = true}, clock_);
  ASSERT_TRUE(engine);
  const auto titles =
      testing::DatabaseOf((*engine)->store()).Read([](infra::sql::Session& connection) {
        return connection.Integer("SELECT count(title) FROM v_demo_items WHERE year > 0");
      });
  ASSERT_TRUE(titles) << titles.error().Describe();
  EXPECT_EQ(*titles, static_cast<std::int64_t>(Ask({"items", "export"}).Lines().size()));
}

TEST_F(ReadSideEndToEnd, AProviderThatIsGoneLeavesNamedGapsAndTasksToQueueAgain) {
  const auto begin = clock_.Now() - std::chrono::days(60);
  {
    const auto engine = boot::Engine::Open(
        {.database = database_, .allow_loopback = true, .execute = {.failures_max = 1}}, clock_);
    ASSERT_TRUE(engine);
    auto spec = boot::DemoSource("http://127.0.0.1:1", begin);
    // One slice, whose failures neither open the breaker nor use up the retries of others: nothing waits.
    spec.retry.circuit_failures_max = 1'000;
    spec.window.width = spec.window.width_max = std::chrono::days(90);
    const auto summary = testing::Harvest(**engine, {.spec = std::move(spec)}, {.workers = 0});
    ASSERT_TRUE(summary) << summary.error().Describe();
    ASSERT_FALSE(summary->complete());
  }
  const auto verify = Ask({"verify", "demo"});
  EXPECT_EQ(verify.code, 1);
  EXPECT_THAT(verify.out, HasSubstr("failed: "));
  EXPECT_THAT(verify.out, HasSubstr("patra task requeue "));
  EXPECT_THAT(Ask({"status"}).out, HasSubstr("broken   demo/items"));

  const auto failed = Ask({"task", "list", "--status", "failed", "--json"}).Lines();
  ASSERT_FALSE(failed.empty());
  const auto task = TextOf(failed[0], "id");
  EXPECT_EQ(Ask({"task", "requeue", task, "--reason", "it is back"}).code, 0);
  EXPECT_EQ(Ask({"task", "requeue", task, "--reason", "again"}).code, 1) << "it is queued already";
  EXPECT_THAT(Ask({"task", "timeline", task}).out, HasSubstr("it is back"));
  EXPECT_THAT(Ask({"verify", "demo"}).out, HasSubstr("not finished: the slice is READY"));
}

TEST_F(ReadSideEndToEnd, AWatermarkIsSetByHandAndTheReasonIsKept) {
  ASSERT_TRUE(application_.Demo({.database = database_, .records = 200},
                                [](const auto&, const auto&, auto) {}));
  EXPECT_EQ(
      Ask({"cursor", "set", "demo/items", "2025-03-01", "--reason", "read spring again"}).code, 0);
  const auto cursor = Ask({"cursor", "list", "--json"}).Lines().at(0);
  EXPECT_EQ(TextOf(cursor, "value"), "2025-03-01T00:00:00Z");
  EXPECT_THAT(Ask({"cursor", "show", TextOf(cursor, "id")}).out, HasSubstr("read spring again"));
  EXPECT_THAT(Ask({"cursor", "timeline", TextOf(cursor, "id")}).out, HasSubstr("MANUAL"));
  EXPECT_EQ(Ask({"cursor", "set", "demo/items", "soon", "--reason", "r"}).code, 78);
  EXPECT_EQ(Ask({"verify", "demo"}).code, 1) << "what lies after it is to be read again";
}

TEST_F(ReadSideEndToEnd, AStoreThatIsNotThereIsSaidSo) {
  const auto answer = Ask({"status"});
  EXPECT_EQ(answer.code, 1);
  EXPECT_THAT(answer.err, HasSubstr("there is no "));
}

}  // namespace patra::read_side_test
