// How fast plans are cut and written, and that memory does not grow with their slices.
#include <chrono>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "app/plan/plan_harvest.h"
#include "boot/engine.h"
#include "domain/plan/slicer.h"
#include "tests/temporary_folder.h"

namespace patra {
namespace {

using Steady = std::chrono::steady_clock;
using namespace std::chrono_literals;

double Seconds(Steady::duration duration) {
  return std::chrono::duration<double>(duration).count();
}

std::int64_t ResidentKiloBytes() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word) {
    if (word == "VmRSS:") {
      std::int64_t kilobytes = 0;
      status >> kilobytes;
      return kilobytes;
    }
  }
  return 0;
}

void CutOnly(std::int64_t slices) {
  for (const auto* zone : {"UTC", "America/New_York"}) {
    const auto window = *domain::Window::Between(Instant(0h), Instant(slices * Duration(15min)));
    domain::TimeSlicer slicer({window}, domain::TimeGrid(15min, *TimeZone::Find(zone)),
                              domain::SliceOrder::kOldestFirst);
    const auto before = ResidentKiloBytes();
    const auto start = Steady::now();
    std::int64_t count = 0;
    while (slicer.Next()) ++count;
    const auto seconds = Seconds(Steady::now() - start);
    fmt::print("cut {} slices in {}: {:.0f} a second, memory grew by {} kB\n", count, zone,
               static_cast<double>(count) / seconds, ResidentKiloBytes() - before);
  }
}

// Ten plans of a tenth each would not tell whether the last slices cost more than the first.
void WritePlan(std::int64_t slices) {
  VirtualClock clock(Instant(slices * Duration(15min)) + 1h);
  testing::TemporaryFolder folder;
  const auto engine = boot::Engine::Open({.database = "sqlite:" + folder.Path("patra.db")}, clock);
  if (!engine) {
    fmt::print("{}\n", engine.error().Describe());
    return;
  }
  app::PlanHarvest plan((*engine)->plan_ports(), {.open_tasks_max = slices + 1});
  domain::SpecSnapshot spec{.provenance = "demo", .endpoint = "items"};
  spec.window.width = 15min;
  spec.window.align = 15min;
  spec.window.safety_lag = 0s;
  spec.window.width_max = 15min;
  spec.limits = {{.rate = domain::RateSpec{.requests = 1'000, .per = 1s}}};
  const auto before = ResidentKiloBytes();
  const auto start = Steady::now();
  // Flat means: once the store's cache is full, nothing grows any more. Seen every so often, from outside.
  std::vector<std::int64_t> seen;
  std::jthread watch([&seen](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      seen.push_back(ResidentKiloBytes());
      std::this_thread::sleep_for(100ms);
    }
  });
  const auto planned = plan.Run({.spec = spec});
  const auto seconds = Seconds(Steady::now() - start);
  watch.request_stop();
  watch.join();
  if (!planned) {
    fmt::print("{}\n", planned.error().Describe());
    return;
  }
  const auto at = [&](double part) {
    return seen[static_cast<std::size_t>(static_cast<double>(seen.size() - 1) * part)] - before;
  };
  fmt::print(
      "wrote {} slices with their tasks: {:.0f} a second; memory above the start: {} kB after a "
      "tenth, {} kB after a half, {} kB at the end\n",
      planned->slices, planned->slices / seconds, at(0.1), at(0.5), at(1.0));
}

}  // namespace
}  // namespace patra

int main(int argc, char** argv) {
  const bool small = argc > 1 && std::strcmp(argv[1], "--small") == 0;
  patra::CutOnly(small ? 10'000 : 1'000'000);
  patra::WritePlan(small ? 1'000 : 20'000);
  patra::WritePlan(small ? 10'000 : 200'000);
  if (argc > 1 && std::strcmp(argv[1], "--million") == 0) patra::WritePlan(1'000'000);
  return 0;
}
