// Turns between tasks: none takes more than its quantum of slots in a row while another waits.
#pragma once

#include <cstdint>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

class FairTurns {
 public:
  bool MustYield(std::uint64_t task, Duration now, int quantum) const {
    return task == last_ && in_a_row_ >= quantum && other_ != last_ && other_until_ > now;
  }

  // A task was sent away until `until` without a slot. It is waited for a little longer than that.
  void Waits(std::uint64_t task, Duration until, Duration grace) {
    other_ = task;
    other_until_ = until + grace;
  }

  void Takes(std::uint64_t task) {
    in_a_row_ = task == last_ ? in_a_row_ + 1 : 1;
    last_ = task;
    if (task == other_) other_until_ = kLongAgo;
  }

 private:
  std::uint64_t last_ = 0;
  int in_a_row_ = 0;
  std::uint64_t other_ = 0;
  Duration other_until_ = kLongAgo;
};

}  // namespace patra::domain
