// How far one database goes, in virtual time: a hundred machines, a thousand sources, 10^9 records, and which part ends first
// (tests/simulation/fleet_model.h). Nothing is measured here: what parts take was measured before (docs/scaling.md).
#include <string>

#include <fmt/format.h>

#include "tests/simulation/fleet_model.h"

namespace patra {
namespace {

using testing::Fleet;
using testing::FleetCosts;
using testing::FleetReport;

constexpr double kBusy = 0.9;
constexpr double kComes =
    0.9;  // of what providers allow: with less, something of ours has come to its end
// Virtual seconds: what a fleet takes to get going, and what says how a load goes.
constexpr double kStart = 300;
constexpr double kLook = 60;
constexpr std::int64_t kPlenty = 50'000'000;

void Compare(const char* what, double model, double seen) {
  fmt::print("  {:<66} model {:>7.0f}, measured {:>7.0f}: {:.2f}\n", what, model, seen,
             model / seen);
}

// One machine, on which client and server share two cores.
void CheckAgainstWhatWasMeasured() {
  fmt::print("the model beside what was measured (docs/scaling.md)\n");
  const Fleet alone{
      .machines = 1, .workers = 1, .cores = 1, .round_trip = 0, .sources = 1, .look_again = 0.001};

  auto harvest = alone;
  harvest.rate = 10'000;
  harvest.latency = 0.002;
  harvest.workers = 4;
  const auto records = testing::Play(harvest, {}, 100, 60).pages_a_second() * 1'000;
  Compare("a harvest of 100,000 records, records/s, the slower run", records, 47'500);
  Compare("the same, the faster run", records, 66'700);

  // Fifty tasks are one here, claimed in 7.6 ms and finished by one statement.
  auto turnover = alone;
  turnover.rate = 1e6;
  turnover.latency = 0;
  turnover.pages_of_task = 1;
  const FleetCosts fifties{
      .claim = 0.0076, .claim_of_lane = 0, .commit = 0.0014, .open_and_close = 0, .permit = 0};
  const auto tasks = testing::Play(turnover, fifties, 2'000, 60).pages_a_second() * 50;
  Compare("tasks claimed by fifties and finished, a second, one consumer", tasks, 5'609);

  auto limited = alone;
  limited.rate = 28;
  limited.latency = 0.2;
  limited.pages_of_task = 10;
  double first = 0;
  for (const auto& [executors, seen] : {std::pair(1, 1.0), {2, 1.93}, {4, 3.66}}) {
    limited.machines = executors;
    const auto rate = testing::Play(limited, {}, kPlenty, kLook).pages_a_second();
    if (executors == 1) first = rate;
    fmt::print(
        "  {} executors under a limit of 28/s, pages of 200 ms: model {:.2f} x, measured {:.2f} "
        "x\n",
        executors, rate / first, seen);
  }
}

void PrintHead() {
  fmt::print("  {:>9} {:>8} {:>8} {:>11} {:>6} {:>4} {:>7} {:>8} {:>6}  {}\n", "allowed/s",
             "pages/s", "tasks/s", "queue lock", "cores", "log", "source", "workers", "Redis",
             "wait for a claim");
}

void Print(const FleetReport& report) {
  const auto percent = [&](const char* name) {
    return fmt::format("{:.0f} %", report.part(name).busy * 100);
  };
  fmt::print("  {:>9.0f} {:>8.0f} {:>8.1f} {:>11} {:>6} {:>4} {:>7} {:>8} {:>6}  {:.3f} s\n",
             report.allowed, report.pages_a_second(),
             static_cast<double>(report.tasks) / report.seconds, percent("queue lock"),
             percent("server cores"), percent("log disk"), percent("a source's lock"),
             percent("workers"), percent("Redis"), report.part("queue lock").waited);
  std::fflush(stdout);
}

// Raises what providers allow until a tenth of it does not come, and says which parts of ours have no rest then. A lock
// that is held while cores are waited for has none because of them.
void FindTheEnd(const std::string& what, Fleet fleet, bool prints_all) {
  FleetReport last;
  double most = 0;
  for (const double rate :
       {0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0, 50.0}) {
    fleet.rate = rate;
    last = testing::Play(fleet, {}, kPlenty, kStart + kLook, kStart);
    most = std::max(most, last.pages_a_second());
    if (prints_all) Print(last);
    if (last.pages_a_second() < kComes * last.allowed) break;
  }
  const bool has_ended = last.pages_a_second() < kComes * last.allowed;
  std::string ended;
  for (const auto& part : last.parts) {
    const bool is_ours = part.name != last.parts.back().name;
    if (!has_ended || !is_ours || part.busy < kBusy) continue;
    ended += fmt::format("{}{} {:.0f} %", ended.empty() ? "" : ", ", part.name, part.busy * 100);
  }
  fmt::print("  {:<52} {:>6.0f} pages/s allowed, {:>5.0f} come: {}\n", what, last.allowed, most,
             ended.empty() ? "nothing of ours has ended" : ended);
  std::fflush(stdout);
}

void PlayAll(const std::string& what, const Fleet& fleet) {
  const auto report = testing::Play(fleet, {}, 1'000'000, 1e7);
  fmt::print("  {}: {:.2f} hours, {:.0f} pages/s of {:.0f} allowed\n", what, report.seconds / 3600,
             report.pages_a_second(), report.allowed);
  std::fflush(stdout);
}

}  // namespace
}  // namespace patra

int main() {
  using namespace patra;
  CheckAgainstWhatWasMeasured();
  const Fleet hundred;
  fmt::print(
      "\n{} machines with {} workers, {} sources, tasks of {} pages of 1,000 records, servers of "
      "{} cores, {} ms away\n",
      hundred.machines, hundred.workers, hundred.sources, hundred.pages_of_task, hundred.cores,
      hundred.round_trip * 1000);
  PrintHead();
  FindTheEnd("one database", hundred, true);
  auto fewer = hundred;
  fewer.sources = 100;
  FindTheEnd("one database, 100 sources", fewer, false);
  fmt::print("\nwhat moves that end: each row has what those above it have\n");
  auto better = hundred;
  better.lanes_asked_max = 30;
  FindTheEnd("a claim asks 30 lanes, not all", better, false);
  better.looks_for_all = true;
  better.look_again = 2;
  FindTheEnd("one worker of a process looks for all, every 2 s", better, false);
  better.pages_of_task = 100;
  FindTheEnd("tasks of 100 pages", better, false);
  better.workers = 64;
  FindTheEnd("64 workers on each machine", better, true);
  fmt::print("\nthe last of these, and one thing else\n");
  const auto best = better;
  better.cores = 64;
  FindTheEnd("64 cores", better, false);
  better = best;
  better.pages_of_task = 2;
  FindTheEnd("tasks of 2 pages", better, false);
  better = best;
  better.round_trip = 0.001;
  FindTheEnd("1 ms between machine and server", better, false);
  better = best;
  better.sources = 10;
  FindTheEnd("10 sources", better, false);
  fmt::print("\nsources spread over k databases\n");
  for (const int databases : {2, 4, 10}) {
    auto spread = hundred;
    spread.databases = databases;
    FindTheEnd(fmt::format("{} databases, as the code is", databases), spread, false);
    spread = best;
    spread.databases = databases;
    FindTheEnd(fmt::format("{} databases, with all of the above", databases), spread, false);
  }
  fmt::print("\n10^9 records, each source allowing one page a second\n");
  PlayAll("one database, as the code is", hundred);
  PlayAll("one database, with all of the above", best);
  auto spread = hundred;
  spread.databases = 10;
  PlayAll("10 databases, as the code is", spread);
  return 0;
}
