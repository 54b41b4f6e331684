// Waits for a permit, as long as that is worth it.
#pragma once

#include <functional>
#include <optional>

#include "app/port/rate_gate.h"
#include "app/port/stop_request.h"
#include "base/clock.h"
#include "domain/word/waits.h"

namespace patra::app {

using OnGateWait = std::function<void(const domain::GateWait&)>;

struct PermitAwaited {
  std::optional<Permit> permit;    // absent where it is not to be had before the deadline
  std::optional<Reject> rejected;  // then this says why, and when to come back
  bool is_stopped = false;         // neither: somebody asked to stop
  Duration waited{};
  domain::WaitReason reason = domain::WaitReason::kNone;  // of the longest wait
  bool leaves_rest = false;       // kQuota: some of it is left, for more urgent askers or for later
  domain::GateReading reading{};  // when it answered last
};

// Asks, sleeps as told and asks again, for no longer than `ask.deadline` in all. A refusal is told to
// whoever can give the worker something else to do. Where `stop` is given, no wait is longer than it takes to be asked.
Result<PermitAwaited> AwaitPermit(RateGate& gate, Clock& clock, const domain::GateTarget& target,
                                  const domain::GateRules& rules, domain::GateAsk ask,
                                  const OnGateWait& on_wait, const StopRequest* stop = nullptr);

}  // namespace patra::app
