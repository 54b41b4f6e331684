// Two goals about many executors and bad moments.
//
//   scaling_bench [--servers URL URL URL]     the first alone, in these empty databases
//
// Scaling: a provider that takes 200 ms for a page and enforces a limit; executors, each a
// process with one worker, at 70 % of the limit and of the page size. Twice as many should take half the time.
//
// Retries: a tenth of all answers is 429, another tenth 503. Of the pages that needed a retry, the
// share that came before their run was given up, as the batches of the ledger tell it.
#include <cstdlib>
#include <span>

#include <fmt/format.h>

#include "app/source/sources.h"
#include "base/value.h"
#include "bench/side_process.h"
#include "boot/engine.h"
#include "infra/definitions/yaml_files.h"
#include "infra/sqlite/connection.h"
#include "sim/simulator.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"
#include "tests/world_clock.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using bench::Must;
using bench::SideProcess;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 1 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

// Later in that year more than a thousand records share one second: a slice that only one can walk.
const Instant kBeforeTheCrowd{std::chrono::sys_days{std::chrono::year{2025} / 8 / 1}};

constexpr std::int64_t kRecords = 12'000;
constexpr int kLimit = 40;     // requests a second, as the provider counts
constexpr int kPageMax = 100;  // of the definition
constexpr double kPart = 0.7;  // of both

domain::SpecSnapshot SimRest(const std::string& url, Duration width) {
  infra::definitions::YamlFiles files;
  app::Sources sources(files, std::string(PATRA_SOURCE_DIR) + "/sources");
  const auto compiled = Must(sources.Compile(
      "sim-rest/items", {"http.base_url=" + url, "window.start=2025-01-01",
                         fmt::format("paging.size={}", static_cast<int>(kPageMax * kPart))}));
  auto spec = Must(domain::SpecSnapshot::FromValue(Must(ParseJson(compiled.snapshot))));
  spec.limits = {
      {.rate = domain::RateSpec{.requests = static_cast<int>(kLimit * kPart), .per = 1s}}};
  spec.window.width = spec.window.width_max = width;
  return spec;
}

std::unique_ptr<sim::Simulator> Provider(const char* faults, bool enforce_limits) {
  auto simulator = Must(sim::Simulator::Start({.size = kRecords,
                                               .providers = {"rest"},
                                               .begin = kBegin,
                                               .now = kNow,
                                               .late_by = 1h,
                                               .enforce_limits = enforce_limits,
                                               .faults = Must(ParseJson(faults))}));
  if (enforce_limits) {
    Must(simulator->SetLimits(
        "rest", Must(ParseJson(fmt::format(
                    R"([{{"kind":"sliding","scope":"key","count":{},"window":"1s"}}])", kLimit)))));
  }
  return simulator;
}

boot::EngineOptions OptionsFor(const std::string& database) {
  return {.database = database, .allow_loopback = true, .log = {.level = "error"}};
}

// An executor, in a process of its own.
void Execute(const std::string& database) {
  SystemClock clock;
  const auto engine = Must(boot::Engine::Open(OptionsFor(database), clock));
  const auto summary = Must(engine->work().Run({.workers = 1}, [](const auto&) {}));
  fmt::print("{}\n", summary.failed + summary.partial == 0 ? summary.totals.requests : -1);
}

double DrainedBy(int executors, const std::string& server = {}) {
  const auto simulator = Provider(R"({"faults":[{"kind":"latency","delay":"200ms"}]})", true);
  testing::TemporaryFolder folder;
  const auto database = server.empty() ? folder.Path("patra.db") : server;
  SystemClock clock;
  {
    const auto engine = Must(boot::Engine::Open(OptionsFor(database), clock));
    app::PlanHarvest plan(engine->plan_ports());
    Must(plan.Run({.spec = SimRest(simulator->url(), 24h * 3), .to = kBeforeTheCrowd}));
  }
  const auto begin = clock.Elapsed();
  std::vector<SideProcess> processes;
  for (int i = 0; i < executors; ++i)
    processes.push_back(SideProcess::Start({"--execute", database}));
  int requests = 0;
  for (auto& process : processes) {
    const auto did = std::atoi(process.ReadLine().c_str());
    if (did < 0) bench::Stop({ErrorCode::kInternal, "an executor left gaps"});
    requests += did;
  }
  const auto seconds = std::chrono::duration<double>(clock.Elapsed() - begin).count();
  const auto stats = simulator->Stats();
  fmt::print("  {} executors: {} requests in {:5.1f} s, {:4.1f}/s of {} allowed, {} refused",
             executors, requests, seconds, requests / seconds, static_cast<int>(kLimit * kPart),
             *stats.Find("sources")->Find("rest")->Find("rejected")->AsInteger());
  return seconds;
}

// `servers`: an empty database for each.
void Scaling(std::span<char* const> servers = {}) {
  fmt::print("scaling: pages of 200 ms, limit {}/s, at {:.0f} % of limit and page size\n", kLimit,
             kPart * 100);
  const auto database = [&](std::size_t i) { return servers.empty() ? "" : servers[i]; };
  const auto alone = DrainedBy(1, database(0));
  fmt::print("\n");
  for (const int executors : {2, 4}) {
    const auto together = DrainedBy(executors, database(executors == 2 ? 1 : 2));
    fmt::print(", {:.2f} × as fast as one\n", alone / together);
  }
}

// Of the batches that came after a retry or not at all for what passes by itself.
constexpr std::string_view kRetried = R"sql(
    SELECT count(*) FILTER (WHERE status_code = 'SUCCEEDED' AND json_extract(stats, '$.retryCount') > 0) AS came,
           count(*) FILTER (WHERE status_code = 'FAILED' AND error_level = 'L1') AS lost,
           coalesce(sum(json_extract(stats, '$.retryCount')), 0) AS retries
    FROM ing_task_run_batch)sql";

void Retries() {
  const auto simulator = Provider(R"({"seed":3,"faults":[
      {"kind":"too_many_requests","probability":0.1,"retry_after":"1s"},
      {"kind":"server_error","probability":0.1}]})",
                                  false);
  testing::TemporaryFolder folder;
  testing::WorldClock clock(*simulator);
  const auto engine = Must(boot::Engine::Open(OptionsFor(folder.Path("patra.db")), clock));
  auto spec = SimRest(simulator->url(), 24h * 12);
  spec.paging.size = 10;
  const auto summary =
      Must(testing::Harvest(*engine, {.spec = spec, .to = kNow - 2h}, {.workers = 0}));
  Must(testing::DatabaseOf(engine->store())
           .Read([&](infra::sql::Session& connection) -> Result<void> {
             auto rows = PATRA_TRY(connection.Query(kRetried));
             PATRA_TRY(rows.Next());
             const auto came = rows.Integer("came"), lost = rows.Integer("lost");
             fmt::print(
                 "retries: {} requests, {} of them retries; {} of {} pages that needed one came "
                 "within "
                 "their run: {:.1f} % (goal 95 %){}\n",
                 summary.work.totals.requests, rows.Integer("retries"), came, came + lost,
                 100.0 * static_cast<double>(came) / static_cast<double>(came + lost),
                 summary.complete() ? "" : ", NOT COMPLETE");
             return {};
           }));
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == "--execute") return patra::Execute(argv[2]), 0;
  const std::span arguments(argv, static_cast<std::size_t>(argc));
  if (argc == 5 && std::string_view(argv[1]) == "--servers")
    return patra::Scaling(arguments.subspan(2)), 0;
  patra::Scaling();
  patra::Retries();
}
