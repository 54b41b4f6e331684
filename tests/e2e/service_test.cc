// `patra serve` from outside: a process, its store, its configuration and whoever supervises it.
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sim/simulator.h"
#include "tests/adapter/rest/raw_client.h"
#include "tests/child_process.h"
#include "tests/e2e/patra_command.h"
#include "tests/raw_server.h"
#include "tests/temporary_folder.h"
#include "tests/test_stores.h"

namespace patra::service_test {

using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 11 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
constexpr Duration kPatience = 60s;

constexpr const char* kDefinition = R"(source: served
name: served
extends: sim-rest
http: {{base_url: '{}', allow_http: true}}
paging: {{size: {}}}
window: {{start: 2025-11-01, width: 20d}}
limits: [{{rate: 500/s}}]
)";

// What systemd listens at.
class Supervision {
 public:
  explicit Supervision(const std::string& path)
      : socket_(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    EXPECT_EQ(bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
  }
  ~Supervision() { close(socket_); }
  Supervision(const Supervision&) = delete;
  Supervision& operator=(const Supervision&) = delete;

  // Everything that was told so far.
  const std::string& Heard() {
    std::array<char, 4096> buffer{};
    for (ssize_t got = 0; (got = recv(socket_, buffer.data(), buffer.size(), 0)) > 0;)
      heard_.append(buffer.data(), static_cast<std::size_t>(got)).push_back('\n');
    return heard_;
  }

 private:
  int socket_;
  std::string heard_;
};

class Service : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_.Path("sources"));
    std::filesystem::copy_file(PATRA_SOURCE_DIR "/sources/sim-rest.yaml",
                               folder_.Path("sources/sim-rest.yaml"));
    auto simulator = sim::Simulator::Start({.size = 600,
                                            .providers = {"rest"},
                                            .begin = kBegin,
                                            .now = kNow,
                                            .clock_offset = Duration::zero(),
                                            .late_by = Duration::zero(),
                                            .enforce_limits = false});
    ASSERT_TRUE(simulator) << simulator.error().Describe();
    simulator_ = *std::move(simulator);
    Define(50);
    Configure("service: {stop_within: 10s}\n");
  }
  void TearDown() override { unsetenv("NOTIFY_SOCKET"); }  // NOLINT(concurrency-mt-unsafe)

  void Define(int page_size) {
    std::ofstream(folder_.Path("sources/served.yaml"))
        << fmt::format(fmt::runtime(kDefinition), simulator_->url(), page_size);
  }
  // What a busy machine does to a store's answers is none of these tests' business.
  void Configure(const std::string& text) {
    std::ofstream(folder_.Path("patra.yaml")) << "heal: {store_wait_over: 1h}\n" << text;
  }

  std::string database() { return stores_.At(folder_.Path("patra.db")); }

  testing::ChildProcess Serve(const std::string& database,
                              const std::vector<std::string>& more = {},
                              const std::string& roles = "planner,executor") {
    std::vector<std::string> command{PATRA_PROGRAM,
                                     "serve",
                                     "--db",
                                     database,
                                     "--config",
                                     folder_.Path("patra.yaml"),
                                     "--sources",
                                     folder_.Path("sources"),
                                     "--allow-loopback",
                                     "--log-level",
                                     "info",
                                     "--roles",
                                     roles};
    command.insert(command.end(), more.begin(), more.end());
    auto child = testing::ChildProcess::Start(command, folder_.Path("log"));
    EXPECT_TRUE(child) << child.error().Describe();
    return *std::move(child);
  }

  std::string Log() const {
    std::ifstream stream(folder_.Path("log"), std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  bool Await(const std::function<bool()>& condition) {
    const auto until = clock_.Elapsed() + kPatience;
    while (clock_.Elapsed() < until) {
      if (condition()) return true;
      clock_.SleepFor(20ms);
    }
    return condition();
  }
  bool AwaitLog(const std::string& word, std::size_t times = 1) {
    return Await([&] {
      const auto log = Log();
      std::size_t found = 0;
      for (auto at = log.find(word); at != std::string::npos; at = log.find(word, at + 1)) ++found;
      return found >= times;
    });
  }

  // Once it listens.
  std::string AddressOfApi() {
    constexpr std::string_view kBefore = " at http://";
    EXPECT_TRUE(AwaitLog(std::string(kBefore))) << Log();
    const auto log = Log();
    const auto at = log.find(kBefore) + kBefore.size();
    return log.substr(at, log.find('\n', at) - at);
  }

  static std::string Ask(const std::string& address, const std::string& method,
                         const std::string& path, const std::string& body = {}) {
    testing::RawClient client(address);
    EXPECT_TRUE(
        client.Say(fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nContent-Type: "
                               "application/json\r\nContent-Length: {}\r\n\r\n{}",
                               method, path, address, body.size(), body)));
    return client.Hear();
  }

  int End(testing::ChildProcess& service, int signal = SIGTERM) {
    service.Signal(signal);
    return service.AwaitUntil(clock_.Elapsed() + kPatience).value_or(-1);
  }

  testing::CommandAnswer Plan() {
    return testing::RunPatra(
        application_, clock_, database(),
        {"plan", "harvest", "served/by-token", "--to", FormatRfc3339(kNow), "--sources",
         folder_.Path("sources"), "--config", folder_.Path("patra.yaml")});
  }

  std::int64_t Count(const std::string& sql) { return testing::CountIn(database(), sql, clock_); }

  testing::TemporaryFolder folder_;
  testing::TestStores stores_;
  std::unique_ptr<sim::Simulator> simulator_;
  boot::Application application_;
  SystemClock clock_;
};

