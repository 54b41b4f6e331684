// A whole harvest against the floor (bench/floor): Crossref-like pages of 1,000 records from the simulator into
// SQLite, everything included: permits, ledger, raw vault, content hashes, outbox, proof.
//
//   harvest_bench [--records N] [--store N] [--server URL]
//
// 100,000 records into an empty store and into one with 10,000,000; --server compares patra
// in an empty file with patra in that database.
//
// The simulator, the floor and patra are a process each, so memory is that of one side alone. A store that
// is not empty is filled before the clock starts: N rows with ids that lie evenly among the ids to come, so that
// every upsert goes to a random leaf; patra's rows have their real columns and indexes, the floor's its three
// columns.
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <fmt/format.h>

#include "app/source/sources.h"
#include "base/value.h"
#include "bench/floor/floor.h"
#include "bench/side_process.h"
#include "boot/engine.h"
#include "infra/definitions/yaml_files.h"
#include "infra/sqlite/connection.h"
#include "infra/sqlite/store.h"
#include "sim/simulator.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using namespace std::chrono_literals;
using bench::Must;
using bench::SideProcess;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 1 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

class WorldClock final : public Clock {
 public:
  Instant Now() const override { return kNow + real_.Elapsed() - start_; }
  Duration Elapsed() const override { return real_.Elapsed(); }
  void SleepFor(Duration duration) override { real_.SleepFor(duration); }

 private:
  SystemClock real_;
  Duration start_ = real_.Elapsed();
};

