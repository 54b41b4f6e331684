// Providers and stores that hold what nobody expects. Whatever one source does or suffers, its own tasks are closed with
// a reason and an alert, and the other sources are harvested as if nothing had happened.
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <latch>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/plan/plan_harvest.h"
#include "app/source/sources.h"
#include "boot/engine.h"
#include "infra/definitions/yaml_files.h"
#include "infra/sqlite/connection.h"
#include "tests/loopback_server.h"
#include "tests/raw_database.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::hostile_test {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

constexpr const char* kDefinition = R"yaml(
source: {0}
name: One of two
http: {{base_url: "{1}", allow_http: true}}
limits: [{{rate: 1000/s}}]
retry: {{attempts: 2, first: 1ms, most: 2ms}}
endpoints:
  items:
    request:
      path: /{0}
      query: {{from: "${{window.from}}", to: "${{window.to}}", token: "${{page.token}}"}}
    paging: {2}
    window: {{by: updated, start: 2026-01-01, granularity: microsecond, safety_lag: 1s, width: 20d..30d}}
    response: {{items: $.items, id: $.id, updated: $.updated}}
    fields: {{title: $.title}}
)yaml";

// Sleeping costs nothing, unless several threads sleep and none may run ahead of the others.
class SkippingClock final : public Clock {
 public:
  Instant Now() const override {
    return Instant(std::chrono::sys_days{std::chrono::year{2026} / 1 / 20}) + Elapsed();
  }
  Duration Elapsed() const override { return real_.Elapsed() + Duration(slept_.load()); }
  void SleepFor(Duration duration) override {
    if (sleeps) return real_.SleepFor(duration);
    slept_ += duration.count();
  }

  bool sleeps = false;

 private:
  SystemClock real_;
  std::atomic<Duration::rep> slept_{0};
};

std::string Page(const std::string& id, const std::string& next = "") {
  return fmt::format(
      R"({{"items":[{{"id":"{}","updated":"2026-01-02T00:00:00Z","title":"t"}}]{}}})", id,
      next.empty() ? "" : fmt::format(R"(,"next":"{}")", next));
}

// Two pages of the same moment, for those who ask for it.
std::string AnswerOfGood(const std::string& query) {
  const auto value = [&](std::string_view name) {
    const auto at = query.find(name);
    return at == std::string::npos ? std::string() : query.substr(at + name.size(), 23);
  };
  const std::string moment = "2026-01-02T00%3A00%3A00";
  if (value("from=") > moment || value("to=") <= moment) return R"({"items":[]})";
  return query.find("token=2") == std::string::npos ? Page("a", "2") : Page("b");
}

class Hostile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.Path("sources"));
    auto engine = boot::Engine::Open(
        {.database = stores_.At(folder_.Path("patra.db")), .allow_loopback = true}, clock_);
    ASSERT_TRUE(engine) << engine.error().Describe();
    engine_ = *std::move(engine);
  }

  domain::SpecSnapshot Spec(const std::string& source, const std::string& paging) {
    std::ofstream(folder_.Path("sources/" + source + ".yaml"))
        << fmt::format(fmt::runtime(kDefinition), source, server_.url(), paging);
    infra::definitions::YamlFiles files;
    const auto compiled = app::Sources(files, folder_.Path("sources")).Compile(source, {});
    EXPECT_TRUE(compiled && compiled->problems.empty())
        << (compiled ? compiled->problems.front().Describe() : compiled.error().Describe());
    return *domain::SpecSnapshot::FromValue(*ParseJson(compiled->snapshot));
  }

  // Both are planned, then something may happen to the store, and one executor works off what there is.
  app::WorkSummary PlanAndWork(const std::string& paging = "{style: token, next: $.next}",
                               const std::string& accident = "") {
    app::PlanHarvest planner(engine_->plan_ports());
    for (const auto* source : {"bad", "good"}) {
      const auto planned =
          planner.Run({.spec = Spec(source, std::string_view(source) == "bad"
                                                ? paging
                                                : "{style: token, next: $.next}")});
      EXPECT_TRUE(planned) << planned.error().Describe();
    }
    if (!accident.empty()) {
      const auto done =
          testing::DatabaseOf(engine_->store()).Write([&](infra::sql::Session& connection) {
            return connection.Execute(accident);
          });
      EXPECT_TRUE(done) << done.error().Describe();
    }
    const auto worked =
        engine_->work().Run({.workers = workers_, .patience = 1h}, [](const auto&) {});
    EXPECT_TRUE(worked) << "the executor ended: " << worked.error().Describe();
    return worked.value_or(app::WorkSummary{});
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
  std::int64_t Count(const std::string& sql) {
    return testing::DatabaseOf(engine_->store())
        .Read([&](infra::sql::Session& connection) { return connection.Integer(sql); })
        .value_or(-1);
  }
  std::string StatusOf(const std::string& source) {
    return Text("SELECT status_code FROM ing_task WHERE provenance_code = '" + source + "'");
  }
  std::string ErrorOf(const std::string& source) {
    return Text("SELECT last_error_msg FROM ing_task WHERE provenance_code = '" + source + "'");
  }
  std::string Alerts() {
    return Text("SELECT group_concat(message, ' | ') FROM ing_alert WHERE provenance_code = 'bad'");
  }

  void ExpectOnlyItsOwnTaskGivenUp(const std::string& reason) {
    EXPECT_EQ(StatusOf("bad"), "FAILED");
    EXPECT_THAT(ErrorOf("bad"), HasSubstr(reason));
    EXPECT_THAT(Alerts(), HasSubstr("given up"));
    EXPECT_EQ(Text("SELECT status_code FROM ing_plan_slice WHERE provenance_code = 'bad'"),
              "FAILED");
    EXPECT_EQ(StatusOf("good"), "SUCCEEDED") << ErrorOf("good");
    EXPECT_EQ(Count("SELECT count(*) FROM v_ing_item WHERE provenance_code = 'good'"), 2);
  }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::function<std::string(const sim::Request&)> bad_ = [](const auto&) { return Page("a"); };
  std::function<void()> before_good_ = [] {};
  int workers_ = 0;
  testing::LoopbackServer server_{[this](const sim::Request& request, sim::Response& response) {
    response.content_type = "application/json";
    if (request.path == "/bad") {
      response.body = bad_(request);
    } else {
      before_good_();
      response.body = AnswerOfGood(request.query);
    }
  }};
  SkippingClock clock_;
  std::unique_ptr<boot::Engine> engine_;
};

