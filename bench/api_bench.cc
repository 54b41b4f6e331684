// The API of a service: what an idle one takes, how many reads one core answers, how long they take while a harvest runs beside
// them and what that costs the harvest, and what dashboards ask of ten million batches.
//
//   api_bench [--small]
//
// The service is a process of its own, and so is each harvest; this one asks, and plays the provider. What a read costs is the
// service's processor time, which does not depend on what else the machine does.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "base/duration.h"
#include "bench/side_process.h"
#include "boot/application.h"
#include "boot/open_engine.h"
#include "boot/open_store.h"
#include "contract/lineage.h"
#include "sim/simulator.h"
#include "tests/adapter/rest/raw_client.h"
#include "tests/raw_database.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using bench::Must;
using bench::SideProcess;
using Steady = std::chrono::steady_clock;

constexpr int kConnections = 8;
constexpr int kReadsPerSecond = 1'000;
constexpr Duration kIdleFor = 20s;
constexpr int kRecords = 60'000;

constexpr std::string_view kDefinition = R"yaml(source: books
http: {{base_url: "{}", allow_http: true}}
limits: [{{rate: 1000/s}}]
window: {{by: updated_at, start: 2025-01-01, granularity: microsecond, safety_lag: 2h, settles: true, width: 1d}}
response: {{items: $.items, id: $.id, updated: $.updated, deleted: $.deleted, total: $.total}}
endpoints:
  items:
    request:
      path: /rest/page/items
      query: {{from: "${{window.from}}", to: "${{window.to}}", page: "${{page.number}}", size: "${{page.size}}"}}
    paging: {{style: page, first_page: 1, size: 50}}
    fields: {{title: $.title, kind: $.kind, abstract: $.abstract}}
)yaml";

double Seconds(Steady::duration taken) { return std::chrono::duration<double>(taken).count(); }

double Percentile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  return values.at(static_cast<std::size_t>(part * static_cast<double>(values.size() - 1)));
}