TEST_F(Service, WorksOffWhatOthersPlanAndEndsWellWhenItIsToldTo) {
  auto service = Serve(database());
  ASSERT_TRUE(AwaitLog("service.begins")) << Log();
  const auto planned = Plan();
  ASSERT_EQ(planned.code, 0) << planned.err;
  EXPECT_TRUE(Await([&] {
    return Count("SELECT count(*) FROM ing_plan_slice") > 0 &&
           Count("SELECT count(*) FROM ing_plan_slice WHERE status_code <> 'SUCCEEDED'") == 0;
  })) << Log();
  const auto truth = simulator_->Truth("rest", kBegin, kNow);
  ASSERT_TRUE(truth) << truth.error().Describe();
  std::vector<std::string> ids;
  while (const auto entry = (*truth)->Next()) {
    if (!entry->deleted) ids.push_back(fmt::format("'{}'", entry->id));
  }
  const std::string living = "SELECT count(*) FROM ing_item WHERE deleted_at IS NULL";
  EXPECT_EQ(Count(living), std::ssize(ids));
  EXPECT_EQ(Count(fmt::format("{} AND provider_item_id IN ({})", living, fmt::join(ids, ","))),
            std::ssize(ids));
  EXPECT_EQ(End(service), 0) << Log();
  EXPECT_THAT(Log(), HasSubstr("service.ends"));
}

TEST_F(Service, WhatIsUnderWayWhenItEndsIsGivenBackForOthers) {
  Define(1);
  auto service = Serve(database(), {"--concurrency", "1"});
  ASSERT_TRUE(AwaitLog("service.begins")) << Log();
  ASSERT_EQ(Plan().code, 0);
  ASSERT_TRUE(AwaitLog("run.opened")) << Log();
  EXPECT_EQ(End(service), 0) << Log();
  EXPECT_EQ(Count("SELECT count(*) FROM ing_task WHERE lease_owner IS NOT NULL AND status_code IN "
                  "('DISPATCHED', 'EXECUTING')"),
            0);
}

