// A harvest in a process of its own, killed without warning again and again, until it is done. Then the
// store must hold exactly the truth, and every count of the ledger must balance (I12).
//
//   patra_torture [--seconds N] [--seed N]
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fmt/format.h>

#include "base/random.h"
#include "base/time.h"
#include "boot/demo_source.h"
#include "boot/engine.h"
#include "sim/simulator.h"
#include "tests/child_process.h"
#include "tests/raw_database.h"
#include "tests/run_harvest.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using namespace std::chrono_literals;

const Instant kBegin{std::chrono::sys_days{std::chrono::year{2025} / 1 / 1}};
const Instant kNow{std::chrono::sys_days{std::chrono::year{2026} / 1 / 1}};
constexpr std::int64_t kRecords = 4000;

// Stands at the world's time but lets leases run out: it moves with real time, much faster.
class FastClock final : public Clock {
 public:
  explicit FastClock(Instant start) : start_(start), real_start_(real_.Elapsed()) {}
  Instant Now() const override { return start_ + (real_.Elapsed() - real_start_) * kFaster; }
  Duration Elapsed() const override { return real_.Elapsed(); }
  void SleepFor(Duration duration) override { real_.SleepFor(duration / kFaster); }

 private:
  static constexpr int kFaster = 200;

  SystemClock real_;
  Instant start_;
  Duration real_start_;
};

// The child: harvests and exits with 0 when everything is done.
int Harvest(const std::string& url, const std::string& database, Instant start) {
  FastClock clock(start);
  const auto engine =
      boot::Engine::Open({.database = "sqlite:" + database, .allow_loopback = true}, clock);
  if (!engine) {
    fmt::print(stderr, "child: {}\n", engine.error().Describe());
    return 1;
  }
  const auto summary = testing::Harvest(
      **engine, {.spec = boot::DemoSource(url, kBegin), .to = kNow - 2 * boot::kDemoLatestArrival},
      {.workers = 0});
  if (!summary) {
    fmt::print(stderr, "child: {}\n", summary.error().Describe());
    return 1;
  }
  return summary->complete() ? 0 : 1;
}

struct Round {
  int kills = 0;
  boot::Difference difference;
};

constexpr std::string_view kUnbalanced = R"sql(
    SELECT coalesce(group_concat(id || ' ' || status_code || ' announced ' || coalesce(announced, '-') ||
                                 ' received ' || received || ' ' || coalesce(gap, ''), '; '), '')
    FROM ing_plan_slice
    WHERE status_code <> 'SUCCEEDED'
       OR received <> inserted + updated + unchanged + stale + quarantined + filtered OR announced <> received)sql";

Result<Round> KillUntilDone(const char* program, std::uint64_t seed) {
  SeededRandom random(seed);
  testing::TemporaryFolder folder;
  const auto database = folder.Path("patra.db");
  const auto simulator = PATRA_TRY(sim::Simulator::Start({.seed = seed,
                                                          .size = kRecords,
                                                          .providers = {"rest"},
                                                          .begin = kBegin,
                                                          .now = kNow,
                                                          .late_by = boot::kDemoLatestArrival,
                                                          .enforce_limits = false}));
  Round round;
  const auto url = simulator->url();
  // Every child starts a little later, so that the leases of the dead have run out.
  for (auto start = kNow;; start += 60s) {
    auto child = PATRA_TRY(
        testing::ChildProcess::Start({program, "--child", url, database, FormatRfc3339(start)}));
    // Some children live long enough to finish, so that every round ends.
    const auto life = std::chrono::milliseconds(random.Between(5, 40 + 25 * round.kills));
    const auto code = child.AwaitUntil(SystemClock().Elapsed() + life);
    if (code == 0) break;
    if (!code) {
      child.Kill();
      ++round.kills;
      continue;
    }
    return Fail(ErrorCode::kCorruption,
                fmt::format("seed {}: a child failed after {} kills", seed, round.kills));
  }

  SystemClock clock;
  const auto address = PATRA_TRY(boot::StoreAddress::Parse("sqlite:" + database));
  const auto store = PATRA_TRY(boot::OpenStore(address, boot::StoreUse::kLook, clock));
  round.difference = PATRA_TRY(boot::CompareWithTruth(*simulator, store->read().items(), kBegin,
                                                      kNow - 2 * boot::kDemoLatestArrival));
  const auto unbalanced = PATRA_TRY(
      testing::DatabaseOf(*store).Read([](infra::sql::Session& connection) -> Result<std::string> {
        auto rows = PATRA_TRY(connection.Query(kUnbalanced));
        PATRA_TRY(rows.Next());
        return rows.Text(infra::sql::kOnly);
      }));
  if (!round.difference.empty() || !unbalanced.empty()) {
    return Fail(ErrorCode::kCorruption,
                fmt::format("seed {}: after {} kills {} records are missing, {} wrong, slices that "
                            "do not balance: {}",
                            seed, round.kills, round.difference.missing, round.difference.wrong,
                            unbalanced));
  }
  return round;
}

int Torture(const char* program, std::chrono::seconds seconds, std::uint64_t seed) {
  SystemClock clock;
  const auto deadline = clock.Elapsed() + seconds;
  int rounds = 0, kills = 0;
  do {
    const auto round = KillUntilDone(program, seed);
    if (!round) {
      fmt::print(stderr, "torture: {}\n", round.error().Describe());
      return 1;
    }
    ++rounds;
    ++seed;
    kills += round->kills;
  } while (clock.Elapsed() < deadline);
  fmt::print("torture: {} harvests of {} records, killed {} times: nothing lost, nothing doubled\n",
             rounds, kRecords, kills);
  return 0;
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "--child") == 0) {
    return patra::Harvest(argv[2], argv[3], *patra::ParseRfc3339(argv[4]));
  }
  std::chrono::seconds seconds{5};
  std::uint64_t seed = 1;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--seconds") == 0)
      seconds = std::chrono::seconds(std::atoi(argv[i + 1]));
    if (std::strcmp(argv[i], "--seed") == 0)
      seed = static_cast<std::uint64_t>(std::atoll(argv[i + 1]));
  }
  return patra::Torture("/proc/self/exe", seconds, seed);
}