// Each waits until the other was asked, so one worker alone would see neither through.
TEST_F(Hostile, AProviderThatHoldsEveryWorkerKeepsNobodyElseWaiting) {
  std::latch both(2);
  std::once_flag bad_asked;
  std::once_flag good_asked;
  std::atomic<int> in_vain = 0;
  const auto meet = [&](std::once_flag& asked) {
    std::call_once(asked, [&] { both.count_down(); });
    const auto give_up_at = std::chrono::steady_clock::now() + 15s;
    while (!both.try_wait() && std::chrono::steady_clock::now() < give_up_at)
      std::this_thread::sleep_for(1ms);
    if (!both.try_wait()) ++in_vain;
  };
  bad_ = [&](const auto&) {
    meet(bad_asked);
    return Page("a");
  };
  before_good_ = [&] { meet(good_asked); };
  workers_ = 1;
  clock_.sleeps = true;
  PlanAndWork();
  EXPECT_EQ(in_vain, 0);
  EXPECT_EQ(StatusOf("good"), "SUCCEEDED");
  EXPECT_EQ(StatusOf("bad"), "SUCCEEDED");
}

TEST_F(Hostile, ATokenOfSeventyThousandBytesClosesItsOwnTask) {
  bad_ = [](const auto&) { return Page("a", std::string(70'000, 't')); };
  PlanAndWork();
  ExpectOnlyItsOwnTaskGivenUp("70000 bytes");
}

TEST_F(Hostile, ALinkOfSeventyThousandBytesClosesItsOwnTask) {
  bad_ = [this](const auto&) {
    return Page("a", server_.url("/bad?x=") + std::string(70'000, 'l'));
  };
  PlanAndWork("{style: url, next: $.next}");
  ExpectOnlyItsOwnTaskGivenUp("bytes");
}

TEST_F(Hostile, TokensInACircleCloseTheirOwnTask) {
  std::atomic<int> pages = 0;
  bad_ = [&](const auto&) {
    const int page = ++pages;
    return Page(fmt::format("record-{}", page), fmt::format("token-{}", page % 3));
  };
  PlanAndWork();
  ExpectOnlyItsOwnTaskGivenUp("circle");
}

TEST_F(Hostile, AnIdOfSeventyThousandBytesIsABadRecord) {
  bad_ = [](const auto&) {
    auto page = *ParseJson(Page("a"));
    page["items"].AsArray()->push_back(Value::Object{
        {"id", std::string(70'000, 'i')}, {"updated", "2026-01-02T00:00:00Z"}, {"title", "t"}});
    return PrintJson(page);
  };
  PlanAndWork();
  EXPECT_EQ(Count("SELECT count(*) FROM v_ing_item WHERE provenance_code = 'bad'"), 1);
  EXPECT_THAT(Text("SELECT reason FROM ing_quarantine WHERE provenance_code = 'bad'"),
              HasSubstr("70000 bytes"));
  EXPECT_EQ(StatusOf("good"), "SUCCEEDED");
}

TEST_F(Hostile, ADamagedSnapshotClosesItsOwnTask) {
  PlanAndWork(
      "{style: token, next: $.next}",
      "UPDATE ing_plan SET expr_proto_snapshot = '{\"broken' WHERE provenance_code = 'bad'");
  ExpectOnlyItsOwnTaskGivenUp("JSON");
}

TEST_F(Hostile, ASnapshotThatIsNoneClosesItsOwnTask) {
  PlanAndWork("{style: token, next: $.next}",
              "UPDATE ing_plan SET expr_proto_snapshot = '[]' WHERE provenance_code = 'bad'");
  ExpectOnlyItsOwnTaskGivenUp("");
}

TEST_F(Hostile, ADamagedSliceClosesItsOwnTask) {
  PlanAndWork("{style: token, next: $.next}",
              "UPDATE ing_plan_slice SET slice_spec = 'x' WHERE provenance_code = 'bad'");
  ExpectOnlyItsOwnTaskGivenUp("the slice cannot be read");
}

TEST_F(Hostile, ATaskThatWasClaimedAgainAndAgainForNothingIsGivenUp) {
  PlanAndWork("{style: token, next: $.next}",
              "UPDATE ing_task SET fruitless_claims = 20 WHERE provenance_code = 'bad'");
  ExpectOnlyItsOwnTaskGivenUp("claimed 20 times");
  EXPECT_EQ(Count("SELECT fruitless_claims FROM ing_task WHERE provenance_code = 'good'"), 0);
}

TEST_F(Hostile, APageOfVeryManyRecordsClosesItsOwnTask) {
  std::string page = R"({"items":[{})";
  for (int i = 0; i < 300'000; ++i) page += ",{}";
  page += "]}";
  bad_ = [&](const auto&) { return page; };
  PlanAndWork();
  ExpectOnlyItsOwnTaskGivenUp("more than 250000 records");
}

}  // namespace patra::hostile_test
