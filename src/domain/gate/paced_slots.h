// Requests as evenly spaced time slots: with at most one request per slot, no window of length W
// ever holds more than N of them, however the provider counts. A slot is paid when it is handed
// out.
//
// With the guard G the slots are (W + G) / N apart. N + 1 requests then need at least W + G to be sent,
// and since none is overtaken by more than the jitter that G covers, at least W to arrive.
#pragma once

#include <algorithm>
#include <cstdint>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

struct Pace {
  Duration step{};     // between requests that cost 1
  Duration nominal{};  // the same without the guard
  Duration window{};   // with the guard

  // A request of cost c is followed by c steps, but nothing is kept free before it: so the most
  // expensive one has to fit on top.
  static Pace Of(std::int64_t count, std::int64_t cost_max, Duration window, Duration guard) {
    const auto slots = std::max<std::int64_t>(count - cost_max + 1, 1);
    const auto stretched = window + guard;
    return {(stretched + Duration(slots - 1)) / slots, window / slots, stretched};
  }
};

class PacedSlots {
 public:
  // Told before anything is asked. A lower limit than that of the last bookings means that those were
  // too many for the window that is running, so it has to pass. Where users disagree (two plans with
  // different definitions), the slower pace holds for all, until it has not been heard of for a while.
  void Adopt(Duration now, const Pace& pace) {
    const bool is_lower = nominal_ > Duration::zero() && pace.nominal > nominal_;
    if (is_lower) Fill(now, pace);
    if (pace.step < step_ && now - heard_at_ <= kSlowerPaceHolds) return;
    step_ = pace.step;
    nominal_ = pace.nominal;
    heard_at_ = now;
  }

  Duration Earliest(Duration from) const { return std::max(from, next_); }

  // `share` is how much of the pace is used, in parts per million.
  // REQUIRES: at >= Earliest(at), share >= AdaptiveRate::kShareMin
  void Book(Duration at, std::int64_t cost, std::int64_t share) {
    next_ = at + StepAt(share) * cost;
  }

  // One went out at `at` that was not booked here, by somebody who kept to `share` of the pace.
  void Charge(Duration at, std::int64_t cost, std::int64_t share) {
    next_ = std::max(next_, at + StepAt(share) * cost);
  }

  // As if the window that ends now had been used up.
  void Fill(Duration now, const Pace& pace) { next_ = std::max(next_, now + pace.window); }

 private:
  static constexpr Duration kSlowerPaceHolds = std::chrono::minutes(1);

  Duration StepAt(std::int64_t share) const {
    constexpr std::int64_t kMillion = 1'000'000;
    if (share == kMillion) return step_;
    const auto step = step_.count();
    return Duration(step / share * kMillion + step % share * kMillion / share + 1);
  }

  Duration next_ = kLongAgo;
  Duration step_{};
  Duration nominal_{};
  Duration heard_at_ = kLongAgo;
};

}  // namespace patra::domain
