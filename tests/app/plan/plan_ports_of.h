// The planner's ports over a test's store.
#pragma once

#include "app/plan/plan_ports.h"
#include "tests/infra/sql/ledger_fixture.h"

namespace patra::app {

inline PlanPorts PortsOf(testing::LedgerPorts& ports, Clock& clock, IdGenerator& ids,
                         RateGate* gate = nullptr) {
  return {.plans = ports.plans(),
          .cursors = ports.cursors(),
          .queue = ports.queue(),
          .holds = ports.holds(),
          .history = ports.history(),
          .queries = ports.queries(),
          .signals = ports.signals(),
          .candidates = ports.candidates(),
          .gate = gate,
          .clock = clock,
          .ids = ids,
          .alerts = &ports.alerts(),
          .quarantine = &ports.quarantine()};
}

}  // namespace patra::app
