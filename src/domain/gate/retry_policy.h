// When a failed request is tried again (seed 4.11). Every retry buys a permit like any other request.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"

namespace patra::domain {

enum class Backoff : std::uint8_t {
  kExponentialJitter,   // exponential, up to a fifth longer or shorter
  kFullJitter,          // anything between nothing and the exponential
  kDecorrelatedJitter,  // anything between the base and three times the last wait
  kExponential,         // base, base * factor, base * factor², …
  kFixed,
};
Result<Backoff> BackoffFromCode(std::string_view code);  // "exponential_jitter"
std::string_view Code(Backoff backoff);

struct RetryPolicy {
  Backoff backoff = Backoff::kExponentialJitter;
  Duration base = std::chrono::milliseconds(100);
  Duration wait_max = std::chrono::seconds(30);
  double factor = 2.0;
  double jitter = 0.2;   // of kExponentialJitter
  int attempts_max = 5;  // the first one included

  // Seed 002: three retries after 3, 6 and 12 seconds.
  static RetryPolicy TuShareFrequency() {
    return {.backoff = Backoff::kExponential,
            .base = std::chrono::seconds(3),
            .wait_max = std::chrono::seconds(12),
            .attempts_max = 4};
  }
};

Result<void> Validate(const RetryPolicy& policy);

// How long to wait after the attempt of that number (from 1 on) failed; zero attempts are left at
// attempts_max, which the caller has checked. `last_wait` matters to kDecorrelatedJitter only.
// REQUIRES: a valid policy, attempt >= 1
Duration WaitAfter(const RetryPolicy& policy, int attempt, Duration last_wait, Random& random);

}  // namespace patra::domain
