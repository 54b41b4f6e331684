// Whether a request that failed is tried again, and when. Every retry buys a permit like
// any other request.
#pragma once

#include <utility>

#include "base/random.h"
#include "domain/error/verdict.h"
#include "domain/spec/spec_snapshot.h"

namespace patra::domain {

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
  explicit RetrySchedule(RetrySpec spec)
      : spec_(std::move(spec)),
        told_wait_max_(spec_.retry_after_cap.value_or(std::chrono::hours(1))) {}

  // The attempt failed, as the verdict says.
  RetryStep Next(const Verdict& verdict, Random& random);

  int attempts() const { return attempts_; }  // that have failed so far
  // Whether the one that comes next is given up when it fails, too.
  bool is_last_attempt() const { return attempts_ + 1 >= spec_.attempts_max; }

 private:
  RetrySpec spec_;
  Duration told_wait_max_;
  int attempts_ = 0;
  Duration last_wait_{};
};

}  // namespace patra::domain
