#include "domain/gate/credential_choice.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace patra::domain {

std::optional<std::size_t> ChooseCredential(std::span<const CredentialState> credentials,
                                            Duration now, CredentialOrder order) {
  const bool as_listed = order == CredentialOrder::kListed;
  // Waiting for its pace is no reason to pass one by.
  const auto is_out = [](const CredentialState& state) {
    return state.estimate.reason == WaitReason::kCoolDown ||
           state.estimate.reason == WaitReason::kBreaker;
  };
  const auto rank = [&](const CredentialState& state) {
    auto wait = std::max(state.estimate.blocked_until - now, Duration::zero());
    if (as_listed && !is_out(state)) wait = Duration::zero();
    const auto left = state.quota_left.value_or(std::numeric_limits<std::int64_t>::max());
    const bool is_dry = left <= 0;
    return as_listed ? std::tuple(is_dry, wait, std::int64_t{0}, std::int64_t{0})
                     : std::tuple(is_dry, wait, -left, -state.estimate.permits);
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < credentials.size(); ++i) {
    if (credentials[i].estimate.reason == WaitReason::kRefused) continue;
    if (!best || rank(credentials[i]) < rank(credentials[*best])) best = i;
  }
  return best;
}

}  // namespace patra::domain
