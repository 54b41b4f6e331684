// Several executors harvest into a MariaDB that is killed without warning, paused and shut down while they work. They go on by
// themselves, nobody hangs, and afterwards every record is there once, told once, and every slice balances. Told to stop while
// the server is away, an executor ends.
//
// Or the executors are as if on machines of their own, with a Redis that counts their requests: they are paused for longer than
// their leases, and cut off from the server while they reach the provider. What they do late comes to nothing.
//
// Or the server is a Galera cluster of three nodes: its writer is lost, and the endpoint moves to another node.
//
//   patra_lose_server --programs DIR [--executors | --galera] [--seconds N] [--seed N]
//
// Without seconds, a short one.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <list>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "base/random.h"
#include "base/time.h"
#include "base/value.h"
#include "boot/demo_source.h"
#include "boot/open_store.h"
#include "sim/simulator.h"
#include "tests/child_process.h"
#include "tests/galera_cluster.h"
#include "tests/infra/mysql/cutting_proxy.h"
#include "tests/mariadb_server.h"
#include "tests/raw_database.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using testing::ChildProcess;
using testing::MariadbServer;

constexpr int kExecutors = 3;
constexpr int kComplete = 0;
constexpr int kTerminated = 143;
constexpr Duration kHarvestTakesMax = 150s;
constexpr Duration kStopTakesMax = 15s;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 11 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
constexpr auto kLater = std::chrono::days(15);

// How much of it.
struct Extent {
  std::int64_t records;
  int faults_max;  // in one harvest; and two more, while an executor is told to stop
};
constexpr Extent kShort{.records = 2'000, .faults_max = 3};
constexpr Extent kLong{.records = 3'000, .faults_max = 9};

// So slow that several faults fall into one harvest.
constexpr const char* kDefinition = R"(source: played
name: played
extends: sim-rest
http: {{base_url: '{}', allow_http: true}}
paging: {{size: 20}}
window: {{width: 3d}}
limits: [{{rate: 25/s}}]
)";
constexpr const char* kLimit = R"([{"kind":"sliding","scope":"ip","count":25,"window":"1s"}])";

constexpr std::string_view kUnbalanced = R"sql(
    SELECT count(*) FROM ing_plan_slice AS slice
    WHERE (received <> inserted + updated + unchanged + stale + quarantined + filtered OR status_code <> 'SUCCEEDED'
           OR announced <> received)
      AND NOT EXISTS (SELECT 1 FROM ing_plan_slice AS child WHERE child.parent_slice_id = slice.id))sql";
constexpr std::string_view kTwice = R"sql(
    SELECT count(*) FROM (SELECT provider_item_id FROM ing_item GROUP BY provider_item_id
                          HAVING count(*) > 1) AS twice)sql";
// What the rollup counts beside what is there.
constexpr std::string_view kRolledUpWrongly = R"sql(
    SELECT abs((SELECT coalesce(sum(batches), 0) FROM ing_batch_rollup WHERE status_code = 'SUCCEEDED') -
               (SELECT count(*) FROM ing_task_run_batch WHERE status_code = 'SUCCEEDED')) +
           abs((SELECT coalesce(sum(records), 0) FROM ing_batch_rollup WHERE status_code = 'SUCCEEDED') -
               (SELECT coalesce(sum(record_count), 0) FROM ing_task_run_batch WHERE status_code = 'SUCCEEDED')) +
           abs((SELECT coalesce(sum(inserted), 0) FROM ing_batch_rollup) - (SELECT count(*) FROM ing_item)))sql";

std::string Tail(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  return text.size() > 3000 ? text.substr(text.size() - 3000) : text;
}

enum class Fault { kKilled, kPaused, kShutDown, kExecutorPaused, kExecutorCutOff };
constexpr auto kOfTheServer =
    std::to_array<Fault>({Fault::kKilled, Fault::kPaused, Fault::kShutDown});
constexpr auto kOfExecutors =
    std::to_array<Fault>({Fault::kExecutorPaused, Fault::kExecutorCutOff});

// What all harvests share.
struct World {
  std::string programs;
  MariadbServer& server;
  std::string gate;  // a Redis; empty: a file
  Extent extent;
};

// On a port that nobody had a moment ago. Keeps nothing.
Result<ChildProcess> StartRedis(const testing::TemporaryFolder& folder, unsigned& port) {
  {
    const testing::CuttingProxy free(0);
    port = free.port();
  }
  // The server is in redis-tools under another name, and goes by the one that it is called by.
  std::filesystem::create_symlink("/usr/bin/redis-check-rdb", folder.Path("redis-server"));
  return ChildProcess::Start({folder.Path("redis-server"), "--port", fmt::to_string(port), "--bind",
                              "127.0.0.1", "--dir", folder.Path("."), "--save", "", "--logfile",
                              "log"});
}

