// How much of the configured rate is used at present: less after complaints, then slowly back (AIMD),
// and little at first after a stop (slow start). Shares are parts per million.
#pragma once

#include <cstdint>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

class AdaptiveRate {
 public:
  static constexpr std::int64_t kFull = 1'000'000;
  static constexpr std::int64_t kShareMin = 1'000;

  void Start(const AdaptRules& rules) { share_ = rules.start; }

  // At most one step down per round trip: what was sent before the last one says nothing new. Whether
  // it stepped.
  bool Cut(Duration now, Duration sent_at, const AdaptRules& rules, std::int64_t floor);

  // A request went well. `window` is the time that has to pass between two steps up; an unknown limit
  // is pushed only while it is used (`is_saturated`), else the number would mean nothing.
  void Raise(Duration now, Duration window, bool is_saturated, const AdaptRules& rules);

  // From `at` on the rate climbs from a tenth to the whole within `length`.
  void SlowStart(Duration at, Duration length) {
    ramp_from_ = at;
    ramp_length_ = length;
  }

  // Until then no more than `share`, however well requests go. The lower one stands while it lasts.
  void Cap(Duration now, std::int64_t share, Duration until);

  std::int64_t ShareAt(Duration at) const;
  // Without the slow start.
  std::int64_t SteadyShareAt(Duration at) const;
  std::int64_t share() const { return share_; }

 private:
  std::int64_t share_ = kFull;
  std::int64_t bad_share_ = 0;  // where the last complaint came; 0: never
  Duration cut_at_ = kLongAgo;
  Duration changed_at_ = kLongAgo;
  Duration ramp_from_ = kLongAgo;
  Duration ramp_length_{};
  std::int64_t cap_ = kFull;
  Duration capped_until_ = kLongAgo;
};

}  // namespace patra::domain
