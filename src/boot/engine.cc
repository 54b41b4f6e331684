#include "boot/engine.h"

#include <unistd.h>

#include <array>

#include "base/process_name.h"
#include "boot/make_log.h"
#include "boot/open_gate.h"
#include "boot/open_registry.h"
#include "boot/stop_on_signals.h"

namespace patra::boot {
namespace {

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

void TellOutage(app::Log& log, const Error& error, Duration lasts) {
  log.Write(app::LogLevel::kWarn, "store.away", {},
            {{"error", error.Describe()}, {"sinceSeconds", lasts / std::chrono::seconds(1)}});
}

// What a store tells, before there is an engine and beside it.
struct StoreLog {
  StoreLog(const EngineOptions& options, const Clock& clock)
      : lines(MakeLog(options.log, clock)),
        counted(*lines, options.meters == nullptr ? nowhere : *options.meters) {}

  std::unique_ptr<app::Log> lines;
  app::NoMeters nowhere;
  app::MeteringLog counted;
};

std::shared_ptr<infra::sql::SlowStatements> SlowStatementsOf(const EngineOptions& options,
                                                             const Clock& clock,
                                                             const std::shared_ptr<StoreLog>& log) {
  if (options.slow_statement <= Duration::zero()) return nullptr;
  return std::make_shared<infra::sql::SlowStatements>(
      options.slow_statement, clock, [log](const infra::sql::SlowStatement& slow) {
        log->counted.Write(app::LogLevel::kWarn, "store.slow_statement", {},
                           {{"statement", slow.statement},
                            {"tookMs", slow.took / std::chrono::milliseconds(1)},
                            {"times", slow.times}});
      });
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options, Clock& clock) {
  const auto address = PATRA_TRY(StoreAddress::Parse(options.database));
  const auto log = std::make_shared<StoreLog>(options, clock);
  auto store = PATRA_TRY(
      OpenStore(address, options.use, clock,
                {.release = options.plan.release,
                 .workers = options.workers,
                 .wants_to_stop = [] { return StopOnSignals::Signal().has_value(); },
                 .on_outage = [log](const Error& error,
                                    Duration lasts) { TellOutage(log->counted, error, lasts); },
                 .slow = SlowStatementsOf(options, clock, log)}));
  auto& by = store->clock();
  auto registry = PATRA_TRY(OpenRegistry(options.plan.registry, options.plan.registry_token, by));
  auto gate = PATRA_TRY(OpenGate(options.gate.url, address, *store, by));
  auto stop = std::make_unique<app::StopRequest>();
  auto transport = PATRA_TRY(infra::curl::Transport::Create(
      {.allow_loopback = options.allow_loopback, .networks = options.networks, .stop = stop.get()},
      by));
  auto spans = PATRA_TRY(SpanExport::Open(options.trace_endpoint, options.meters, by));
  return std::unique_ptr<Engine>(new Engine(std::move(stop), std::move(store), std::move(gate),
                                            std::move(transport), std::move(registry),
                                            std::move(spans), address, options, by));
}

Engine::Engine(std::unique_ptr<app::StopRequest> stop, std::unique_ptr<app::Store> store,
               std::unique_ptr<app::RateGate> gate,
               std::unique_ptr<infra::curl::Transport> transport,
               std::shared_ptr<app::Registry> registry, std::unique_ptr<SpanExport> spans,
               const StoreAddress& address, const EngineOptions& options, Clock& clock)
    : stop_(std::move(stop)),
      store_(std::move(store)),
      registry_(std::move(registry)),
      gate_(std::move(gate)),
      transport_(std::move(transport)),
      clock_(clock),
      serves_(options.serves),
      plan_limits_(options.plan),
      gate_settings_(options.gate),
      redactor_(store_->mask_key()),
      line_log_(MakeLog(options.log, clock)),
      metering_log_(*line_log_, options.meters == nullptr ? no_meters_ : *options.meters),
      spans_(std::move(spans)),
      tracing_log_(spans_ == nullptr
                       ? nullptr
                       : std::make_unique<app::TracingLog>(metering_log_, spans_->sink(), clock)),
      alerting_log_(tracing_log_ == nullptr ? metering_log_ : *tracing_log_, store_->alerts()),
      log_(alerting_log_, redactor_),
      book_(options.credential_folder.empty()
                ? nullptr
                : std::make_unique<infra::gate::CredentialBook>(options.credential_folder,
                                                                address.name(), clock)),
      rates_(store_->rates(), clock),
      sender_({*gate_, *transport_, clock, secrets_, redactor_, log_, book_.get(), stop_.get(),
               options.gate.wait_max, &rates_},
              "patra/" PATRA_VERSION),
      execute_task_(store_->runs(), store_->found_ids(), store_->holds(), sender_, sources_, clock,
                    log_, *stop_, options.execute),
      preview_(sender_, sources_, clock, log_, *stop_),
      look_(sender_),
      quiet_log_(*line_log_, redactor_),
      quiet_sender_({*gate_, *transport_, clock, secrets_, redactor_, quiet_log_, book_.get(),
                     stop_.get(), options.gate.wait_max, &rates_},
                    "patra/" PATRA_VERSION),
      replay_(store_->replays(), quiet_sender_, sources_, clock, quiet_log_, *stop_),
      plan_backfill_(plan_ports(), plan_limits_),
      planner_(plan_ports(), this->registry(), options.files == nullptr ? files_ : *options.files,
               plan_limits_),
      heal_once_(heal_ports(), options.heal),
      heal_rounds_(heal_once_, store_->duties(), clock, log_, NewProcessName(clock)),
      gate_watch_(*gate_, log_),
      store_watch_(log_),
      work_(execute_task_, store_->queue(), clock, *stop_, NewProcessName(clock),
            {.heal = options.heals ? &heal_rounds_ : nullptr,
             .holds = &store_->holds(),
             .executors = &store_->executors(),
             .host = HostName(),
             .gate = &gate_watch_,
             .rates = &rates_,
             .at_once = options.at_once,
             .store = options.serves ? &store_watch_ : nullptr,
             .log = &log_}) {}

app::SecretMaskPorts Engine::mask_ports(std::string sources_folder) {
  return {.registry = registry(),
          .files = files_,
          .sources_folder = std::move(sources_folder),
          .secrets = secrets_,
          .redactor = redactor_,
          .clock = clock_};
}

app::EngineOperations Engine::operations(std::string sources_folder, app::SecretMask& mask) {
  return app::EngineOperations({.planner = planner_,
                                .work = work_,
                                .preview = preview_,
                                .replay = replay_,
                                .heal = heal_once_,
                                .files = files_,
                                .look = look_,
                                .rate = gate_settings_.rate,
                                .sources_folder = std::move(sources_folder),
                                .reads_registry = serves_ || registry_,
                                .mask = mask});
}

app::PlanPorts Engine::plan_ports() {
  return {.plans = store_->plans(),
          .cursors = store_->cursors(),
          .queue = store_->queue(),
          .holds = store_->holds(),
          .history = store_->history(),
          .queries = store_->queries(),
          .signals = store_->signals(),
          .candidates = store_->candidates(),
          .gate = gate_.get(),
          .clock = clock_,
          .ids = store_->ids(),
          .adjustments = &store_->adjustments(),
          .alerts = &store_->alerts(),
          .quarantine = &store_->quarantine(),
          .secrets = &secrets_,
          .transport = transport_.get(),
          .log = &log_};
}

app::HealPorts Engine::heal_ports() {
  return {.health = store_->health(),
          .journal = store_->journal(),
          .holds = store_->holds(),
          .plans = store_->plans(),
          .queue = store_->queue(),
          .adjustments = store_->adjustments(),
          .clock = clock_,
          .gate = gate_.get(),
          .quotas = &store_->gate_ledger(),
          .backfill = &plan_backfill_,
          .alerts = &store_->alerts()};
}

}  // namespace patra::boot
