// Whether a request that failed is tried again, and when (seeds 4.11, 12.3). Every retry buys a permit like
// any other request.
#pragma once

#include "base/random.h"
#include "domain/error/verdict.h"
#include "domain/gate/retry_policy.h"

namespace patra::domain {

// The definition's numbers; without jitter the waits are exactly base, base * factor, …
RetryPolicy RetryPolicyOf(const RetrySpec& spec);

struct RetryStep {
  enum class Kind {
    kRetry,  // after `wait`
    kPark,  // the provider asks for more patience than a worker should have: give the task back until then
    kGiveUp,  // no retry changes anything, or there were enough
  };

  Kind kind = Kind::kGiveUp;
  Duration wait{};
  int attempt = 1;  // the number of the one that failed
};

// Of one request. What the provider tells is never cut short: a wait longer than `retry_after_cap` parks.
class RetrySchedule {
 public:
  explicit RetrySchedule(const RetrySpec& spec)
      : policy_(RetryPolicyOf(spec)),
        told_wait_max_(spec.retry_after_cap.value_or(std::chrono::hours(1))) {}

  // The attempt failed, as the verdict says.
  RetryStep Next(const Verdict& verdict, Random& random);

  int attempts() const { return attempts_; }  // that have failed so far

 private:
  RetryPolicy policy_;
  Duration told_wait_max_;
  int attempts_ = 0;
  Duration last_wait_{};
};

}  // namespace patra::domain
