// How long to wait before something that failed is tried again: the one place that knows the curves. A source chooses one
// for its requests (`retry.backoff`); runs that failed have one of their own.
#pragma once

#include "base/random.h"
#include "base/time.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

// first, first * factor, first * factor², … and no longer than `most`.
struct Growth {
  Duration first{};
  Duration most{};
  double factor = 2;

  // After so many failures in a row. REQUIRES: failures >= 1
  Duration After(int failures) const;
};

// The wait that the definition's curve gives after so many failures in a row, the last of which was preceded by a wait of
// `last_wait`. REQUIRES: failures >= 1
Duration BackOff(const RetrySpec& spec, int failures, Duration last_wait, Random& random);

}  // namespace patra::domain
