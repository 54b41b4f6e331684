// patra-sim: plays providers on a loopback port, replays saved exchanges, and compares a store with
// the truth.
#include <signal.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/duration.h"
#include "sim/faults.h"
#include "sim/play.h"
#include "sim/program/diff.h"
#include "sim/scenario_file.h"
#include "sim/simulator.h"
#include "sim/time_window.h"

namespace patra::sim {
namespace {

constexpr int kDiffers = 1;
constexpr int kFailed = 2;

int Complain(const Error& error) {
  fmt::print(stderr, "patra-sim: {}\n", error.Describe());
  return kFailed;
}

// SIGINT and SIGTERM, blocked before any thread starts so that only Wait sees them.
class StopSignals {
 public:
  StopSignals() {
    sigemptyset(&signals_);
    sigaddset(&signals_, SIGINT);
    sigaddset(&signals_, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
  }

  void Wait() const {
    int signal = 0;
    sigwait(&signals_, &signal);
  }

 private:
  sigset_t signals_;
};

void PrintEndpoints(const std::string& url, const std::vector<std::string>& endpoints) {
  for (const auto& endpoint : endpoints) {
    const auto blank = endpoint.find(' ');
    fmt::print("  {:<5}{}{}\n", endpoint.substr(0, blank), url, endpoint.substr(blank + 1));
  }
}

struct ServeCommand {
  SimulatorOptions options;
  std::string now = "2026-01-01";
  std::string begin = "2020-01-01";
  std::string late_by = "36h";
  std::string clock_offset = "0s";
  std::string scenario;
  std::vector<std::string> faults;
  std::string certificate;
  bool no_limits = false;

  void AddTo(CLI::App& app) {
    app.add_option("--seed", options.seed, "what the world is made from")->capture_default_str();
    app.add_option("--size", options.size, "items at the start")->capture_default_str();
    app.add_option("--address", options.address, "where to listen")->capture_default_str();
    app.add_option("--port", options.port, "0 picks a free one")->capture_default_str();
    app.add_option("--provider", options.providers, "only these (repeat it); default all");
    app.add_option("--begin", begin, "when the world's history begins")->capture_default_str();
    app.add_option("--now", now, "the world's time at the start")->capture_default_str();
    app.add_option("--speed", options.speed, "world seconds per real second; 0 stands still")
        ->capture_default_str();
    app.add_option("--scenario", scenario, "a YAML or JSON file of faults");
    app.add_option("--fault", faults, "kind,name=value,… (repeat it); see 'patra-sim faults'");
    app.add_option("--late-by", late_by, "how long late arrivals stay invisible")
        ->capture_default_str();
    app.add_option("--clock-offset", clock_offset,
                   "by how much the servers' clocks are ahead of real time (negative: behind)")
        ->capture_default_str();
    app.add_flag("--gzip", options.gzip, "compress for clients that accept it");
    app.add_flag("--no-limits", no_limits, "do not enforce the providers' rate limits");
    app.add_flag("--tls", options.tls, "HTTPS with a throw-away certificate");
    app.add_option("--certificate", certificate, "where to write that certificate (PEM)");
  }

  Result<void> Complete() {
    const auto begin_period = ParsePeriod(begin);
    const auto now_period = ParsePeriod(now);
    if (!begin_period || !now_period) {
      return Fail(ErrorCode::kInvalidInput, "--begin and --now must be dates", {},
                  "write 2026-01-01 or 2026-01-01T00:00:00Z");
    }
    options.begin = begin_period->first;
    options.now = now_period->first;
    options.late_by = PATRA_TRY(ParseDuration(late_by));
    const bool is_behind = clock_offset.starts_with('-');
    const auto offset = PATRA_TRY(ParseDuration(clock_offset.substr(is_behind ? 1 : 0)));
    options.clock_offset = is_behind ? -offset : offset;
    options.enforce_limits = !no_limits;
    if (!scenario.empty()) options.faults = PATRA_TRY(ReadScenario(scenario));
    if (faults.empty()) return {};
    // Faults of the command line come on top of those in the file.
    if (options.faults.is_null()) options.faults = Value::Object{{"faults", Value::Array{}}};
    auto* list = options.faults.AsArray();
    if (!list) list = options.faults["faults"].AsArray();
    if (!list) return Fail(ErrorCode::kInvalidInput, "the scenario has no list of faults");
    for (const auto& text : faults) list->push_back(PATRA_TRY(ParseFaultText(text)));
    return {};
  }