TEST_F(Service, TellsItsSupervisorWhenItIsReadyAndWhenItEnds) {
  Supervision supervision(folder_.Path("notify"));
  setenv("NOTIFY_SOCKET", folder_.Path("notify").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  auto service = Serve(database());
  EXPECT_TRUE(Await([&] { return supervision.Heard().contains("READY=1"); })) << Log();
  EXPECT_EQ(End(service), 0);
  EXPECT_THAT(supervision.Heard(), HasSubstr("STOPPING=1"));
}

TEST_F(Service, AppliesDefinitionsWhenItBeginsAndWhenItIsTold) {
  auto service = Serve(database());
  ASSERT_TRUE(AwaitLog("service.begins")) << Log();
  const std::string sizes = "SELECT count(*) FROM reg_prov_pagination_cfg WHERE page_size_value = ";
  const auto before = Count(sizes + "50");
  EXPECT_GT(before, 0);
  Define(25);
  service.Signal(SIGHUP);
  ASSERT_TRUE(AwaitLog("service.reloaded")) << Log();
  EXPECT_GT(Count(sizes + "25"), 0);
  EXPECT_EQ(End(service), 0);
}

TEST_F(Service, GoesOnByTheConfigurationFromBeforeWhereTheNewOneIsWrong) {
  auto service = Serve(database());
  ASSERT_TRUE(AwaitLog("service.begins")) << Log();
  Configure("service: {concurrency: many}\n");
  service.Signal(SIGHUP);
  ASSERT_TRUE(AwaitLog("service.reload_refused")) << Log();
  ASSERT_EQ(Plan().code, 78) << "the command goes by the same file";
  Configure("service: {concurrency: 2}\n");
  service.Signal(SIGHUP);
  ASSERT_TRUE(AwaitLog("service.reloaded")) << Log();
  ASSERT_EQ(Plan().code, 0);
  EXPECT_TRUE(AwaitLog("slice.closed")) << Log();
  EXPECT_EQ(End(service, SIGINT), 0);
}

TEST_F(Service, SaysWhichSettingsOfANewConfigurationWantARestart) {
  auto service = Serve(database());
  ASSERT_TRUE(AwaitLog("service.begins")) << Log();
  Configure("database: elsewhere.db\nplan: {release: canary, open_tasks_max: 500}\n");
  service.Signal(SIGHUP);
  ASSERT_TRUE(AwaitLog("service.reloaded")) << Log();
  EXPECT_THAT(Log(), HasSubstr(R"("event":"service.reload_left")"));
  EXPECT_THAT(Log(), HasSubstr(R"("settings":"database,plan.release")"));
  EXPECT_EQ(End(service), 0) << Log();
}

TEST_F(Service, DoesNotGoByDefaultsWhereItsConfigurationIsGone) {
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder_.Path("."));
  auto service = testing::ChildProcess::Start(
      {PATRA_PROGRAM, "serve", "--db", database(), "--sources", folder_.Path("sources"),
       "--log-level", "info", "--roles", "planner"},
      folder_.Path("log"));
  std::filesystem::current_path(before);
  ASSERT_TRUE(service) << service.error().Describe();
  ASSERT_TRUE(AwaitLog("service.begins")) << Log();
  std::filesystem::remove(folder_.Path("patra.yaml"));
  service->Signal(SIGHUP);
  ASSERT_TRUE(AwaitLog("service.reload_refused")) << Log();
  EXPECT_THAT(Log(), HasSubstr("there is no patra.yaml any more"));
  EXPECT_EQ(End(*service), 0) << Log();
}

TEST_F(Service, HarvestsEverySourceByDefaultAndByTheJobsThatPeopleSet) {
  auto service = Serve(database(), {}, "scheduler,planner,executor");
  ASSERT_TRUE(AwaitLog("service.begins")) << Log();
  EXPECT_EQ(
      Count("SELECT count(*) FROM scheduler_job_config WHERE job_id IN ('served', 'sim-rest') "
            "AND origin_code = 'DEFAULT'"),
      2);
  const auto set = testing::RunPatra(
      application_, clock_, database(),
      {"schedule", "set", "soon", "--source", "served/by-token", "--cron", "* * * * * *", "--args",
       R"({"to": "2026-01-01T00:00:00Z"})", "--reason", "to see it fire", "--sources",
       folder_.Path("sources"), "--config", folder_.Path("patra.yaml")});
  ASSERT_EQ(set.code, 0) << set.err;
  EXPECT_TRUE(Await([&] {
    return Count(
               "SELECT count(*) FROM scheduler_execution_log WHERE job_id = 'soon' AND "
               "status_code = 'SUCCESS' AND inserted > 0") == 1;
  })) << Log();
  EXPECT_EQ(Count("SELECT max(inserted) FROM scheduler_execution_log"),
            Count("SELECT count(*) FROM ing_item"));
  EXPECT_EQ(
      Count("SELECT count(*) FROM scheduler_execution_log AS log JOIN ing_schedule_instance AS "
            "fired ON fired.id = log.schedule_instance_id WHERE log.inserted > 0 AND "
            "fired.scheduler_job_id = 'soon'"),
      1);
  EXPECT_EQ(End(service), 0) << Log();
}

