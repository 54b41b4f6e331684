#include "boot/engine.h"

#include <unistd.h>

#include <fmt/format.h>

#include "base/random.h"

namespace patra::boot {
namespace {

// Names this process and no other that ever lived: the id is reused, the start time is not.
std::string Incarnation(const Clock& clock) {
  return fmt::format("{}@{}", getpid(), clock.Now().time_since_epoch().count());
}

}  // namespace

std::string GateFileOf(const std::string& database_file) { return database_file + "-gate"; }

Result<std::unique_ptr<Engine>> Engine::Open(const std::string& database_file, Clock& clock) {
  auto store = PATRA_TRY(infra::sqlite::Store::Open({.path = database_file}, clock));
  auto gate_ledger = std::make_unique<infra::sqlite::GateLedger>(*store, clock);
  auto gate =
      PATRA_TRY(infra::gate::RateGate::Open(GateFileOf(database_file), *gate_ledger, clock));
  auto transport = PATRA_TRY(infra::curl::Transport::Create({}, clock));
  return std::unique_ptr<Engine>(new Engine(std::move(store), std::move(gate_ledger),
                                            std::move(gate), std::move(transport), clock));
}

Engine::Engine(std::unique_ptr<infra::sqlite::Store> store,
               std::unique_ptr<infra::sqlite::GateLedger> gate_ledger,
               std::unique_ptr<infra::gate::RateGate> gate,
               std::unique_ptr<infra::curl::Transport> transport, Clock& clock)
    : store_(std::move(store)),
      gate_ledger_(std::move(gate_ledger)),
      gate_(std::move(gate)),
      transport_(std::move(transport)),
      clock_(clock),
      ids_(clock, HashText(Incarnation(clock))),
      plans_(*store_, clock, ids_),
      cursors_(*store_, clock, ids_),
      queue_(*store_, clock, ids_),
      runs_(*store_, clock, ids_),
      holds_(*store_, clock, ids_),
      history_(*store_, clock),
      signals_(*store_, clock, ids_),
      candidates_(*store_),
      plan_harvest_(plan_ports()),
      execute_task_(runs_, *gate_, *transport_, reader_, clock),
      harvest_(plan_harvest_, execute_task_, queue_, clock, Incarnation(clock)) {}

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
          .ids = ids_};
}

}  // namespace patra::boot
