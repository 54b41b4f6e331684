#include "domain/gate/breaker.h"

#include <algorithm>

namespace patra::domain {

Duration Breaker::Earliest(Duration now, const BreakerRules& rules) const {
  switch (state_) {
    case State::kClosed:
      return now;
    case State::kOpen:
      return std::max(now, until_);
    case State::kHalfOpen:
      break;
  }
  return probes_ < rules.probes ? now : std::max(now, until_);
}

void Breaker::Enter(Duration now, const BreakerRules& rules) {
  if (state_ == State::kClosed) return;
  if (state_ == State::kOpen) {
    state_ = State::kHalfOpen;
    probes_ = 0;
    changed_at_ = now;
  } else if (now >= until_) {
    probes_ = 0;
  }
  ++probes_;
  until_ = now + rules.probe_timeout;
}

bool Breaker::Succeed(Duration now, Duration sent_at) {
  if (sent_at < changed_at_ || state_ == State::kOpen) return false;
  failures_ = 0;
  if (state_ == State::kClosed) return false;
  *this = Breaker();
  changed_at_ = now;
  return true;
}

bool Breaker::Fail(Duration now, Duration sent_at, const BreakerRules& rules, double chance) {
  if (sent_at < changed_at_ || state_ == State::kOpen) return false;
  ++failures_;
  if (state_ == State::kClosed && failures_ < rules.failures_in_a_row) return false;
  const auto doublings = std::min(openings_, 10);
  const auto pause = std::min(rules.open_for * (1 << doublings), rules.open_for_max);
  const auto spread =
      Duration(static_cast<std::int64_t>(static_cast<double>(pause.count()) * 0.5 * chance));
  until_ = now + std::min(pause + spread, rules.open_for_max);
  state_ = State::kOpen;
  failures_ = 0;
  ++openings_;
  changed_at_ = now;
  return true;
}

bool Breaker::Open(Duration now, Duration pause) {
  if (state_ == State::kOpen && until_ >= now + pause) return false;
  state_ = State::kOpen;
  until_ = now + pause;
  failures_ = 0;
  changed_at_ = now;
  return true;
}

}  // namespace patra::domain
