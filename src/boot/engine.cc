#include "boot/engine.h"

#include <unistd.h>

#include <array>
#include <atomic>

#include <fmt/format.h>

#include "base/random.h"

namespace patra::boot {
namespace {

// Names this engine and no other that ever lived: the id of its process is reused, the start time is not, unless the clock
// stands still.
std::string Incarnation(const Clock& clock) {
  static std::atomic<int> named = 0;
  return fmt::format("{}@{}/{}", getpid(), clock.Now().time_since_epoch().count(), ++named);
}

std::string HostName() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

}  // namespace

std::string GateFileOf(const std::string& database_file) { return database_file + "-gate"; }

Result<std::unique_ptr<Engine>> Engine::Open(const EngineOptions& options, Clock& clock) {
  auto store = PATRA_TRY(infra::sqlite::Store::Open({.path = options.database_file}, clock));
  auto gate_ledger = std::make_unique<infra::sqlite::GateLedger>(*store, clock);
  auto gate = PATRA_TRY(
      infra::gate::RateGate::Open(GateFileOf(options.database_file), *gate_ledger, clock));
  auto transport = PATRA_TRY(infra::curl::Transport::Create(
      {.allow_loopback = options.allow_loopback, .networks = options.networks}, clock));
  return std::unique_ptr<Engine>(new Engine(std::move(store), std::move(gate_ledger),
                                            std::move(gate), std::move(transport), options, clock));
}

Engine::Engine(std::unique_ptr<infra::sqlite::Store> store,
               std::unique_ptr<infra::sqlite::GateLedger> gate_ledger,
               std::unique_ptr<infra::gate::RateGate> gate,
               std::unique_ptr<infra::curl::Transport> transport, const EngineOptions& options,
               Clock& clock)
    : store_(std::move(store)),
      gate_ledger_(std::move(gate_ledger)),
      gate_(std::move(gate)),
      transport_(std::move(transport)),
      clock_(clock),
      plan_limits_(options.plan),
      ids_(clock, HashText(Incarnation(clock))),
      plans_(*store_, clock, ids_),
      cursors_(*store_, clock, ids_),
      queue_(*store_, clock, ids_),
      runs_(*store_, clock, ids_),
      id_ledger_(*store_),
      holds_(*store_, clock, ids_),
      adjustments_(*store_, clock, ids_),
      history_(*store_, clock),
      signals_(*store_, clock, ids_),
      candidates_(*store_),
      quarantine_(*store_, clock, ids_),
      plan_harvest_(plan_ports(), plan_limits_),
      json_log_(options.log_level, clock),
      alerts_(*store_, clock, ids_),
      alerting_log_(json_log_, alerts_),
      log_(alerting_log_, redactor_),
      book_(options.credential_folder.empty()
                ? nullptr
                : std::make_unique<infra::gate::CredentialBook>(options.credential_folder,
                                                                options.database_file, clock)),
      sender_({*gate_, *transport_, clock, secrets_, redactor_, log_, book_.get()},
              "patra/" PATRA_VERSION),
      execute_task_(runs_, id_ledger_, holds_, sender_, sources_, clock, log_, stop_,
                    options.execute),
      preview_(sender_, sources_, clock, log_, stop_),
      quiet_log_(json_log_, redactor_),
      quiet_sender_({*gate_, *transport_, clock, secrets_, redactor_, quiet_log_, book_.get()},
                    "patra/" PATRA_VERSION),
      replays_(*store_, clock, ids_),
      replay_(replays_, quiet_sender_, sources_, clock, quiet_log_, stop_),
      health_(*store_, clock),
      journal_(*store_, ids_),
      duties_(*store_, clock),
      executors_(*store_, clock),
      plan_backfill_(plan_ports(), plan_limits_),
      heal_once_(heal_ports(), options.heal),
      heal_rounds_(heal_once_, duties_, clock, log_, Incarnation(clock)),
      work_(execute_task_, queue_, clock, stop_, Incarnation(clock),
            {.heal = options.heals ? &heal_rounds_ : nullptr,
             .holds = &holds_,
             .executors = &executors_,
             .host = HostName()}),
      harvest_(plan_harvest_, work_) {}

app::PlanPorts Engine::plan_ports() {
  return {.plans = plans_,
          .cursors = cursors_,
          .queue = queue_,
          .holds = holds_,
          .history = history_,
          .signals = signals_,
          .candidates = candidates_,
          .gate = gate_.get(),
          .clock = clock_,
          .ids = ids_,
          .adjustments = &adjustments_,
          .alerts = &alerts_,
          .quarantine = &quarantine_,
          .secrets = &secrets_};
}

app::HealPorts Engine::heal_ports() {
  return {.health = health_,
          .journal = journal_,
          .holds = holds_,
          .plans = plans_,
          .queue = queue_,
          .adjustments = adjustments_,
          .clock = clock_,
          .gate = gate_.get(),
          .quotas = gate_ledger_.get(),
          .backfill = &plan_backfill_,
          .alerts = &alerts_};
}

}  // namespace patra::boot
