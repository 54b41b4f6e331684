// How often somebody may ask: so many at once, and so many a second after that.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"

namespace patra::adapter::rest {

struct Rate {
  double per_second = 200;
  double at_once = 400;
};

// Thread-safe. Knows so many callers at most; the one that was longest away is forgotten first, which is to have a full
// allowance again.
class Allowances {
 public:
  Allowances(const Clock& clock, Rate rate, std::size_t callers_max = 10'000)
      : clock_(clock), rate_(rate), callers_max_(callers_max) {}

  // Takes one. How long to wait for the next one, where there is none left.
  std::optional<Duration> Take(const std::string& caller);
  // Whether there is one, without taking it.
  std::optional<Duration> Look(const std::string& caller);

 private:
  struct Left {
    double count = 0;
    Duration at{};
  };

  Left& Refilled(const std::string& caller);
  std::optional<Duration> WaitOf(const Left& left) const;

  const Clock& clock_;
  const Rate rate_;
  const std::size_t callers_max_;
  std::mutex mutex_;
  std::map<std::string, Left> left_;
};

}  // namespace patra::adapter::rest