domain::SpecSnapshot Crossref(const std::string& url) {
  infra::definitions::YamlFiles files;
  app::Sources sources(files, std::string(PATRA_SOURCE_DIR) + "/sources");
  const auto compiled = Must(sources.Compile(
      "crossref/works", {"http.base_url=" + url + "/crossref", "http.allow_http=true",
                         "window.start=2025-01-01", "paging.size=1000"}));
  auto spec = Must(domain::SpecSnapshot::FromValue(Must(ParseJson(compiled.snapshot))));
  spec.limits = {{.rate = domain::RateSpec{.requests = 100'000, .per = 1s}}};
  spec.window.width = spec.window.width_max = 24h * 90;
  return spec;
}

// A line of /proc/self/status, such as VmHWM, in megabytes. What getrusage says outlives an exec.
double Megabytes(std::string_view name) {
  std::ifstream status("/proc/self/status");
  std::string line;
  while (std::getline(status, line)) {
    if (line.starts_with(name)) return std::strtod(line.c_str() + name.size() + 1, nullptr) / 1024;
  }
  return 0;
}
double CpuSeconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}
double PeakMegabytes() { return Megabytes("VmHWM"); }
double MegabytesNow() { return Megabytes("VmRSS"); }

// What a side tells its parent, one line.
struct Measured {
  std::int64_t records = 0;
  double seconds = 0;
  double quarter_mb = 0;  // resident when a quarter was there
  double end_mb = 0;
  double peak_mb = 0;
  int complete = 1;
  double cpu_seconds = CpuSeconds();

  double rate() const { return static_cast<double>(records) / seconds; }
  void Tell() const {
    fmt::print("{} {} {} {} {} {} {}\n", records, seconds, quarter_mb, end_mb, peak_mb, complete,
               cpu_seconds);
  }
  static Measured Of(const std::string& line) {
    Measured m;
    if (std::sscanf(line.c_str(), "%ld %lf %lf %lf %lf %d %lf", &m.records, &m.seconds,
                    &m.quarter_mb, &m.end_mb, &m.peak_mb, &m.complete, &m.cpu_seconds) != 7) {
      fmt::print(stderr, "a side did not finish\n");
      std::exit(1);
    }
    return m;
  }
};

// The sides, each run in a process of its own.

void Simulate(std::int64_t records) {
  const auto simulator = Must(sim::Simulator::Start({.size = records,
                                                     .providers = {"crossref"},
                                                     .begin = kBegin,
                                                     .now = kNow,
                                                     .late_by = 1h,
                                                     .enforce_limits = false}));
  fmt::print("{}\n", simulator->url());
  std::fflush(stdout);
  pause();  // until the parent has had enough
}

void HarvestFloor(const std::string& url, const std::string& database) {
  const auto least = floor::Harvest(
      fmt::format("{}/crossref/works?rows=1000&filter=from-index-date:2025-01-01T00:00:00,"
                  "until-index-date:2025-12-31T21:59:59",
                  url),
      database);
  Measured{.records = least.records, .seconds = least.seconds, .peak_mb = PeakMegabytes()}.Tell();
}

void HarvestPatra(const std::string& url, const std::string& database, std::int64_t records) {
  WorldClock clock;
  const auto engine =
      Must(boot::Engine::Open({.database = database, .allow_loopback = true}, clock));
  Measured measured;
  const auto start = clock.Elapsed();
  const auto summary = Must(testing::Harvest(
      *engine, {.spec = Crossref(url), .to = kNow - 2h}, {.workers = 1}, [&](const auto& progress) {
        const bool is_quarter = progress.work.counts.received > records / 4;
        if (is_quarter && measured.quarter_mb == 0) measured.quarter_mb = MegabytesNow();
      }));
  measured.seconds = std::chrono::duration<double>(clock.Elapsed() - start).count();
  measured.records = summary.work.totals.counts.received;
  measured.end_mb = MegabytesNow();
  measured.peak_mb = PeakMegabytes();
  measured.complete = summary.complete() ? 1 : 0;
  measured.cpu_seconds = CpuSeconds();
  measured.Tell();
}

// Bulk: one transaction without a journal, indexes made at the end.

void Fill(const std::string& database, std::int64_t rows, const std::string& sql) {
  const auto connection = Must(
      infra::sqlite::Connection::Open(database, infra::sqlite::Connection::Access::kReadWrite));
  Must(
      connection->Execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
                          "PRAGMA cache_size = -524288; PRAGMA temp_store = MEMORY"));
  Must(connection->Execute(fmt::format(fmt::runtime(sql), rows)));
}

constexpr const char* kOldIds =
    "WITH RECURSIVE old(n, id) AS (SELECT 1, '10.5555/sim.1-old' UNION ALL "
    "SELECT n + 1, '10.5555/sim.' || (n + 1) || '-old' FROM old WHERE n < {0}) ";

void FillFloor(const std::string& database, std::int64_t rows) {
  floor::Prepare(database);
  Fill(database, rows,
       fmt::format("{} INSERT INTO item SELECT id, '2024-12-31T00:00:00Z', "
                   "'A title of the usual length, which says what it is about ' || n "
                   "FROM old ORDER BY id",
                   kOldIds));
}

void FillPatra(const std::string& database, std::int64_t rows) {
  SystemClock clock;
  Must(infra::sqlite::Store::Open({.path = database}, clock));
  Fill(database, rows,
       fmt::format(
           "DROP INDEX uk_item; DROP INDEX idx_item_updated; DROP INDEX idx_item_refreshed; "
           "INSERT INTO ing_record_set (id, provenance_code, endpoint_name) VALUES (1, 'crossref', "
           "'works'); "
           "{} INSERT INTO ing_item (id, record_set_id, provider_item_id, updated_at, "
           "fetched_at, content_hash, fields, expr_hash, batch_id, first_seen_at, refreshed_at) "
           "SELECT n, 1, id, 1700000000000000 + n, 1700000000000000, randomblob(32), "
           "'{{{{\"title\":\"A title of the usual length, which says what it is about ' || n || "
           "'\"}}}}', randomblob(32), 1, 1700000000000000, 1700000000000000 FROM old; "
           "CREATE UNIQUE INDEX uk_item ON ing_item (record_set_id, provider_item_id); "
           "CREATE INDEX idx_item_updated ON ing_item (record_set_id, updated_at); "
           "CREATE INDEX idx_item_refreshed ON ing_item (record_set_id, refreshed_at) "
           "WHERE deleted_at IS NULL AND merged_into IS NULL",
           kOldIds));
}

double Gigabytes(const std::string& file) {
  return static_cast<double>(std::filesystem::file_size(file)) / 1e9;
}

Measured PatraInto(const std::string& url, const std::string& database, std::int64_t records) {
  return Measured::Of(
      SideProcess::Start({"--patra", url, database, std::to_string(records)}).ReadLine());
}

void Compare(std::int64_t records, std::int64_t store) {
  testing::TemporaryFolder folder;
  const auto floor_file = folder.Path("floor.db");
  const auto patra_file = folder.Path("patra.db");
  if (store > 0) {
    FillFloor(floor_file, store);
    FillPatra(patra_file, store);
    fmt::print("store of {} records: floor {:.1f} GB, patra {:.1f} GB\n", store,
               Gigabytes(floor_file), Gigabytes(patra_file));
  } else {
    fmt::print("empty store\n");
  }
  auto simulator = SideProcess::Start({"--simulate", std::to_string(records)});
  const auto url = simulator.ReadLine();
  const auto least = Measured::Of(SideProcess::Start({"--floor", url, floor_file}).ReadLine());
  fmt::print("  floor  {:>8} records: {:7.0f}/s, {:.1f} s of CPU, peak {:.0f} MB\n", least.records,
             least.rate(), least.cpu_seconds, least.peak_mb);
  const auto ours = PatraInto(url, patra_file, records);
  fmt::print(
      "  patra  {:>8} records: {:7.0f}/s, {:.2f} of the floor (goal 0.6), {:.1f} s of CPU; "
      "resident {:.0f} MB at a "
      "quarter, {:.0f} at the end, peak {:.0f} (goal 100){}\n",
      ours.records, ours.rate(), ours.rate() / least.rate(), ours.cpu_seconds, ours.quarter_mb,
      ours.end_mb, ours.peak_mb, ours.complete != 0 ? "" : ", NOT COMPLETE");
}

void CompareWithServer(std::int64_t records, const std::string& server) {
  testing::TemporaryFolder folder;
  auto simulator = SideProcess::Start({"--simulate", std::to_string(records)});
  const auto url = simulator.ReadLine();
  const auto file = PatraInto(url, folder.Path("patra.db"), records);
  fmt::print("a whole harvest of {} records\n  into a file    {:7.0f}/s{}\n", file.records,
             file.rate(), file.complete != 0 ? "" : ", NOT COMPLETE");
  const auto served = PatraInto(url, server, records);
  fmt::print("  into a server  {:7.0f}/s, {:.2f} of that (goal 0.5){}\n", served.rate(),
             served.rate() / file.rate(), served.complete != 0 ? "" : ", NOT COMPLETE");
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  const std::string_view side = argc > 1 ? argv[1] : "";
  if (side == "--simulate" && argc == 3) return patra::Simulate(std::atoll(argv[2])), 0;
  if (side == "--floor" && argc == 4) return patra::HarvestFloor(argv[2], argv[3]), 0;
  if (side == "--patra" && argc == 5)
    return patra::HarvestPatra(argv[2], argv[3], std::atoll(argv[4])), 0;
  std::int64_t records = 100'000;
  std::int64_t store = -1;
  std::string server;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--records") == 0) records = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--store") == 0) store = std::atoll(argv[i + 1]);
    if (std::strcmp(argv[i], "--server") == 0) server = argv[i + 1];
  }
  if (!server.empty()) return patra::CompareWithServer(records, server), 0;
  if (store < 0) patra::Compare(records, 0);
  patra::Compare(records, store < 0 ? 10'000'000 : store);
}
