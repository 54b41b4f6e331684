#include "boot/run_application.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>

#include <fmt/format.h>

#include "app/execute/preview_page.h"
#include "base/duration.h"
#include "boot/engine.h"
#include "boot/engine_planner.h"
#include "boot/engine_request.h"

namespace patra::boot {
namespace {

constexpr Duration kLeaseMin = std::chrono::seconds(1);
constexpr Duration kLeaseMax = std::chrono::minutes(10);

// A signal handler can reach nothing but globals.
std::atomic<app::StopRequest*> g_stop{nullptr};
std::atomic<int> g_signal{0};

void OnSignal(int signal) {
  if (g_signal.exchange(signal) != 0) _exit(128 + signal);
  if (auto* stop = g_stop.load()) stop->Ask();
}

class SignalScope {
 public:
  explicit SignalScope(app::StopRequest& stop) {
    g_stop.store(&stop);
    struct sigaction action{};
    action.sa_handler = OnSignal;
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~SignalScope() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
    g_stop.store(nullptr);
  }
  SignalScope(const SignalScope&) = delete;
  SignalScope& operator=(const SignalScope&) = delete;

 private:
  static constexpr auto kSignals = std::to_array({SIGINT, SIGTERM});
  std::array<struct sigaction, 2> before_{};
};

// Shorter ones run out while a busy machine renews them; longer ones leave the tasks of the dead lying.
Result<Duration> LeaseOf(const adapter::cli::EngineRequest& request) {
  const auto lease = PATRA_TRY(ParseDuration(request.lease));
  if (lease >= kLeaseMin && lease <= kLeaseMax) return lease;
  return Fail(ErrorCode::kInvalidInput, fmt::format("a lease of {} is out of range", request.lease),
              {}, "write --lease 1s to --lease 10m");
}

}  // namespace

Result<app::OperationSummary> RunApplication::Run(const adapter::cli::RunRequest& request,
                                                  const OnProgress& on_progress) {
  SystemClock clock;
  const auto lease = PATRA_TRY(LeaseOf(request.engine));
  const auto options = PATRA_TRY(OptionsOf(request.engine, files_));
  const auto engine = PATRA_TRY(Engine::Open(options, clock));
  const SignalScope signals(engine->stop());
  EnginePlanner planning(*engine, files_);
  return app::RunOperation(planning.planner(), engine->work())
      .Run(EnginePlanner::InFolder(request.plan),
           {.workers = request.workers,
            .lease = lease,
            .running_per_lane_max = request.workers,
            .requests_max = request.plan.options.requests_max},
           on_progress);
}

Result<app::WorkSummary> RunApplication::Work(const adapter::cli::WorkRequest& request,
                                              const OnWork& on_progress) {
  SystemClock clock;
  // Whoever mistypes its name would wait for work that never comes.
  PATRA_TRY(StoreAddress::OfExisting(request.engine.database));
  const auto lease = PATRA_TRY(LeaseOf(request.engine));
  const auto options = PATRA_TRY(OptionsOf(request.engine, files_));
  const auto engine = PATRA_TRY(Engine::Open(options, clock));
  const SignalScope signals(engine->stop());
  return engine->work().Run({.workers = request.workers,
                             .drain = request.drain,
                             .lease = lease,
                             .requests_max = request.requests_max},
                            on_progress);
}

Result<adapter::cli::PreviewReport> RunApplication::Preview(
    const adapter::cli::PreviewRequest& request) {
  SystemClock clock;
  const auto options = PATRA_TRY(OptionsOf(request.engine, files_));
  const auto engine = PATRA_TRY(Engine::Open(options, clock));
  EnginePlanner planning(*engine, files_);
  const auto where = PATRA_TRY(planning.planner().Preview(EnginePlanner::InFolder(request.plan)));
  adapter::cli::PreviewReport report{.problems = where.problems};
  if (!report.problems.empty()) return report;
  const auto seen = PATRA_TRY(engine->preview().Run(*where.spec, *where.window));
  report.window = where.window->Describe();
  report.request = seen.request_digest;
  report.response = seen.response_digest;
  report.verdict = seen.problem;
  report.next = seen.next;
  report.announced = seen.content.announced;
  report.records = static_cast<std::int64_t>(seen.content.records.size());
  report.bad_records = static_cast<std::int64_t>(seen.content.bad_records.size());
  const auto shown = [&](std::size_t index) {
    return static_cast<std::int64_t>(index) < request.records_max;
  };
  for (std::size_t i = 0; i < seen.content.records.size() && shown(i); ++i) {
    const auto& record = seen.content.records[i];
    report.first_records.push_back(
        fmt::format("{} {}{} {}", record.id, FormatRfc3339(record.version.updated_at),
                    record.version.deleted ? " (deleted)" : "", record.fields));
  }
  for (std::size_t i = 0; i < seen.content.bad_records.size() && shown(i); ++i) {
    const auto& bad = seen.content.bad_records[i];
    report.first_bad.push_back(
        fmt::format("{} {}: {}", bad.id.value_or("without an id"), bad.path, bad.reason));
  }
  for (std::size_t i = 0; i < seen.content.ids.size() && shown(i); ++i)
    report.first_ids.push_back(seen.content.ids[i]);
  return report;
}

std::optional<int> RunApplication::StoppedBySignal() const {
  const int signal = g_signal.load();
  return signal == 0 ? std::nullopt : std::optional(signal);
}

}  // namespace patra::boot