TEST_F(Service, WhoLooksIsAnsweredFromTheReplica) {
  if (!stores_.are_on_a_server()) {
    auto service = Serve(database(), {"--db-read", "mysql://reader@replica/patra"}, "api");
    EXPECT_EQ(service.AwaitUntil(clock_.Elapsed() + kPatience), 78);
    EXPECT_THAT(Log(), HasSubstr("is no replica of"));
    return;
  }
  // It lags for ever: nothing of what happens comes there.
  const auto replica = stores_.At(folder_.Path("replica.db"));
  ASSERT_EQ(testing::RunPatra(application_, clock_, replica, {"db", "migrate"}).code, 0);
  const auto planned = Plan();
  ASSERT_EQ(planned.code, 0) << planned.err;
  auto service =
      Serve(database(), {"--listen", "127.0.0.1:0", "--db-read", replica}, "planner,api");
  const auto address = AddressOfApi();
  EXPECT_THAT(Ask(address, "GET", "/api/v1/plans"), HasSubstr(R"({"items":[],)"));
  EXPECT_THAT(Ask(address, "POST", "/api/v1/jobs/mine",
                  R"({"source":"served/by-token","cron":"30 2 * * *","reason":"to see it"})"),
              HasSubstr(R"("job":"mine")"))
      << "what changes is done, and shown, where it belongs";
  EXPECT_EQ(Count("SELECT count(*) FROM scheduler_job_config WHERE job_id = 'mine'"), 1);
  EXPECT_TRUE(Await([&] { return Ask(address, "GET", "/readyz").contains("200 OK"); })) << Log();
  EXPECT_EQ(End(service), 0) << Log();
}

TEST_F(Service, AnswersOverHttpAndSaysWhatItCounted) {
  auto service = Serve(database(), {"--listen", "127.0.0.1:0"}, "planner,executor,api");
  const auto address = AddressOfApi();
  EXPECT_THAT(Ask(address, "GET", "/healthz"), HasSubstr("200 OK"));
  EXPECT_TRUE(Await([&] { return Ask(address, "GET", "/readyz").contains("200 OK"); })) << Log();
  const auto planned =
      Ask(address, "POST", "/api/v1/harvests",
          R"({"source":"served/by-token","to":"2026-01-01","reason":"to see it"})");
  EXPECT_THAT(planned, HasSubstr("CREATED"));
  EXPECT_TRUE(AwaitLog("cursor.moved")) << Log();
  EXPECT_TRUE(Await([&] {
    const auto metrics = Ask(address, "GET", "/metrics");
    return metrics.contains("patra_ingest_batches_total{") &&
           metrics.contains("patra_executors_alive 1");
  }));
  EXPECT_THAT(Ask(address, "GET", "/metrics"), HasSubstr("patra_build_info{version="));
  EXPECT_EQ(End(service), 0) << Log();
}

TEST_F(Service, AnAddressThatSomebodyListensAtEndsItWithWhatIsWrong) {
  const testing::RawServer taken("");
  auto service =
      Serve(database(), {"--listen", taken.url().substr(7, taken.url().size() - 8)}, "api");
  const auto code = service.AwaitUntil(clock_.Elapsed() + kPatience);
  EXPECT_TRUE(code && *code != 0) << Log();
  EXPECT_THAT(Log(), HasSubstr(taken.url().substr(7, taken.url().size() - 8)));
}

