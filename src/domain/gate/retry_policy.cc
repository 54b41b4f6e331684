#include "domain/gate/retry_policy.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

namespace patra::domain {
namespace {

struct NamedBackoff {
  std::string_view code;
  Backoff backoff;
};
constexpr auto kBackoffs = std::to_array<NamedBackoff>({
    {"exponential_jitter", Backoff::kExponentialJitter},
    {"full_jitter", Backoff::kFullJitter},
    {"decorrelated_jitter", Backoff::kDecorrelatedJitter},
    {"exp", Backoff::kExponential},
    {"fixed", Backoff::kFixed},
});

constexpr int kAttemptsMax = 100;
constexpr Duration kWaitMax = std::chrono::hours(24);

Duration Scaled(Duration duration, double factor, Duration most) {
  const auto scaled = static_cast<double>(duration.count()) * factor;
  return scaled >= static_cast<double>(most.count()) ? most
                                                     : Duration(static_cast<std::int64_t>(scaled));
}

Duration Exponential(const RetryPolicy& policy, int attempt) {
  return Scaled(policy.base, std::pow(policy.factor, attempt - 1), policy.wait_max);
}

Duration Between(Duration low, Duration high, Random& random) {
  return Duration(random.Between(low.count(), std::max(low, high).count()));
}

}  // namespace

Result<Backoff> BackoffFromCode(std::string_view code) {
  for (const auto& named : kBackoffs) {
    if (named.code == code) return named.backoff;
  }
  return Fail(ErrorCode::kInvalidInput, fmt::format("'{}' is no backoff policy", code), {},
              "use exponential_jitter, full_jitter, decorrelated_jitter, exp or fixed");
}

std::string_view Code(Backoff backoff) {
  for (const auto& named : kBackoffs) {
    if (named.backoff == backoff) return named.code;
  }
  return {};
}

Result<void> Validate(const RetryPolicy& policy) {
  const bool is_sound = policy.base >= Duration::zero() && policy.wait_max >= policy.base &&
                        policy.wait_max <= kWaitMax && policy.factor >= 1 && policy.factor <= 100 &&
                        policy.jitter >= 0 && policy.jitter <= 1 && policy.attempts_max >= 1 &&
                        policy.attempts_max <= kAttemptsMax;
  if (is_sound) return {};
  return Fail(ErrorCode::kInvalidInput, "a number of the retry policy is out of bounds", {},
              "base <= wait_max <= 24h, 1 <= factor <= 100, 0 <= jitter <= 1, 1..100 attempts");
}

Duration WaitAfter(const RetryPolicy& policy, int attempt, Duration last_wait, Random& random) {
  switch (policy.backoff) {
    case Backoff::kExponentialJitter: {
      const auto swing = 1 + policy.jitter * (2 * random.Fraction() - 1);
      return Scaled(Exponential(policy, attempt), swing, policy.wait_max);
    }
    case Backoff::kFullJitter:
      return Between(Duration::zero(), Exponential(policy, attempt), random);
    case Backoff::kDecorrelatedJitter: {
      const auto most = Scaled(std::max(last_wait, policy.base), 3, policy.wait_max);
      return Between(policy.base, most, random);
    }
    case Backoff::kExponential:
      return Exponential(policy, attempt);
    case Backoff::kFixed:
      break;
  }
  return policy.base;
}

}  // namespace patra::domain