class Harvest {
 public:
  static Result<int> Run(const World& world, std::uint64_t seed) {
    auto simulator = PATRA_TRY(sim::Simulator::Start({.seed = seed,
                                                      .size = world.extent.records,
                                                      .providers = {"rest"},
                                                      .begin = kBegin,
                                                      .now = kNow,
                                                      // The programs go by real time.
                                                      .clock_offset = Duration::zero(),
                                                      .late_by = Duration::zero()}));
    PATRA_TRY(simulator->SetLimits("rest", *ParseJson(kLimit)));
    Harvest harvest(world, seed, std::move(simulator));
    const auto done = harvest.All();
    if (done) return harvest.faults_;
    return Fail(ErrorCode::kCorruption,
                fmt::format("seed {}, {} faults: {}\n{}", seed, harvest.faults_,
                            done.error().Describe(), Tail(harvest.log_)));
  }

 private:
  Harvest(const World& world, std::uint64_t seed, std::unique_ptr<sim::Simulator> simulator)
      : world_(world),
        simulator_(std::move(simulator)),
        random_(seed),
        database_(fmt::format("harvest_{}", seed)) {}

  Result<void> All() {
    PATRA_TRY(world_.server.Run("CREATE DATABASE " + database_));
    std::filesystem::create_directory(folder_.Path("sources"));
    std::filesystem::copy_file(PATRA_SOURCE_DIR "/sources/sim-rest.yaml",
                               folder_.Path("sources/sim-rest.yaml"));
    std::ofstream(folder_.Path("sources/played.yaml"))
        << fmt::format(fmt::runtime(kDefinition), simulator_->url());
    // A server that was lost is slow for a while, and so is a busy machine; no source is to be paused for that here.
    std::ofstream(folder_.Path("patra.yaml")) << "heal: {store_wait_over: 1h}\n";
    PATRA_TRY(Plan(kNow));
    PATRA_TRY(WorkThroughFaults());
    PATRA_TRY(Check(kNow));
    if (is_of_executors()) return {};
    simulator_->Advance(kLater);
    PATRA_TRY(Plan(kNow + kLater));
    PATRA_TRY(StopWhileAway(Fault::kKilled));
    PATRA_TRY(StopWhileAway(Fault::kPaused));
    PATRA_TRY(Await(Executor()));
    return Check(kNow + kLater);
  }

  bool is_of_executors() const { return !world_.gate.empty(); }

  std::vector<std::string> Patra(std::vector<std::string> arguments, unsigned port) const {
    std::vector<std::string> command{
        world_.programs + "/patra", "--quiet", "--config",
        folder_.Path("patra.yaml"), "--db",    MariadbServer::UrlAt(port, database_)};
    if (is_of_executors()) command.insert(command.end(), {"--gate", world_.gate});
    std::ranges::move(arguments, std::back_inserter(command));
    return command;
  }

  Result<ChildProcess> Executor(unsigned port) const {
    return ChildProcess::Start(Patra({"work", "--drain", "--allow-loopback", "--concurrency", "2",
                                      "--lease", "2s", "--log-level", "warn"},
                                     port),
                               log_);
  }
  Result<ChildProcess> Executor() const { return Executor(world_.server.port()); }

  Result<void> Await(Result<ChildProcess> child) const {
    if (!child) return std::unexpected(child.error());
    const auto code = child->AwaitUntil(clock_.Elapsed() + kHarvestTakesMax);
    if (code == kComplete) return {};
    return Fail(ErrorCode::kInternal, code ? fmt::format("a process ended with {}", *code)
                                           : "a process does not come to an end");
  }

  Result<void> Plan(Instant to) const {
    return Await(ChildProcess::Start(
        Patra({"plan", "harvest", "played/items", "--sources", folder_.Path("sources"), "--set",
               "window.start=" + FormatRfc3339(kBegin), "--to", FormatRfc3339(to)},
              world_.server.port()),
        log_));
  }

