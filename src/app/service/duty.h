// What one part of a service does again and again, and how it bears that a round fails.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "app/port/log.h"
#include "app/port/stop_request.h"
#include "app/service/service_health.h"
#include "base/clock.h"
#include "base/result.h"
#include "domain/error/back_off.h"

namespace patra::app {

struct DutyRules {
  std::string part;  // "scheduler"
  Duration every{};
  // After rounds that failed. Whoever waits for a store that is away does not ask it every moment.
  domain::Growth pause{.first = std::chrono::seconds(1), .most = std::chrono::seconds(30)};
};

// One thread at a time.
class Duty {
 public:
  // Whether there is more to do at once.
  using Round = std::function<Result<bool>()>;

  Duty(DutyRules rules, Round round, const Clock& clock, ServiceHealth& health, Log& log,
       const StopRequest& stop)
      : rules_(std::move(rules)),
        round_(std::move(round)),
        clock_(clock),
        health_(health),
        log_(log),
        stop_(stop) {}
  ~Duty() { health_.Forget(rules_.part); }
  Duty(const Duty&) = delete;
  Duty& operator=(const Duty&) = delete;

  // Does what is due, until there is no more to do at once. Trouble is told when it begins and when it ends, and never
  // ends the duty.
  void RunIfDue();

  Duration every() const { return rules_.every; }

 private:
  void Fail(const Error& error);
  void Succeed();

  const DutyRules rules_;
  const Round round_;
  const Clock& clock_;
  ServiceHealth& health_;
  Log& log_;
  const StopRequest& stop_;
  int failures_ = 0;  // in a row
  std::optional<Duration> not_before_{};
};

}  // namespace patra::app
