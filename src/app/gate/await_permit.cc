#include "app/gate/await_permit.h"

namespace patra::app {

Result<PermitAwaited> AwaitPermit(RateGate& gate, Clock& clock, const domain::GateTarget& target,
                                  const domain::GateRules& rules, domain::GateAsk ask,
                                  const OnGateWait& on_wait) {
  const auto begin = clock.Elapsed();
  const auto give_up_at = begin + ask.deadline;
  PermitAwaited awaited;
  Duration longest{};
  while (true) {
    ask.deadline = give_up_at - clock.Elapsed();
    auto answer = PATRA_TRY(gate.Acquire(target, rules, ask));
    awaited.waited = clock.Elapsed() - begin;
    if (auto* allow = std::get_if<Allow>(&answer)) {
      awaited.permit = std::move(allow->permit);
      return awaited;
    }
    if (const auto* reject = std::get_if<Reject>(&answer)) {
      awaited.rejected = *reject;
      awaited.reason = reject->reason;
      return awaited;
    }
    const auto& wait = std::get<WaitUntil>(answer);
    if (wait.wait > longest) {
      longest = wait.wait;
      awaited.reason = wait.reason;
    }
    on_wait({wait.reason, wait.until});
    ask.booking = wait.booking;
    clock.SleepFor(wait.wait);
  }
}

}  // namespace patra::app
