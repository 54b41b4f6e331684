#include "app/gate/await_permit.h"

#include <algorithm>

namespace patra::app {
namespace {

constexpr Duration kNapForPermit = std::chrono::milliseconds(100);

// Whether the whole wait went by.
bool SleepOrStop(Clock& clock, Duration wait, const StopRequest* stop) {
  if (stop == nullptr) {
    clock.SleepFor(wait);
    return true;
  }
  const auto end = clock.Elapsed() + wait;
  while (!stop->asked()) {
    const auto left = end - clock.Elapsed();
    if (left <= Duration::zero()) return true;
    clock.SleepFor(std::min(left, kNapForPermit));
  }
  return false;
}

}  // namespace

Result<PermitAwaited> AwaitPermit(RateGate& gate, Clock& clock, const domain::GateTarget& target,
                                  const domain::GateRules& rules, domain::GateAsk ask,
                                  const OnGateWait& on_wait, const StopRequest* stop) {
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
      awaited.reading = allow->reading;
      return awaited;
    }
    if (const auto* reject = std::get_if<Reject>(&answer)) {
      awaited.rejected = *reject;
      awaited.reason = reject->reason;
      awaited.leaves_rest = reject->leaves_rest;
      awaited.reading = reject->reading;
      return awaited;
    }
    const auto& wait = std::get<WaitUntil>(answer);
    if (wait.wait > longest) {
      longest = wait.wait;
      awaited.reason = wait.reason;
      awaited.leaves_rest = wait.leaves_rest;
    }
    awaited.reading = wait.reading;
    on_wait({wait.reason, wait.until});
    ask.booking = wait.booking;
    if (SleepOrStop(clock, wait.wait, stop)) continue;
    awaited.is_stopped = true;
    awaited.waited = clock.Elapsed() - begin;
    return awaited;
  }
}

}  // namespace patra::app
