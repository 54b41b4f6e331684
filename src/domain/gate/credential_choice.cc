#include "domain/gate/credential_choice.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace patra::domain {

std::optional<std::size_t> ChooseCredential(std::span<const CredentialState> credentials,
                                            Duration now) {
  const auto rank = [now](const CredentialState& state) {
    const auto wait = std::max(state.estimate.blocked_until - now, Duration::zero());
    const auto left = state.quota_left.value_or(std::numeric_limits<std::int64_t>::max());
    const bool is_dry = left <= 0;
    return std::tuple(is_dry, wait, -left, -state.estimate.permits);
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < credentials.size(); ++i) {
    if (credentials[i].estimate.reason == WaitReason::kRefused) continue;
    if (!best || rank(credentials[i]) < rank(credentials[*best])) best = i;
  }
  return best;
}

}  // namespace patra::domain
