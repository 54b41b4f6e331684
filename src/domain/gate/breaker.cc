#include "domain/gate/breaker.h"

#include <algorithm>

namespace patra::domain {
namespace {

// While a probe is under way its answer may come at any moment.
constexpr Duration kLookAgain = std::chrono::milliseconds(500);
// So often the pause stays as short as the first one; then it grows by half.
constexpr int kShortPauses = 3;

// Never much longer than half of what the outage has lasted: so long it may take until it is noticed that it is over.
Duration PauseAfter(int openings, const BreakerRules& rules) {
  auto pause = rules.open_for;
  for (int i = kShortPauses; i <= openings && pause < rules.open_for_max; ++i) pause += pause / 2;
  return std::min(pause, rules.open_for_max);
}

}  // namespace

Duration Breaker::Earliest(Duration now, const BreakerRules& rules) const {
  switch (state_) {
    case State::kClosed:
      return now;
    case State::kOpen:
      return std::max(now, until_);
    case State::kHalfOpen:
      break;
  }
  if (probes_ < rules.probes || now >= until_) return now;
  return std::min(until_, now + kLookAgain);
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
  const auto pause = PauseAfter(openings_, rules);
  const auto spread = static_cast<double>(pause.count()) * 0.1 * chance;
  until_ = now + pause + Duration(static_cast<std::int64_t>(spread));
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
