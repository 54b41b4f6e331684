// How long a slot may be used after its time has come. A busy machine wakes its sleepers late; slots that
// die before their owners come are lost, and if all do, nothing is sent any more. So lateness makes the life
// longer, at the price of a longer guard, and calm makes it short again.
#pragma once

#include <algorithm>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

class SlotLife {
 public:
  // Told before anything is asked. `base` is what the rules want without lateness, `window` the longest of
  // the limits'.
  void Use(Duration now, Duration base, Duration window) {
    base_ = std::max(base_, base);
    if (life_ > Duration::zero() && now - late_at_ > kCalm) {
      life_ = Duration::zero();
      calm_at_ = now;
    }
    // Slots that were given a long life may still be used, and stay in the window for a while.
    const bool is_over = now - calm_at_ > 10 * window + std::chrono::seconds(2);
    if (life_ == Duration::zero() && is_over) longest_ = Duration::zero();
  }

  // An owner came so much too late.
  void Late(Duration now, Duration lateness, Duration base, Duration most) {
    life_ = std::clamp(std::max(2 * Of(base), lateness * 3 / 2), base, std::max(base, most));
    longest_ = std::max(longest_, life_);
    late_at_ = now;
  }

  Duration Of(Duration base) const { return std::max(base, life_); }

  // At least as long as any life that matters still.
  Duration Longest() const { return std::max(base_, longest_); }

 private:
  static constexpr Duration kCalm = std::chrono::minutes(1);

  Duration base_{};
  Duration life_{};  // zero: as the rules want
  Duration longest_{};
  Duration late_at_ = kLongAgo;
  Duration calm_at_ = kLongAgo;
};

}  // namespace patra::domain
