#include "app/gate/source_rules.h"

namespace patra::app {
namespace {

// How long a request may take before its place among the concurrent ones is given to another.
constexpr Duration kRequestTimeMax = std::chrono::minutes(2);

domain::LimitScope ScopeOf(domain::RateScope scope) {
  switch (scope) {
    case domain::RateScope::kSource:
      return domain::LimitScope::kSource;
    case domain::RateScope::kEndpoint:
      return domain::LimitScope::kEndpoint;
    case domain::RateScope::kCredential:
      return domain::LimitScope::kCredential;
    case domain::RateScope::kCredentialEndpoint:
      return domain::LimitScope::kCredentialAndEndpoint;
    case domain::RateScope::kAddress:
      return domain::LimitScope::kAddress;
  }
  return domain::LimitScope::kSource;
}

void AddLimits(const domain::LimitSpec& spec, std::vector<domain::Limit>& limits) {
  const auto scope = ScopeOf(spec.per);
  if (spec.rate) {
    // Only a source that declares bursts gets them: evenly spaced requests hold against every counter.
    limits.push_back(
        {.kind = spec.burst > 1 ? domain::LimitKind::kSlidingWindow : domain::LimitKind::kPaced,
         .scope = scope,
         .count = spec.rate->requests,
         .window = spec.rate->per});
  }
  if (spec.concurrency) {
    limits.push_back({.kind = domain::LimitKind::kConcurrency,
                      .scope = scope,
                      .count = *spec.concurrency,
                      .window = kRequestTimeMax});
  }
  for (const auto& quota : spec.quotas) {
    limits.push_back({.kind = domain::LimitKind::kQuota,
                      .scope = scope,
                      .count = quota.requests,
                      .window = quota.per,
                      .reserve = static_cast<std::int64_t>(spec.quota_reserve * quota.requests)});
  }
}

}  // namespace

domain::GateRules GateRulesOf(const domain::SpecSnapshot& spec) {
  domain::GateRules rules;
  for (const auto& limit : spec.limits) AddLimits(limit, rules.limits);
  if (rules.limits.empty()) rules.limits.push_back({});
  if (!spec.limits.empty()) {
    rules.feedback_scope = ScopeOf(spec.limits.front().per);
    rules.warm_up = spec.limits.front().warm_up;
  }
  return rules;
}

domain::GateTarget GateTargetOf(const domain::SpecSnapshot& spec) {
  return {.provenance = spec.provenance, .endpoint = spec.endpoint};
}

}  // namespace patra::app