TEST_F(Service, ABadDefinitionIsToldAndKeepsNoOtherBack) {
  std::ofstream(folder_.Path("sources/broken.yaml")) << "source: broken\nname: [\n";
  auto service = Serve(database());
  ASSERT_TRUE(AwaitLog("service.begins")) << Log();
  EXPECT_THAT(Log(), HasSubstr("definition.refused"));
  ASSERT_EQ(Plan().code, 0);
  EXPECT_TRUE(AwaitLog("slice.closed")) << Log();
  EXPECT_EQ(End(service), 0);
}

TEST_F(Service, AStoreThatIsAwayAtTheStartIsWaitedForAndTheWaitCanBeEnded) {
  Supervision supervision(folder_.Path("notify"));
  setenv("NOTIFY_SOCKET", folder_.Path("notify").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  // Nobody listens there.
  auto service = Serve("mysql://nobody@127.0.0.1:1/none");
  ASSERT_TRUE(AwaitLog("service.waits_for_store")) << Log();
  EXPECT_TRUE(Await([&] { return supervision.Heard().contains("waits for the store"); }));
  EXPECT_THAT(supervision.Heard(), Not(HasSubstr("READY=1")));
  EXPECT_EQ(End(service), 0) << Log();
}

TEST_F(Service, ProbesAreAnsweredWhileTheStoreIsWaitedFor) {
  auto service =
      Serve("mysql://nobody@127.0.0.1:1/none", {"--listen", "127.0.0.1:0"}, "executor,api");
  ASSERT_TRUE(AwaitLog("service.waits_for_store")) << Log();
  constexpr std::string_view kBefore = R"("url":"http://)";
  const auto log = Log();
  const auto at = log.find(kBefore);
  ASSERT_NE(at, std::string::npos) << log;
  const auto begin = at + kBefore.size();
  const auto address = log.substr(begin, log.find('"', begin) - begin);
  EXPECT_THAT(Ask(address, "GET", "/healthz"), HasSubstr("200 OK"));
  EXPECT_THAT(Ask(address, "GET", "/readyz"),
              ::testing::AllOf(HasSubstr("503 "), HasSubstr(R"("reasons":["store: )")));
  EXPECT_THAT(Ask(address, "POST", "/api/v1/harvests", R"({"source":"served"})"),
              ::testing::AllOf(HasSubstr("503 "), HasSubstr("Retry-After: ")));
  EXPECT_EQ(End(service), 0) << Log();
}

TEST_F(Service, GoesOnByTheConfigurationFromBeforeWhereTheNewOneCannotBeGoneBy) {
  auto service = Serve(database(), {"--listen", "127.0.0.1:0"}, "planner,api");
  AddressOfApi();
  Configure("service: {certificate: nowhere.pem, key: nowhere.pem}\n");
  service.Signal(SIGHUP);
  ASSERT_TRUE(AwaitLog("service.reload_failed")) << Log();
  Configure("service: {stop_within: 10s}\n");
  service.Signal(SIGHUP);
  ASSERT_TRUE(AwaitLog("service.reloaded")) << Log();
  // Who asks for the end while another configuration is read is heard, and nothing is killed.
  service.Signal(SIGHUP);
  EXPECT_EQ(End(service), 0) << Log();
}

TEST_F(Service, IsNotReadyWhileTheMachineThatServesItsDefinitionsIsAway) {
  Configure("plan: {registry: 'http://127.0.0.1:1'}\n");
  auto service = Serve(database(), {"--listen", "127.0.0.1:0"}, "planner,api");
  const auto address = AddressOfApi();
  ASSERT_TRUE(AwaitLog(R"("part":"registry")")) << Log();
  EXPECT_THAT(Ask(address, "GET", "/readyz"),
              ::testing::AllOf(HasSubstr("503 "), HasSubstr(R"("registry: )")));
  EXPECT_EQ(End(service), 0) << Log();
}

TEST_F(Service, ARoleThatNobodyHasIsRefusedWithWhatMayBeMeant) {
  auto service = Serve(database(), {}, "executer");
  EXPECT_EQ(service.AwaitUntil(clock_.Elapsed() + kPatience), 78);
  EXPECT_THAT(Log(), HasSubstr("did you mean 'executor'?"));
}

}  // namespace patra::service_test
