#include "app/gate/allowance.h"

#include <algorithm>
#include <limits>

namespace patra::app {
namespace {

bool IsOfCredential(const domain::Limit& limit) {
  return limit.scope == domain::LimitScope::kCredential ||
         limit.scope == domain::LimitScope::kCredentialAndEndpoint;
}

std::int64_t SaturatedSum(std::int64_t a, std::int64_t b) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  return a > kMax - b ? kMax : a + b;
}

}  // namespace

// Where all limits are a credential's own, they add up. Where some are shared, it is not known how much of each other's they
// take: as much as the best one alone can be had for certain.
Result<domain::GateEstimate> AllowanceOf(RateGate& gate, const domain::SpecSnapshot& spec,
                                         domain::Phase phase, const domain::Asker& asker,
                                         const std::vector<std::string>& credentials,
                                         Duration horizon) {
  const auto rules = GateRulesOf(spec, phase, asker);
  const auto estimate_of = [&](const std::string& credential) -> Result<domain::GateEstimate> {
    auto estimate = PATRA_TRY(gate.Estimate(GateTargetOf(spec, phase, credential), rules, horizon));
    estimate.permits /= rules.cost_max;
    return estimate;
  };
  if (credentials.empty()) return estimate_of("");
  const bool adds_up = std::ranges::all_of(rules.limits, IsOfCredential);
  domain::GateEstimate best;
  std::int64_t sum = 0;
  for (const auto& credential : credentials) {
    const auto one = PATRA_TRY(estimate_of(credential));
    sum = SaturatedSum(sum, one.permits);
    if (&credential == credentials.data() || one.permits > best.permits) best = one;
  }
  if (adds_up) best.permits = sum;
  return best;
}

}  // namespace patra::app
