// Healing by itself: a round now and then, in one of the processes that share a store.
#pragma once

#include <string>

#include "app/heal/heal_once.h"
#include "app/port/duty_roster.h"
#include "app/port/log.h"

namespace patra::app {

// Thread-safe as long as one thread at a time asks for rounds.
class HealRounds {
 public:
  HealRounds(HealOnce& heal, DutyRoster& duties, const Clock& clock, Log& log, std::string owner)
      : heal_(heal), duties_(duties), clock_(clock), log_(log), owner_(std::move(owner)) {}

  // Runs a round if one is due and nobody else is at it. Trouble in healing is logged and never stops work.
  void RunIfDue();

  // Once more when the work is over: what its last minute brought would not be seen for long.
  void RunAtEnd();

  Duration interval() const { return heal_.policy().round; }

 private:
  void Run();

  HealOnce& heal_;
  DutyRoster& duties_;
  const Clock& clock_;
  Log& log_;
  const std::string owner_;
  std::optional<Duration> asked_at_{};  // the roster, last
};

}  // namespace patra::app
