#include "domain/error/retry_schedule.h"

#include <algorithm>

namespace patra::domain {

RetryPolicy RetryPolicyOf(const RetrySpec& spec) {
  return {.backoff = spec.jitter > 0 ? Backoff::kExponentialJitter : Backoff::kExponential,
          .base = spec.first_delay,
          .wait_max = spec.delay_max,
          .factor = spec.factor,
          .jitter = spec.jitter,
          .attempts_max = static_cast<int>(spec.attempts_max)};
}

RetryStep RetrySchedule::Next(const Verdict& verdict, Random& random) {
  RetryStep step{.attempt = ++attempts_};
  if (verdict.level != ErrorLevel::kL1) return step;
  const auto told = verdict.wait.value_or(Duration::zero());
  if (told > told_wait_max_) {
    step.kind = RetryStep::Kind::kPark;
    step.wait = told;
    return step;
  }
  if (attempts_ >= policy_.attempts_max) return step;
  last_wait_ = WaitAfter(policy_, attempts_, last_wait_, random);
  step.kind = RetryStep::Kind::kRetry;
  step.wait = std::max(last_wait_, told);
  return step;
}

}  // namespace patra::domain
