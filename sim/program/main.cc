// patra-sim: plays providers on a loopback port.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/simulator.h"
#include "sim/time_window.h"

namespace patra::sim {
namespace {

int Complain(const Error& error) {
  fmt::print(stderr, "patra-sim: {}\n", error.Describe());
  return 2;
}

// Waits for SIGINT or SIGTERM, which must be blocked in every thread.
void WaitForSignal(const sigset_t& signals) {
  int signal = 0;
  sigwait(&signals, &signal);
}

int Serve(const SimulatorOptions& options) {
  // Blocked before any thread starts, so that only sigwait sees them.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);

  const auto simulator = Simulator::Start(options);
  if (!simulator) return Complain(simulator.error());
  const auto url = (*simulator)->url();
  fmt::print("patra-sim listens on {}\n", url);
  for (const auto& endpoint : (*simulator)->Endpoints()) {
    const auto blank = endpoint.find(' ');
    fmt::print("  {:<5}{}{}\n", endpoint.substr(0, blank), url, endpoint.substr(blank + 1));
  }
  fmt::print("  controls: {}/__sim\n", url);
  std::fflush(stdout);
  WaitForSignal(signals);
  (*simulator)->Stop();
  return 0;
}

int Main(int count, char** arguments) {
  SimulatorOptions options;
  std::string now = "2026-01-01";
  std::string begin = "2020-01-01";
  bool no_limits = false;
  CLI::App app("Plays the APIs that patra harvests, with a known truth and faults on demand.",
               "patra-sim");
  app.add_option("--seed", options.seed, "what the world is made from")->capture_default_str();
  app.add_option("--size", options.size, "items at the start")->capture_default_str();
  app.add_option("--address", options.address, "where to listen")->capture_default_str();
  app.add_option("--port", options.port, "0 picks a free one")->capture_default_str();
  app.add_option("--provider", options.providers, "only these (repeat it); default all");
  app.add_option("--begin", begin, "when the world's history begins")->capture_default_str();
  app.add_option("--now", now, "the world's time at the start")->capture_default_str();
  app.add_option("--speed", options.speed, "world seconds per real second; 0 stands still")
      ->capture_default_str();
  app.add_flag("--no-limits", no_limits, "do not enforce the providers' rate limits");
  app.add_flag("--tls", options.tls, "HTTPS with a throw-away certificate");
  CLI11_PARSE(app, count, arguments);

  const auto begin_period = ParsePeriod(begin);
  const auto now_period = ParsePeriod(now);
  if (!begin_period || !now_period) {
    return Complain({ErrorCode::kInvalidInput,
                     "--begin and --now must be dates",
                     {},
                     "write 2026-01-01 or 2026-01-01T00:00:00Z"});
  }
  options.begin = begin_period->first;
  options.now = now_period->first;
  options.enforce_limits = !no_limits;
  return Serve(options);
}

}  // namespace
}  // namespace patra::sim

int main(int count, char** arguments) { return patra::sim::Main(count, arguments); }
