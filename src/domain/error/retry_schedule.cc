#include "domain/error/retry_schedule.h"

#include <algorithm>

#include "domain/error/back_off.h"

namespace patra::domain {

RetryStep RetrySchedule::Next(const Verdict& verdict, Random& random) {
  RetryStep step{.attempt = ++attempts_};
  if (verdict.level != ErrorLevel::kL1) return step;
  const auto told = verdict.wait.value_or(Duration::zero());
  if (told > told_wait_max_) {
    step.kind = RetryStep::Kind::kPark;
    step.wait = told;
    return step;
  }
  if (attempts_ >= spec_.attempts_max) return step;
  last_wait_ = BackOff(spec_, attempts_, last_wait_, random);
  step.kind = RetryStep::Kind::kRetry;
  step.wait = std::max(last_wait_, told);
  return step;
}

}  // namespace patra::domain