// The fields of /proc/PID/stat behind the name of the program.
double ProcessorSeconds(pid_t process) {
  constexpr int kFieldsBefore = 11;
  std::ifstream stat(fmt::format("/proc/{}/stat", process));
  std::string text{std::istreambuf_iterator<char>(stat), {}};
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < kFieldsBefore; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double ResidentMegabytes(pid_t process) {
  std::ifstream statm(fmt::format("/proc/{}/statm", process));
  double all = 0, resident = 0;
  statm >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

struct Reads {
  std::vector<double> milliseconds;
  int refused = 0;
};

// So many a second over several connections, each as soon as it is due: an answer that is late makes no later one wait for its turn
// unseen, since its time counts from when it was due.
Reads ReadPaced(const std::string& address, const std::vector<std::string>& paths, int per_second,
                Duration how_long) {
  const auto count = static_cast<int>(per_second * (how_long / 1ms) / 1'000);
  const auto begun = Steady::now();
  std::vector<Reads> of(kConnections);
  std::vector<std::thread> threads;
  for (int c = 0; c < kConnections; ++c) {
    threads.emplace_back([&, c] {
      testing::RawClient client(address);
      for (int i = c; i < count; i += kConnections) {
        const auto due =
            begun + std::chrono::microseconds(std::int64_t{1'000'000} * i / per_second);
        std::this_thread::sleep_until(due);
        const auto& path = paths[static_cast<std::size_t>(i) % paths.size()];
        client.Say(fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path));
        const bool is_well = client.Hear().starts_with("HTTP/1.1 200 ");
        auto& mine = of[static_cast<std::size_t>(c)];
        mine.milliseconds.push_back(1'000 * Seconds(Steady::now() - due));
        if (!is_well) ++mine.refused;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  Reads all;
  for (const auto& part : of) {
    all.milliseconds.insert(all.milliseconds.end(), part.milliseconds.begin(),
                            part.milliseconds.end());
    all.refused += part.refused;
  }
  return all;
}

class ApiBench {
 public:
  explicit ApiBench(bool is_small) : is_small_(is_small) {
    std::ofstream(folder_.Path("books.yaml"))
        << fmt::format(fmt::runtime(kDefinition), simulator_->url());
  }

  void Run() {
    const auto full = Harvest("full.db", 1'000);
    fmt::print("a harvest without a limit: {:.0f} pages/s\n", full);
    auto service = SideProcess::Start({"--serve", folder_.Path("full.db"), folder_.Path("")});
    const pid_t process = std::stoi(service.ReadLine());
    const auto url = service.ReadLine();
    address_ = url.substr(url.rfind('/') + 1);
    Idle(process);
    Costs(process);
    BesideAHarvest(full);
    TenMillion();
  }

 private:
  // Of a new store, in pages a second.
  double Harvest(const std::string& store, int per_second) {
    auto harvest = SideProcess::Start(
        {"--harvest", folder_.Path(store), folder_.Path(""), fmt::format("{}/s", per_second)});
    return std::stod(harvest.ReadLine());
  }

  void Idle(pid_t process) {
    SystemClock().SleepFor(5s);
    const auto before = ProcessorSeconds(process);
    SystemClock().SleepFor(kIdleFor);
    const auto used = ProcessorSeconds(process) - before;
    fmt::print("an idle service: {:.2f} % of a core, {:.0f} MB (goals 1 % and 60 MB)\n",
               100 * used / Seconds(kIdleFor), ResidentMegabytes(process));
  }

  void Costs(pid_t process) {
    const auto first = [&](const std::string& list) {
      testing::RawClient client(address_);
      client.Say(fmt::format("GET /api/v1/{}?limit=1 HTTP/1.1\r\nHost: localhost\r\n\r\n", list));
      const auto answer = client.Hear();
      constexpr std::string_view kId = "\"id\":\"";
      const auto at = answer.find(kId) + kId.size();
      return answer.substr(at, answer.find('"', at) - at);
    };
    const auto task = first("tasks"), plan = first("plans");
    for (const std::string& path :
         {std::string("/api/v1/status"), "/api/v1/tasks/" + task, std::string("/api/v1/tasks"),
          std::string("/api/v1/items?source=books"), std::string("/api/v1/queue?window=1h"),
          "/api/v1/plans/" + plan + "/lineage"}) {
      paths_.push_back(path);
      const auto before = ProcessorSeconds(process);
      const auto reads = ReadPaced(address_, {path}, 300, 2s);
      const auto used = ProcessorSeconds(process) - before;
      fmt::print("GET {}: {:.0f} a second of one core, P50 {:.1f} ms, P99 {:.1f} ms{}\n", path,
                 static_cast<double>(std::ssize(reads.milliseconds)) / std::max(used, 0.01),
                 Percentile(reads.milliseconds, 0.5), Percentile(reads.milliseconds, 0.99),
                 reads.refused > 0 ? fmt::format(", {} REFUSED", reads.refused) : "");
    }
  }

  void BesideAHarvest(double full) {
    const int half = std::max(1, static_cast<int>(full / 2));
    const auto alone = Harvest("alone.db", half);
    double beside = 0;
    std::jthread harvest([&] { beside = Harvest("beside.db", half); });
    // One page of a list among five single rows.
    const std::vector<std::string> mix{paths_[0], paths_[1], paths_[1],
                                       paths_[1], paths_[4], paths_[2]};
    const auto reads = ReadPaced(address_, mix, kReadsPerSecond, is_small_ ? 3s : 10s);
    harvest.join();
    fmt::print(
        "{} reads a second beside a harvest of half the speed: P50 {:.1f} ms, P99 {:.1f} ms (goal "
        "20), {} refused; the harvest brings {:.0f} pages/s, alone {:.0f}: {:.3f} (goal 0.95)\n",
        kReadsPerSecond, Percentile(reads.milliseconds, 0.5), Percentile(reads.milliseconds, 0.99),
        reads.refused, beside, alone, beside / alone);
  }

  // The runs of the harvest get so many more batches, and a year of minutes is what they fold into.
  void TenMillion() {
    const auto address = Must(boot::StoreAddress::Parse(folder_.Path("alone.db")));
    SystemClock clock;
    const auto store = Must(boot::OpenStore(address, boot::StoreUse::kChange, clock));
    const int batches = is_small_ ? 1'000'000 : 10'000'000;
    const auto fill = fmt::format(R"sql(
        CREATE TEMP TABLE runs AS SELECT row_number() OVER (ORDER BY id) - 1 AS n, id, task_id, slice_id, plan_id,
            {0} / (SELECT count(*) FROM ing_task_run) AS of_each FROM ing_task_run;
        CREATE TEMP TABLE numbers AS
            WITH RECURSIVE m (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM m WHERE i < (SELECT of_each FROM runs)) SELECT i FROM m;
        INSERT INTO ing_task_run_batch (id, run_id, task_id, slice_id, plan_id, expr_hash, provenance_code, endpoint_name,
            operation_code, batch_no, idempotent_key, record_count, status_code, created_at, committed_at)
        SELECT 1 + n * (of_each + 1) + i, id, task_id, slice_id, plan_id, 'e', 'books', 'items', 'HARVEST', 100000 + i,
            printf('k%09d', n * (of_each + 1) + i), 50, 'SUCCEEDED', n * (of_each + 1) + i, n * (of_each + 1) + i
        FROM runs CROSS JOIN numbers;
        WITH RECURSIVE m (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM m WHERE i < {1}), s (j) AS (VALUES (0), (1), (2), (3))
        INSERT INTO ing_batch_rollup (minute, provenance_code, endpoint_name, operation_code, status_code, batches, records)
        SELECT i * 60000000, 'source' || j, 'items', 'HARVEST', 'SUCCEEDED', 5, 500 FROM m, s)sql",
                                  batches, batches / 20);
    const auto begun = Steady::now();
    Must(testing::DatabaseOf(*store).Write(
        [&](infra::sql::Session& session) { return session.Execute(fill); }));
    fmt::print("{} batches made in {:.0f} s\n", batches, Seconds(Steady::now() - begun));
    const auto timed = [](const auto& ask) {
      std::vector<double> taken;
      for (int i = 0; i < 40; ++i) {
        const auto start = Steady::now();
        ask();
        taken.push_back(1'000 * Seconds(Steady::now() - start));
      }
      return Percentile(taken, 0.95);
    };
    const auto now = clock.Now();
    const auto queue = timed([&] {
      Must(store->read().dashboard().Queue({}, {.from = now - std::chrono::hours(1), .to = now}));
    });
    const auto plan = Must(store->read().ledger().Plans({.rows_max = 1})).at(0).id;
    const auto lineage =
        timed([&] { Must(contract::LineageOf(store->read().ledger(), plan, {}, {})); });
    fmt::print("over {} batches: queue P95 {:.1f} ms, lineage P95 {:.1f} ms (goal 50)\n", batches,
               queue, lineage);
  }

  const bool is_small_;
  testing::TemporaryFolder folder_;
  const std::unique_ptr<sim::Simulator> simulator_ = Must(sim::Simulator::Start(
      {.size = kRecords,
       .providers = {"rest"},
       .begin = Instant{std::chrono::sys_days{std::chrono::year{2025} / 1 / 1}},
       .now = Instant{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}},
       .enforce_limits = false}));
  std::string address_;
  std::vector<std::string> paths_;
};

int Serve(const std::string& database, const std::string& folder) {
  boot::Application application;
  const auto served = application.Serve({.engine = {.database = database,
                                                    .allow_loopback = true,
                                                    .log = {.print = [](std::string_view) {}},
                                                    .sources_folder = folder},
                                         .listen = "127.0.0.1:0"},
                                        [](const adapter::cli::Serving& serving) {
                                          fmt::print("{}\n{}\n", getpid(), serving.url);
                                          std::fflush(stdout);
                                        });
  if (!served) bench::Stop(served.error());
  return 0;
}

int Harvest(const std::string& database, const std::string& folder, const std::string& rate) {
  const auto engine = Must(boot::OpenEngine({.database = database,
                                             .allow_loopback = true,
                                             .log = {.print = [](std::string_view) {}},
                                             .sources_folder = folder}));
  app::PlanRequest plan{.sources_folder = folder, .to = "2025-12-01"};
  plan.source.target = "books";
  plan.source.rate = rate;
  const auto start = Steady::now();
  const auto done = Must(engine->Run(plan, {}, [](const auto&) {}));
  fmt::print("{}\n",
             static_cast<double>(done.work.totals.requests) / Seconds(Steady::now() - start));
  return 0;
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  const std::vector<std::string> given(argv + 1, argv + argc);
  if (given.size() == 3 && given[0] == "--serve") return patra::Serve(given[1], given[2]);
  if (given.size() == 4 && given[0] == "--harvest")
    return patra::Harvest(given[1], given[2], given[3]);
  patra::ApiBench(!given.empty() && given[0] == "--small").Run();
  return 0;
}
