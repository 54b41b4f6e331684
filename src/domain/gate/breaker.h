// Stops asking a provider that only fails, and finds out carefully whether it is back.
#pragma once

#include <cstdint>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

class Breaker {
 public:
  enum class State : std::uint8_t { kClosed, kOpen, kHalfOpen };

  // When to ask again, not before `now`; then it may go.
  Duration Earliest(Duration now, const BreakerRules& rules) const;

  // A request goes. After the pause only so many at a time do, as probes; one that has not answered
  // when its time is up makes room for another, so that a lost answer does not keep the gate shut.
  // REQUIRES: Earliest(now) == now
  void Enter(Duration now, const BreakerRules& rules);

  // Whether that closed it. Answers to what was sent before the last change say nothing about now.
  bool Succeed(Duration now, Duration sent_at);

  // Whether that opened it. `chance` in [0, 1) makes the pause longer by up to a tenth.
  bool Fail(Duration now, Duration sent_at, const BreakerRules& rules, double chance);

  // Opens it for `pause`, whatever the requests came to. False where it is open for longer already.
  bool Open(Duration now, Duration pause);

  State state() const { return state_; }
  Duration until() const { return until_; }
  int failures() const { return failures_; }

 private:
  State state_ = State::kClosed;
  int failures_ = 0;           // in a row
  int openings_ = 0;           // in a row
  int probes_ = 0;             // under way
  Duration until_ = kLongAgo;  // open: its end; half-open: when the probes' time is up
  Duration changed_at_ = kLongAgo;
};

}  // namespace patra::domain