  Result<void> WorkThroughFaults() {
    for (int i = 0; i < kExecutors; ++i) {
      const auto port = is_of_executors() ? ways_.emplace_back(world_.server.port()).port()
                                          : world_.server.port();
      executors_.push_back(PATRA_TRY(Executor(port)));
    }
    const auto deadline = clock_.Elapsed() + kHarvestTakesMax;
    int ended = 0;
    while (ended < kExecutors) {
      const auto next = clock_.Elapsed() + std::chrono::milliseconds(random_.Between(300, 1'500));
      while (ended < kExecutors && clock_.Elapsed() < next) {
        for (auto& executor : executors_) {
          const auto code = executor.Ended();
          if (code && code != kComplete)
            return Fail(ErrorCode::kInternal, fmt::format("an executor ended with {}", *code));
          if (code) ++ended;
        }
        clock_.SleepFor(2ms);
      }
      if (clock_.Elapsed() > deadline)
        return Fail(ErrorCode::kInternal, "the executors do not come to an end");
      if (ended < kExecutors && faults_ < world_.extent.faults_max) PATRA_TRY(Strike());
    }
    return {};
  }

  Result<void> Strike() {
    const auto number = static_cast<std::size_t>(faults_++);
    const auto fault = is_of_executors() ? kOfExecutors[number % kOfExecutors.size()]
                                         : kOfTheServer[number % kOfTheServer.size()];
    const auto away = is_of_executors() ? random_.Between(2'200, 3'500) : random_.Between(0, 2'500);
    Begin(fault, number % kExecutors);
    clock_.SleepFor(std::chrono::milliseconds(away));
    return End(fault, number % kExecutors);
  }
  void Begin(Fault fault, std::size_t executor = 0) {
    if (fault == Fault::kKilled) world_.server.Kill();
    if (fault == Fault::kShutDown) world_.server.ShutDown();
    if (fault == Fault::kPaused) world_.server.Pause();
    if (fault == Fault::kExecutorPaused) executors_[executor].Signal(SIGSTOP);
    if (fault == Fault::kExecutorCutOff)
      std::next(ways_.begin(), static_cast<std::ptrdiff_t>(executor))->Stall(true);
  }
  Result<void> End(Fault fault, std::size_t executor = 0) {
    if (fault == Fault::kKilled || fault == Fault::kShutDown) return world_.server.StartAgain();
    if (fault == Fault::kPaused) world_.server.Continue();
    if (fault == Fault::kExecutorPaused) executors_[executor].Signal(SIGCONT);
    if (fault == Fault::kExecutorCutOff)
      std::next(ways_.begin(), static_cast<std::ptrdiff_t>(executor))->Stall(false);
    return {};
  }

  std::int64_t Requests(const char* kind) const {
    const auto stats = simulator_->Stats();
    const auto* rest = stats.Find("sources")->Find("rest");
    const auto* count = rest == nullptr ? nullptr : rest->Find(kind);
    return count == nullptr ? 0 : *count->AsInteger();
  }

  Result<void> StopWhileAway(Fault fault) {
    simulator_->ClearStats();
    auto executor = PATRA_TRY(Executor());
    const auto deadline = clock_.Elapsed() + kHarvestTakesMax;
    while (Requests("requests") < 3) {
      if (clock_.Elapsed() > deadline || executor.Ended())
        return Fail(ErrorCode::kInternal, "an executor does not begin");
      clock_.SleepFor(2ms);
    }
    Begin(fault);
    ++faults_;
    clock_.SleepFor(300ms);  // into whatever it does without a server
    executor.Signal(SIGTERM);
    const auto asked = clock_.Elapsed();
    const auto code = executor.AwaitUntil(asked + kStopTakesMax);
    const auto took = clock_.Elapsed() - asked;
    PATRA_TRY(End(fault));
    fmt::print(
        "lose_server: told to stop while the server is {}, an executor ended after {:.1f} s\n",
        fault == Fault::kPaused ? "paused" : "away", std::chrono::duration<double>(took).count());
    if (code == kTerminated) return {};
    return Fail(ErrorCode::kInternal,
                code ? fmt::format("told to stop, an executor ended with {}", *code)
                     : "told to stop, an executor does not end");
  }

  Result<void> Check(Instant to) const {
    SystemClock clock;
    const auto address = PATRA_TRY(boot::StoreAddress::Parse(world_.server.Url(database_)));
    const auto store = PATRA_TRY(boot::OpenStore(address, boot::StoreUse::kLook, clock));
    const auto difference =
        PATRA_TRY(boot::CompareWithTruth(*simulator_, store->read().items(), kBegin, to,
                                         {.truth = "rest/deleted", .provenance = "played"}));
    if (!difference.empty() || difference.truth < 100) {
      return Fail(
          ErrorCode::kCorruption,
          fmt::format("of {} records {} are missing and {} wrong, such as {}", difference.truth,
                      difference.missing, difference.wrong, difference.first));
    }
    auto& database = testing::DatabaseOf(*store);
    for (const auto& [what, sql] :
         {std::pair{"slices that do not balance", kUnbalanced},
          std::pair{"records that are there twice", kTwice},
          std::pair{"counts of the rollup that are wrong", kRolledUpWrongly}}) {
      const auto count = PATRA_TRY(
          database.Read([&, s = sql](infra::sql::Session& session) { return session.Integer(s); }));
      if (count != 0) return Fail(ErrorCode::kCorruption, fmt::format("{}: {}", what, count));
    }
    PATRA_TRY(CheckMessages(database));
    if (const auto rejected = Requests("rejected"); rejected > 0)
      return Fail(ErrorCode::kCorruption,
                  fmt::format("the provider's limit was passed {} times", rejected));
    return {};
  }

  // Every record is told as new by exactly one message of the outbox.
  static Result<void> CheckMessages(infra::sql::Database& database) {
    std::map<std::string, int> told;
    const auto read = [&](infra::sql::Session& session) -> Result<void> {
      told.clear();
      {
        auto messages = PATRA_TRY(session.Query(
            "SELECT payload_json FROM ing_outbox_message WHERE op_type = 'ITEMS_CHANGED'"));
        while (PATRA_TRY(messages.Next())) {
          const auto payload = PATRA_TRY(ParseJson(messages.Text(infra::sql::kOnly)));
          const auto* inserted = payload.Find("inserted");
          if (inserted == nullptr || inserted->AsArray() == nullptr) continue;
          for (const auto& id : *inserted->AsArray()) ++told[*id.AsString()];
        }
      }
      auto items = PATRA_TRY(session.Query("SELECT provider_item_id FROM ing_item"));
      while (PATRA_TRY(items.Next())) --told[items.Text(infra::sql::kOnly)];
      return {};
    };
    PATRA_TRY(database.Read(read));
    for (const auto& [id, times] : told) {
      if (times != 0)
        return Fail(ErrorCode::kCorruption, fmt::format("{} was told {} times", id, times + 1));
    }
    return {};
  }

  mutable SystemClock clock_;
  const World& world_;
  const std::unique_ptr<sim::Simulator> simulator_;
  SeededRandom random_;
  const std::string database_;
  testing::TemporaryFolder folder_;
  const std::string log_ = folder_.Path("log");
  std::list<testing::CuttingProxy>
      ways_;  // one to the server for each executor, where these are lost
  std::vector<ChildProcess> executors_;
  int faults_ = 0;
};

int Torture(const std::string& programs, bool loses_executors, bool is_cluster,
            std::chrono::seconds seconds, std::uint64_t seed) {
  SystemClock clock;
  // The rate gate's file of a store on a server lies there.
  testing::TemporaryFolder runtime;
  setenv("XDG_RUNTIME_DIR", runtime.Path("").c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  const auto server = is_cluster ? testing::GaleraCluster::Start() : MariadbServer::Start();
  unsigned gate_port = 0;
  std::optional<Result<ChildProcess>> redis;
  if (loses_executors) redis = StartRedis(runtime, gate_port);
  if (!server || (redis && !*redis)) {
    fmt::print(stderr, "lose_server: {}\n", (server ? redis->error() : server.error()).Describe());
    return 1;
  }
  const World world{.programs = programs,
                    .server = **server,
                    .gate = redis ? fmt::format("redis://127.0.0.1:{}/0", gate_port) : "",
                    .extent = seconds > 0s ? kLong : kShort};
  const auto deadline = clock.Elapsed() + seconds;
  int harvests = 0, faults = 0;
  do {
    const auto begin = clock.Elapsed();
    const auto done = Harvest::Run(world, seed);
    if (!done) {
      fmt::print(stderr, "lose_server: {}\n", done.error().Describe());
      return 1;
    }
    fmt::print("lose_server: seed {}: {:.1f} s, {} faults\n", seed,
               std::chrono::duration<double>(clock.Elapsed() - begin).count(), *done);
    std::fflush(stdout);
    ++harvests;
    ++seed;
    faults += *done;
  } while (clock.Elapsed() < deadline);
  fmt::print(
      "lose_server: {} harvests by {} executors, {} lost {} times: nothing lost, nothing doubled\n",
      harvests, kExecutors, loses_executors ? "which were" : "the server", faults);
  return 0;
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  std::string programs;
  bool loses_executors = false;
  bool is_cluster = false;
  std::chrono::seconds seconds{0};
  std::uint64_t seed = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : "";
    if (name == "--executors") {
      loses_executors = true;
      continue;
    }
    if (name == "--galera") {
      is_cluster = true;
      continue;
    }
    ++i;
    if (name == "--programs") programs = value;
    if (name == "--seconds") seconds = std::chrono::seconds(std::atoi(value));
    if (name == "--seed") seed = static_cast<std::uint64_t>(std::atoll(value));
  }
  return patra::Torture(programs, loses_executors, is_cluster, seconds, seed);
}
