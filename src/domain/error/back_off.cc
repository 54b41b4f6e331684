#include "domain/error/back_off.h"

#include <algorithm>
#include <cmath>

namespace patra::domain {
namespace {

// By which waits that are drawn from the last one may grow.
constexpr double kDecorrelatedFactor = 3;

Duration Scaled(Duration duration, double factor, Duration most) {
  const auto scaled = static_cast<double>(duration.count()) * factor;
  return scaled >= static_cast<double>(most.count()) ? most
                                                     : Duration(static_cast<std::int64_t>(scaled));
}

Duration Between(Duration low, Duration high, Random& random) {
  return Duration(random.Between(low.count(), std::max(low, high).count()));
}

}  // namespace

Duration Growth::After(int failures) const {
  return Scaled(first, std::pow(factor, failures - 1), most);
}

Duration BackOff(const RetrySpec& spec, int failures, Duration last_wait, Random& random) {
  const Growth growth{.first = spec.first_delay, .most = spec.delay_max, .factor = spec.factor};
  switch (spec.backoff.value_or(BackoffCurve::kExponentialJitter)) {
    case BackoffCurve::kExponentialJitter: {
      const auto swing = 1 + spec.jitter * (2 * random.Fraction() - 1);
      return Scaled(growth.After(failures), swing, spec.delay_max);
    }
    case BackoffCurve::kFullJitter:
      return Between(Duration::zero(), growth.After(failures), random);
    case BackoffCurve::kDecorrelatedJitter: {
      const auto most =
          Scaled(std::max(last_wait, spec.first_delay), kDecorrelatedFactor, spec.delay_max);
      return Between(spec.first_delay, most, random);
    }
    case BackoffCurve::kExponential:
      return growth.After(failures);
    case BackoffCurve::kFixed:
      break;
  }
  return std::min(spec.first_delay, spec.delay_max);
}

}  // namespace patra::domain
