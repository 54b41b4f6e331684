// A whole harvest against the floor (bench/floor): Crossref-like pages of 1,000 records from the simulator into
// SQLite, everything included: permits, ledger, raw vault, content hashes, proof.
//
//   harvest_bench [--records N]     (100,000; each side starts with an empty store)
#include <sys/resource.h>

#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "app/source/sources.h"
#include "base/value.h"
#include "bench/floor/floor.h"
#include "boot/engine.h"
#include "infra/definitions/yaml_files.h"
#include "sim/simulator.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 1 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};

template <typename T>
T Must(Result<T> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", result.error().Describe());
    std::exit(1);
  }
  return *std::move(result);
}

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
  infra::reader::PageReader reader;
  app::Sources sources(files, reader, std::string(PATRA_SOURCE_DIR) + "/sources");
  const auto compiled = Must(sources.Compile(
      "crossref/works", {"http.base_url=" + url + "/crossref", "http.allow_http=true",
                         "window.start=2025-01-01", "paging.size=1000"}));
  auto spec = Must(domain::SpecSnapshot::FromValue(Must(ParseJson(compiled.snapshot))));
  spec.limits = {{.rate = domain::RateSpec{.requests = 100'000, .per = 1s}}};
  spec.window.width = spec.window.width_max = 24h * 90;
  return spec;
}

std::int64_t PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss / 1024;
}

void Compare(std::int64_t records) {
  const auto simulator = Must(sim::Simulator::Start({.size = records,
                                                     .providers = {"crossref"},
                                                     .begin = kBegin,
                                                     .now = kNow,
                                                     .late_by = 1h,
                                                     .enforce_limits = false}));
  testing::TemporaryFolder folder;
  const auto to = kNow - 2h;
  const auto least = floor::Harvest(
      fmt::format("{}/crossref/works?rows=1000&filter=from-index-date:2025-01-01T00:00:00,"
                  "until-index-date:{}",
                  simulator->url(), "2025-12-31T21:59:59"),
      folder.Path("floor.db"));
  const auto floor_rate = static_cast<double>(least.records) / least.seconds;
  fmt::print("floor   {:>9} records, {:6.1f} MB: {:8.0f} records/s\n", least.records,
             static_cast<double>(least.bytes) / 1e6, floor_rate);

  for (const bool is_ahead : {false, true}) {
    WorldClock clock;
    const auto engine = Must(boot::Engine::Open({.database_file = folder.Path(is_ahead ? "b" : "a"),
                                                 .allow_loopback = true,
                                                 .execute = {.fetch_ahead = is_ahead}},
                                                clock));
    const auto start = clock.Elapsed();
    const auto summary = Must(engine->harvest().Run({.spec = Crossref(simulator->url()), .to = to},
                                                    {.workers = 1}, [](const auto&) {}));
    const auto seconds = std::chrono::duration<double>(clock.Elapsed() - start).count();
    const auto rate = static_cast<double>(summary.work.totals.counts.received) / seconds;
    fmt::print("patra   {:>9} records{}: {:8.0f} records/s, {:.2f} of the floor, peak {} MB{}\n",
               summary.work.totals.counts.received,
               is_ahead ? ", the next page under way while one is written" : "", rate,
               rate / floor_rate, PeakMegabytes(), summary.complete() ? "" : ", NOT COMPLETE");
  }
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  std::int64_t records = 100'000;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--records") == 0) records = std::atoll(argv[i + 1]);
  }
  patra::Compare(records);
}
