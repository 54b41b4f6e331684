#include "app/gate/gate_watch.h"

namespace patra::app {

void GateWatch::Look() {
  const auto reach = gate_.Reach();
  if (!reach.is_remote || was_away_ == reach.is_away) return;
  was_away_ = reach.is_away;
  const auto level = reach.is_away ? LogLevel::kWarn : LogLevel::kInfo;
  log_.Write(level, reach.is_away ? "gate.away" : "gate.shared", {},
             {{"gate", "shared"}, {"reason", "it counts " + reach.counts}});
}

}  // namespace patra::app