  int Run() {
    if (auto completed = Complete(); !completed) return Complain(completed.error());
    const StopSignals signals;
    const auto simulator = Simulator::Start(options);
    if (!simulator) return Complain(simulator.error());
    if (!certificate.empty()) std::ofstream(certificate) << (*simulator)->certificate();
    const auto url = (*simulator)->url();
    fmt::print("patra-sim listens on {}\n", url);
    PrintEndpoints(url, (*simulator)->Endpoints());
    fmt::print("  controls: {}/__sim\n", url);
    std::fflush(stdout);
    signals.Wait();
    (*simulator)->Stop();
    return 0;
  }
};

struct PlayCommand {
  std::string folder;
  ServerOptions options;

  void AddTo(CLI::App& app) {
    app.add_option("folder", folder, "where the exchanges are")->required();
    app.add_option("--address", options.address, "where to listen")->capture_default_str();
    app.add_option("--port", options.port, "0 picks a free one")->capture_default_str();
    app.add_flag("--tls", options.tls, "HTTPS with a throw-away certificate");
  }

  int Run() {
    auto exchanges = LoadExchanges(folder);
    if (!exchanges) return Complain(exchanges.error());
    Player player(std::move(*exchanges));
    const StopSignals signals;
    const auto server = Server::Start(options, player);
    if (!server) return Complain(server.error());
    const auto url = fmt::format("{}://{}:{}", options.tls ? "https" : "http", options.address,
                                 (*server)->port());
    fmt::print("patra-sim plays {} exchanges on {}\n", player.size(), url);
    PrintEndpoints(url, player.Requests());
    std::fflush(stdout);
    signals.Wait();
    (*server)->Stop();
    return 0;
  }
};

struct DiffCommand {
  DiffOptions options;
  bool json = false;

  void AddTo(CLI::App& app) {
    auto* store = app.add_option_group("store", "what is compared");
    store->add_option("--db", options.database, "the store (SQLite file)");
    store->add_option("--items", options.items,
                      "of any other store: what `patra items export --with-deleted` wrote");
    store->require_option(1);
    app.add_option("--source", options.source, "as the simulator names it")->required();
    app.add_option("--url", options.url, "of the simulator")->required();
    app.add_option("--provenance", options.provenance, "as the store names the source");
    app.add_option("--endpoint", options.endpoint, "only this endpoint's items");
    app.add_option("--from", options.from, "only what changed since then");
    app.add_option("--to", options.to, "only what changed before then");
    app.add_flag("--json", json, "for programs");
  }

  int Run() const {
    const auto report = Compare(options);
    if (!report) return Complain(report.error());
    if (json) {
      fmt::print("{}\n", PrintJson(report->Describe(), 2));
    } else {
      fmt::print("{} of {} items are right\n", report->right, report->expected);
      PrintFinding("missing", report->missing);
      PrintFinding("extra", report->extra);
      PrintFinding("stale", report->stale);
      PrintFinding("wrong", report->wrong);
    }
    return report->empty() ? 0 : kDiffers;
  }

  static void PrintFinding(std::string_view name, const DiffReport::Finding& finding) {
    if (finding.count == 0) return;
    fmt::print("{}: {}\n", name, finding.count);
    for (const auto& example : finding.examples) fmt::print("  {}\n", example);
  }
};

int ListFaults() {
  for (const auto& info : AllFaultKinds()) fmt::print("{:<20} {}\n", info.name, info.what);
  return 0;
}

int Main(int count, char** arguments) {
  CLI::App app("Plays the APIs that patra harvests, with a known truth and faults on demand.",
               "patra-sim");
  app.require_subcommand(0, 1);
  ServeCommand serve;
  serve.AddTo(app);
  PlayCommand play;
  auto* play_app = app.add_subcommand("play", "serves saved exchanges");
  play.AddTo(*play_app);
  DiffCommand diff;
  auto* diff_app = app.add_subcommand("diff", "compares a patra store with the truth");
  diff.AddTo(*diff_app);
  auto* faults_app = app.add_subcommand("faults", "lists the kinds of faults");
  CLI11_PARSE(app, count, arguments);
  if (play_app->parsed()) return play.Run();
  if (diff_app->parsed()) return diff.Run();
  if (faults_app->parsed()) return ListFaults();
  return serve.Run();
}

}  // namespace
}  // namespace patra::sim

int main(int count, char** arguments) { return patra::sim::Main(count, arguments); }
