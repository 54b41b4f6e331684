// The time of the Redis server, as far as it can be known here: each answer says what its clock showed at some moment
// between question and answer, and our own clock says how much has passed since.
#pragma once

#include <algorithm>
#include <optional>

#include "base/time.h"

namespace patra::infra::redis {

class ServerClock {
 public:
  // Until the server was heard, its time is taken for what our own calendar says.
  explicit ServerClock(Duration guess) : ahead_(guess) {}

  // How far it is ahead of our Elapsed. The least that fits: who is late wastes a little, who is early sends too much.
  Duration ahead() const { return ahead_; }

  // The server's clock showed `server` at some time between `before` and `after`. By how much it has been set since
  // the last answer, where it has: clocks that only drift never differ that much.
  std::optional<Duration> Heard(Duration before, Duration after, Duration server) {
    const auto least = server - after;
    const auto most = server - before;
    if (!is_known_) {
      Know(least, most, after);
      return std::nullopt;
    }
    const auto drift = (after - heard_at_) / kDriftShare + kGrain;
    const auto kept_least = least_ - drift;
    const auto kept_most = most_ + drift;
    if (least > kept_most + kStepMin || most < kept_least - kStepMin) {
      const auto step = least > kept_most ? least - kept_most : most - kept_least;
      Know(least, most, after);
      return step;
    }
    // Where the two do not meet, the clock was slewed: the newer one is right.
    const bool meets = least <= kept_most && most >= kept_least;
    if (meets) {
      Know(std::max(least, kept_least), std::min(most, kept_most), after);
    } else {
      Know(least, most, after);
    }
    return std::nullopt;
  }

 private:
  static constexpr Duration kStepMin = std::chrono::milliseconds(250);
  static constexpr Duration kGrain = Duration(2);
  static constexpr int kDriftShare = 5'000;  // 200 parts per million

  void Know(Duration least, Duration most, Duration at) {
    is_known_ = true;
    least_ = ahead_ = least;
    most_ = most;
    heard_at_ = at;
  }

  bool is_known_ = false;
  Duration ahead_;
  Duration least_{};
  Duration most_{};
  Duration heard_at_{};
};

}  // namespace patra::infra::redis
