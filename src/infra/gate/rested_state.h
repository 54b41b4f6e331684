// The gate's state outside of its file: as the store keeps it while nobody uses the gate, and as a file of before the
// machine's last start holds it.
#pragma once

#include <optional>
#include <vector>

#include "app/port/gate_ledger.h"
#include "infra/gate/gate_memory.h"

namespace patra::infra::gate {

struct RestedState {
  GateClock clock;
  Duration lost_at = domain::kLongAgo;
  std::vector<domain::GateCell> cells{};
};

// What is in use of a state, at the gate's time `now`.
app::RestingGate PutToRest(const GateMemory& memory, Duration now);

// With a clock that goes on: by the machine's own time where it has not been started anew, else by the calendar.
struct Awakening {
  std::uint64_t boot;
  Duration elapsed;  // since the machine's start
  Instant wall;
};
Awakening AwakeningNow(const Clock& clock);
RestedState WakeUp(const app::RestingGate& gate, const Awakening& at);

// The state of a file that was in use when the machine stopped. `bytes` is all of it, and begins with a sound mark.
std::optional<RestedState> Salvage(const std::string& bytes, const Awakening& at);

}  // namespace patra::infra::gate
