// The ledger on a server at size: claims with a million tasks waiting, batch commits, the queue with live producers, a whole
// harvest beside one into a file, and executors that share a limit.
//
//   server_bench [--small] [--queue]     (a tenth of the sizes, for a quick look; claims and turnover alone)
//
// It starts a MariaDB of its own that writes every commit through to the disk, on a loopback port and below /tmp, and stops it.
// What the disk takes for that is printed first.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "base/canonical_json.h"
#include "base/hash.h"
#include "bench/side_process.h"
#include "domain/plan/plan.h"
#include "infra/mysql/store.h"
#include "infra/sql/sql_store.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using bench::Must;
using Steady = std::chrono::steady_clock;

double Milliseconds(Steady::duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}

double Percentile(std::vector<double> values, double p) {
  std::ranges::sort(values);
  return values[std::min(values.size() - 1,
                         static_cast<std::size_t>(static_cast<double>(values.size()) * p))];
}

double Mean(const std::vector<double>& values) {
  double sum = 0;
  for (const auto value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

std::vector<double> Timed(int times, const std::function<void()>& work) {
  std::vector<double> taken;
  for (int i = 0; i < times; ++i) {
    const auto start = Steady::now();
    work();
    taken.push_back(Milliseconds(Steady::now() - start));
  }
  return taken;
}

void Run(const std::string& command) {
  if (std::system(command.c_str()) != 0)
    bench::Stop({ErrorCode::kUnavailable, "this fails: " + command});
}

class Server {
 public:
  Server() {
    setenv("PATRA_MARIADB_OPTIONS",
           "--innodb-flush-log-at-trx-commit=1 --innodb-flush-method=fsync --innodb-doublewrite=1 "
           "--innodb-buffer-pool-size=1G --innodb-log-file-size=1G",
           1);
    Run(fmt::format("{} start {}", kScript, folder_));
    // Also where the bench ends in the middle.
    running_ = this;
    std::atexit([] {
      if (running_ != nullptr) running_->Stop();
    });
    unsigned port = 0;
    std::ifstream(folder_ + "/port") >> port;
    address_ = {.user = "root", .host = "127.0.0.1", .port = port, .database = "mysql"};
  }
  ~Server() { Stop(); }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // An empty one.
  infra::mysql::Address Database(const std::string& name) {
    const auto connection = Must(infra::mysql::Connection::Open(address_, {}));
    Must(connection->Execute(fmt::format(
        "DROP DATABASE IF EXISTS {0}; CREATE DATABASE {0} CHARACTER SET utf8mb4", name)));
    auto address = address_;
    address.database = name;
    return address;
  }
  const std::string& folder() const { return folder_; }

 private:
  void Stop() {
    running_ = nullptr;
    Run(fmt::format("{} stop {}", kScript, folder_));
  }

  static inline Server* running_ = nullptr;
  static constexpr const char* kScript = PATRA_SOURCE_DIR "/tools/test_mariadb";
  const std::string folder_ = fmt::format("/tmp/patra-server-bench-{}", getpid());
  infra::mysql::Address address_;
};

// Of a file that grows, as the server's log does.
double FsyncP95(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
  const std::string page(4096, 'x');
  off_t end = 0;
  const auto taken = Timed(300, [&] {
    if (pwrite(file, page.data(), page.size(), end) < 0) std::exit(1);
    end += static_cast<off_t>(page.size());
    fdatasync(file);
  });
  close(file);
  return Percentile(taken, 0.95);
}

class ServerBench {
  static constexpr int kRunningElsewhere = 1'600;

 public:
  ServerBench(Server& server, int divisor) : server_(server), divisor_(divisor) {}

  void Run(bool queue_only) {
    fmt::print("fdatasync P95 {:.2f} ms\n", FsyncP95(server_.folder() + "/sync"));
    std::fflush(stdout);
    FillQueue();
    Claims();
    if (!queue_only) Commits();
    Turnover(1, 1);
    Turnover(2, 2);
    Turnover(4, 4);
    Lanes();
  }

 private:
  // What one kind of step took, whoever made it.
  struct Steps {
    std::mutex mutex{};
    std::vector<double> taken{};

    template <typename Step>
    auto Time(Step step) {
      const auto start = Steady::now();
      auto outcome = step();
      const std::lock_guard lock(mutex);
      taken.push_back(Milliseconds(Steady::now() - start));
      return outcome;
    }
  };

  domain::Plan PlanOf(const std::string& source, int hours) {
    const domain::Lane lane{source, "items", domain::Operation::kHarvest};
    const Instant start{std::chrono::sys_days{std::chrono::year{2020} / 1 / 1}};
    const auto window = *domain::Window::Between(start, start + std::chrono::hours(hours));
    return {.id = store_->ids().Next(),
            .trigger_id = store_->ids().Next(),
            .key = domain::PlanKey(lane, "q", window),
            .lane = lane,
            .query_hash = "q",
            .cursor = domain::HarvestNamespace(lane, "q", "updated_at"),
            .snapshot = "{}",
            .snapshot_hash = Sha256Hex("{}"),
            .window = window};
  }

  void Execute(const std::string& sql) {
    Must(store_->database().Write([&](infra::sql::Session& s) { return s.Execute(sql); }));
  }

  // Rows are made inside the server: only the queue's own work is measured.
  void FillQueue() {
    const auto plan = PlanOf("queue", 1);
    Must(store_->plans().AddIfAbsent(plan));
    const int all = 1'300'000 / divisor_, parked = 300'000 / divisor_, at_once = 100'000;
    const auto spec = CanonicalJson(domain::SliceSpec{.window = plan.window}.ToValue());
    const auto start = Steady::now();
    for (int first = 1; first <= all; first += at_once) {
      Execute(fmt::format(
          R"sql(
        INSERT INTO ing_plan_slice (id, plan_id, provenance_code, endpoint_name, operation_code, query_hash, slice_no,
            slice_signature_hash, slice_spec, window_from, window_to, expr_hash, expr_snapshot, status_code, created_at, updated_at)
        SELECT seq, {0}, 'queue', 'items', 'HARVEST', 'q', seq, sha2(concat('s', seq), 256), '{3}', 0, 3600000000, sha2('e', 256), '{{}}', 'READY', 0, 0
        FROM seq_{1}_to_{2};
        INSERT INTO ing_task (id, schedule_instance_id, plan_id, slice_id, provenance_code, endpoint_name, operation_code,
            idempotent_key, expr_hash, priority, ready, scheduled_at, created_at, updated_at)
        SELECT seq, {0}, {0}, seq, concat('source', seq % 10), 'items', 'HARVEST', sha2(concat('t', seq), 256), 'e', 3 + seq % 3,
               if(seq <= {4}, 0, 1), if(seq <= {4}, 9000000000000000, seq), 0, 0 FROM seq_{1}_to_{2})sql",
          plan.id, first, std::min(first + at_once - 1, all), spec, parked));
    }
    // A hundred other machines with sixteen workers each.
    Execute(
        "UPDATE ing_task SET status_code = 'EXECUTING', lease_owner = concat('other', id % 100), "
        "leased_until = 9000000000000000 WHERE id > " +
        fmt::format("{} AND id <= {}", all - kRunningElsewhere, all));
    fmt::print("filled with {} ready and {} parked tasks in {:.1f} s\n", all - parked, parked,
               Milliseconds(Steady::now() - start) / 1000);
    std::fflush(stdout);
  }

  app::ClaimRequest ClaimOf(int tasks_max, const std::string& owner = "bench") const {
    return {.owner = owner, .tasks_max = tasks_max, .lease = 1h, .running_per_lane_max = 1 << 20};
  }

  void Claims() {
    const auto measure = [&](int tasks, int times, const char* goal) {
      std::vector<double> taken;
      std::int64_t round_trips = 0;
      for (int i = 0; i < times; ++i) {
        const auto asked_before = database().round_trips();
        taken.push_back(
            Timed(1, [&] { leased_ = Must(store_->queue().Claim(ClaimOf(tasks))); })[0]);
        round_trips += database().round_trips() - asked_before;
        if (i + 1 < times) Must(Finish("bench", leased_));
      }
      fmt::print("claim {}: P50 {:.2f} ms, P95 {:.2f} ms ({}), {} round trips each\n", tasks,
                 Percentile(taken, 0.5), Percentile(taken, 0.95), goal, round_trips / times);
      std::fflush(stdout);
    };
    measure(1, 500, "goal 10");
    measure(50, 100, "goal 40");
  }

  void Commits() {
    const auto task = leased_.at(0);
    const auto run = Must(store_->runs().Open(task, {.page = 1}));
    auto lineage = run.lineage;
    int batch_no = 1;
    const std::string filler(600, 'x');
    const auto commit = [&](std::string_view name, int records, int times, int first_item,
                            std::string_view title) {
      std::vector<double> taken;
      int next_item = first_item;
      const auto asked_before = database().round_trips();
      for (int i = 0; i < times; ++i) {
        app::BatchCommit batch{.task = task,
                               .lineage = lineage,
                               .batch_no = batch_no,
                               .before = {.page = batch_no},
                               .after = app::Position{.page = batch_no + 1},
                               .evidence = {.request = "{}", .sent = {.requests = 1}}};
        std::string body;
        for (int k = 0; k < records; ++k) {
          domain::Record record{.id = Sha256Hex(fmt::to_string(next_item++))};
          record.fields = fmt::format(R"({{"abstract":"{}","title":"{}"}})", filler, title);
          record.version = {.updated_at = Instant{} + std::chrono::seconds(title.size()),
                            .fetched_at = clock_.Now(),
                            .content_hash = Sha256(record.fields)};
          body += record.fields;
          batch.records.push_back(std::move(record));
        }
        batch.raw_page = app::RawPage{"application/json", body, clock_.Now()};
        const auto start = Steady::now();
        const auto committed = Must(store_->runs().Commit(batch));
        taken.push_back(Milliseconds(Steady::now() - start));
        lineage.batch = committed.next_batch;
        ++batch_no;
      }
      fmt::print(
          "commit of {} {} records: mean {:.2f} ms, P95 {:.2f} ms, {:.0f} records/s, {} round "
          "trips each\n",
          records, name, Mean(taken), Percentile(taken, 0.95), records / Mean(taken) * 1000,
          (database().round_trips() - asked_before) / times);
      std::fflush(stdout);
    };
    fmt::print("goal for a batch of 100: mean 20 ms, P95 80 ms\n");
    commit("new", 100, 300, 0, "a");
    commit("changed", 100, 300, 0, "ab");
    commit("unchanged", 100, 300, 0, "ab");
    commit("new", 1000, 30, 1'000'000, "a");
    commit("changed", 1000, 30, 1'000'000, "ab");
    commit("unchanged", 1000, 30, 1'000'000, "ab");
  }

  // A claim looks at every lane.
  void Lanes() {
    const auto lanes = Must(infra::sql::SqlStore::Open(
        Must(infra::mysql::Store::Open({.address = server_.Database("lanes")}, clock_)), clock_));
    auto& queue = lanes->queue();
    auto& counted = dynamic_cast<infra::mysql::Store&>(lanes->database());
    int made = 0;
    for (const int count : {0, 10, 100, 1'000}) {
      for (; made < count; ++made) {
        const auto plan = PlanOf(fmt::format("lane{}", made), 3);
        auto work = domain::CutByTime(plan, 1h, clock_.Now());
        for (auto& [slice, task] : work) {
          slice.id = lanes->ids().Next();
          task.id = lanes->ids().Next();
        }
        Must(lanes->plans().AddIfAbsent(plan));
        Must(lanes->plans().Move(plan.id, domain::PlanStatus::kSlicing));
        Must(lanes->plans().AddSlices(plan, work, plan.window.to()));
        Must(lanes->plans().Move(plan.id, domain::PlanStatus::kReady));
      }
      std::vector<double> taken;
      std::int64_t round_trips = 0;
      for (int i = 0; i < 50; ++i) {
        const auto before = counted.round_trips();
        std::vector<app::LeasedTask> claimed;
        taken.push_back(Timed(1, [&] { claimed = Must(queue.Claim(ClaimOf(1))); })[0]);
        round_trips += counted.round_trips() - before;
        for (const auto& task : claimed) Must(queue.Release(task, clock_.Now(), "NONE"));
      }
      fmt::print(
          "claim of one, {} lanes with ready tasks: P50 {:.2f} ms, P95 {:.2f} ms, {} round trips\n",
          made, Percentile(taken, 0.5), Percentile(taken, 0.95), round_trips / 50);
      std::fflush(stdout);
    }
  }

  // Producers add slices, each to a source of its own, while others claim tasks in groups and finish them, beside the million
  // that waits: nothing is fetched.
  void Turnover(int producers, int consumers) {
    const int slices_each = 20'000 / divisor_ * 4 / producers;
    std::atomic<int> finished = 0, failed = 0;
    const int goal = slices_each * producers;
    const auto reruns = database().reruns();
    const auto start = Steady::now();
    {
      std::vector<std::jthread> threads;
      for (int p = 0; p < producers; ++p)
        threads.emplace_back(
            [&, p] { Produce(fmt::format("live{}-{}", producers, p), slices_each, failed); });
      for (int c = 0; c < consumers; ++c)
        threads.emplace_back(
            [&, c] { Consume(fmt::format("bench-{}", c), finished, failed, goal); });
    }
    const auto seconds = Milliseconds(Steady::now() - start) / 1000;
    fmt::print(
        "{} producers, {} consumers: {} tasks added, claimed and finished, {:.0f}/s (goal 5,000), "
        "{} run again, {} failed\n",
        producers, consumers, finished.load(), finished / seconds, database().reruns() - reruns,
        failed.load());
    for (const auto& [name, steps] : {std::pair("500 added", &adding_),
                                      {"50 claimed", &claiming_},
                                      {"50 finished", &finishing_}}) {
      fmt::print("  {}: mean {:.1f} ms, P95 {:.1f} ms\n", name, Mean(steps->taken),
                 Percentile(steps->taken, 0.95));
      steps->taken.clear();
    }
    std::fflush(stdout);
  }

  void Produce(const std::string& source, int slices, std::atomic<int>& failed) {
    const auto plan = PlanOf(source, slices);
    if (!store_->plans().AddIfAbsent(plan)) ++failed;
    auto work = domain::CutByTime(plan, 1h, clock_.Now());
    for (auto& [slice, task] : work) {
      slice.id = store_->ids().Next();
      task.id = store_->ids().Next();
    }
    for (std::size_t i = 0; i < work.size(); i += 500) {
      const auto some = std::span(work).subspan(i, std::min<std::size_t>(500, work.size() - i));
      if (!adding_.Time([&] { return store_->plans().AddSlices(plan, some, plan.window.to()); }))
        ++failed;
    }
  }

  void Consume(const std::string& owner, std::atomic<int>& finished, std::atomic<int>& failed,
               int goal) {
    const auto deadline = Steady::now() + 120s;
    while (finished < goal && Steady::now() < deadline) {
      const auto claimed =
          claiming_.Time([&] { return store_->queue().Claim(ClaimOf(50, owner)); });
      if (!claimed) {
        ++failed;
        continue;
      }
      if (claimed->empty()) {
        std::this_thread::sleep_for(1ms);
        continue;
      }
      const auto done = finishing_.Time([&] { return Finish(owner, *claimed); });
      if (!done) ++failed;
      finished += static_cast<int>(claimed->size());
    }
  }

  // Not as executors do, a task at a time and with all that follows from it: what that costs is no queue's.
  Result<std::int64_t> Finish(const std::string& owner,
                              const std::vector<app::LeasedTask>& claimed) {
    std::vector<Id> ids;
    for (const auto& task : claimed) ids.push_back(task.lineage.task);
    return store_->database().Write(
        infra::sql::LockScope::RowsAlone(), [&](infra::sql::Session& session) {
          return session.RunIn(FinishIn(), infra::sql::ListOf(ids), {{"owner", owner}});
        });
  }

  static std::string_view FinishIn() {
    static const auto kSql = infra::sql::WithList(
        "UPDATE ing_task NOT INDEXED SET status_code = 'SUCCEEDED', lease_owner = NULL, "
        "leased_until = NULL, "
        "finished_at = 1, version = version + 1 "
        "WHERE lease_owner = :owner AND status_code = 'DISPATCHED' AND id IN");
    return kSql;
  }

  infra::mysql::Store& database() { return dynamic_cast<infra::mysql::Store&>(store_->database()); }

  Server& server_;
  const int divisor_;
  SystemClock clock_;
  std::unique_ptr<infra::sql::SqlStore> store_ = Must(infra::sql::SqlStore::Open(
      Must(infra::mysql::Store::Open({.address = server_.Database("ledger")}, clock_)), clock_));
  std::vector<app::LeasedTask> leased_;
  Steps adding_, claiming_, finishing_;
};

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  using namespace patra;
  const std::vector<std::string_view> arguments(argv + 1, argv + argc);
  const auto has = [&](std::string_view name) {
    return std::ranges::find(arguments, name) != arguments.end();
  };
  const bool small = has("--small");
  Server server;
  ServerBench(server, small ? 10 : 1).Run(has("--queue"));
  if (has("--queue")) return 0;
  // What a whole harvest is like, beside one into a file.
  const auto programs = std::filesystem::canonical("/proc/self/exe").parent_path().string();
  Run(fmt::format("{}/harvest_bench --records {} --store 0 --server {}", programs,
                  small ? 20'000 : 100'000, server.Database("harvest").Describe()));
  std::string databases;
  for (const auto* name : {"one", "two", "four"})
    databases += " " + server.Database(name).Describe();
  Run(fmt::format("{}/scaling_bench --servers{}", programs, databases));
}
