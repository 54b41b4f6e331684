#include "app/gate/source_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/text_scanner.h"
#include "base/url.h"

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

// What a header is about can be read off its name; providers only differ in how they spell it.
std::optional<domain::HeaderMeaning> MeaningOf(std::string_view name) {
  struct Sign {
    std::string_view word;
    domain::HeaderMeaning meaning;
  };
  using enum domain::HeaderMeaning;
  // "x-rate-limit-remaining" has both words: the more telling ones come first.
  static constexpr auto kSigns = std::to_array<Sign>({{"remaining", kRemaining},
                                                      {"reset", kReset},
                                                      {"interval", kInterval},
                                                      {"concurrency", kConcurrency},
                                                      {"limit", kLimit}});
  for (const auto& sign : kSigns) {
    if (name.find(sign.word) != std::string_view::npos) return sign.meaning;
  }
  return std::nullopt;
}

// The numbers of the first limit that names headers are believed, also where they allow more.
void LearnFrom(const domain::LimitSpec& spec, std::size_t index, domain::GateRules& rules) {
  const bool has_numbers = spec.rate || spec.concurrency || !spec.quotas.empty();
  if (spec.learn_from.empty() || !has_numbers || rules.told_may_raise) return;
  rules.told_limit = static_cast<int>(index);
  rules.told_may_raise = true;
  rules.headers.clear();
  for (auto name : spec.learn_from) {
    std::ranges::transform(name, name.begin(), ToLower);
    if (const auto meaning = MeaningOf(name)) rules.headers.push_back({std::move(name), *meaning});
  }
}

void SetAdaptation(const domain::LimitSpec& spec, domain::GateRules& rules) {
  rules.feedback_scope = ScopeOf(spec.per);
  rules.warm_up = spec.warm_up;
  if (spec.slow_down_factor > 1)
    rules.adapt.cut_to = std::max<std::int64_t>(std::llround(1e6 / spec.slow_down_factor), 1);
  rules.adapt.rate_min_per_second = spec.rate_min_per_second;
}

void SetBreaker(const domain::RetrySpec& spec, domain::GateRules& rules) {
  rules.breaker.failures_in_a_row = static_cast<int>(spec.circuit_failures_max);
  rules.breaker.open_for_max = spec.circuit_cool_down;
}

const std::vector<domain::LimitSpec>& LimitsOf(const domain::SpecSnapshot& spec, Phase phase) {
  const bool has_own = phase == Phase::kDetail && !spec.details->limits.empty();
  return has_own ? spec.details->limits : spec.limits;
}

// With the port: two providers may live on one machine.
std::string HostOf(const std::string& base_url) {
  const auto url = ParseUrl(base_url);
  return url ? fmt::format("{}:{}", url->host, url->port) : base_url;
}

// Phases that share their limits share their pace, which has to suit the dearer one.
std::int64_t CostMaxOf(const domain::SpecSnapshot& spec, Phase phase) {
  const bool share_limits =
      spec.details && LimitsOf(spec, Phase::kDetail) == LimitsOf(spec, Phase::kSearch);
  return share_limits ? std::max(spec.cost, spec.details->cost) : CostOf(spec, phase);
}

}  // namespace

domain::GateRules GateRulesOf(const domain::SpecSnapshot& spec, Phase phase) {
  domain::GateRules rules;
  const auto& limits = LimitsOf(spec, phase);
  for (const auto& limit : limits) {
    LearnFrom(limit, rules.limits.size(), rules);
    AddLimits(limit, rules.limits);
  }
  if (rules.limits.empty()) rules.limits.push_back({});
  if (!limits.empty()) SetAdaptation(limits.front(), rules);
  SetBreaker(spec.retry, rules);
  rules.cost_max = CostMaxOf(spec, phase);
  return rules;
}

domain::GateTarget GateTargetOf(const domain::SpecSnapshot& spec, Phase phase,
                                std::string credential) {
  const bool is_detail = phase == Phase::kDetail;
  return {.provenance = spec.provenance,
          .endpoint = is_detail ? spec.details->endpoint : spec.endpoint,
          .credential = std::move(credential),
          .host = HostOf((is_detail ? spec.details->http : spec.http).base_url)};
}

std::string RateKeyOf(const domain::SpecSnapshot& spec, Phase phase) {
  using enum domain::LimitScope;
  const auto rules = GateRulesOf(spec, phase);
  const auto counts_by = [&](std::initializer_list<domain::LimitScope> scopes) {
    return std::ranges::any_of(rules.limits, [&](const domain::Limit& limit) {
      return std::ranges::find(scopes, limit.scope) != scopes.end();
    });
  };
  const auto widest = counts_by({kAddress})               ? kAddress
                      : counts_by({kSource, kCredential}) ? kSource
                                                          : kEndpoint;
  return domain::GateKey(widest, GateTargetOf(spec, phase));
}

std::int64_t CostOf(const domain::SpecSnapshot& spec, Phase phase) {
  return phase == Phase::kDetail ? spec.details->cost : spec.cost;
}

domain::GateRules WithConcurrency(domain::GateRules rules, std::int64_t requests_max) {
  std::size_t of_endpoint = 0;
  bool is_limited = false;
  for (auto& limit : rules.limits) {
    if (limit.scope == domain::LimitScope::kEndpoint) ++of_endpoint;
    if (limit.kind != domain::LimitKind::kConcurrency) continue;
    limit.count = std::min(limit.count, requests_max);
    is_limited = true;
  }
  if (is_limited || of_endpoint == domain::kLimitsPerScopeMax) return rules;
  rules.limits.push_back({.kind = domain::LimitKind::kConcurrency,
                          .scope = domain::LimitScope::kEndpoint,
                          .count = requests_max,
                          .window = kRequestTimeMax});
  return rules;
}

domain::GateRules RefusalRulesOf(domain::GateRules rules) {
  if (rules.feedback_scope != domain::LimitScope::kCredentialAndEndpoint)
    rules.feedback_scope = domain::LimitScope::kCredential;
  return rules;
}

}  // namespace patra::app
