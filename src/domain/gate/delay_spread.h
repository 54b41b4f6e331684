// How much the way to the provider varies: what leaves us evenly spaced arrives less so, and the guard of a limit
// has to cover the difference. Nobody tells when a request arrives, but it is no earlier than it was sent and no
// later than the first byte of its answer, so its delay varies by no more than that time does.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "domain/gate/gate_rules.h"

namespace patra::domain {

class DelaySpread {
 public:
  // From the permit to the first byte of the answer.
  void Saw(Duration now, Duration delay) {
    if (now - recent_.since > kForgetsAfter / 2) {
      before_ = now - recent_.since > kForgetsAfter ? Seen{} : recent_;
      recent_ = {.since = now};
    }
    recent_.least = std::min(recent_.least, delay);
    recent_.most = std::max(recent_.most, delay);
    ++recent_.delays;
  }

  // Between half an hour's and an hour's worth, with a margin for the delay that is yet to come; nothing before
  // enough was seen.
  std::optional<Duration> Spread() const {
    if (recent_.delays + before_.delays < kDelaysMin) return std::nullopt;
    const auto spread =
        std::max(recent_.most, before_.most) - std::min(recent_.least, before_.least);
    return spread + spread / 4;
  }

 private:
  static constexpr Duration kForgetsAfter = std::chrono::hours(1);
  static constexpr std::int64_t kDelaysMin = 100;

  struct Seen {
    Duration since = kLongAgo;
    Duration least = Duration::max() / 4;
    Duration most{};
    std::int64_t delays = 0;
  };
  Seen recent_;
  Seen before_;
};

}  // namespace patra::domain
