#include "domain/spec/source_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/text_scanner.h"
#include "base/time_zone.h"
#include "base/url.h"

namespace patra::domain {
namespace {

// How long a request may take before its place among the concurrent ones is given to another.
constexpr Duration kRequestTimeMax = std::chrono::minutes(2);

LimitScope ScopeOf(RateScope scope) {
  switch (scope) {
    case RateScope::kSource:
      return LimitScope::kSource;
    case RateScope::kEndpoint:
      return LimitScope::kEndpoint;
    case RateScope::kCredential:
      return LimitScope::kCredential;
    case RateScope::kCredentialEndpoint:
      return LimitScope::kCredentialAndEndpoint;
    case RateScope::kAddress:
      return LimitScope::kAddress;
    case RateScope::kOperation:
      return LimitScope::kOperation;
  }
  return LimitScope::kSource;
}

constexpr double kUrgentQuota = 0.2;
constexpr double kUrgentRate = 0.5;

// From midnight UTC to where the provider's days and hours begin.
Duration OffsetOf(const std::optional<std::string>& zone_name, Instant now) {
  if (!zone_name) return Duration::zero();
  const auto zone = TimeZone::Find(*zone_name);
  return zone ? -Duration(zone->OffsetAt(now)) : Duration::zero();
}

std::int64_t PartOf(std::int64_t count, double part) {
  return static_cast<std::int64_t>(part * static_cast<double>(count));
}

// Harvests come first, then updates, then backfills: each leaves to those before it.
double KeptFrom(GatePriority priority) {
  switch (priority) {
    case GatePriority::kHarvest:
      return 0;
    case GatePriority::kUpdate:
      return 0.5;
    case GatePriority::kBackfill:
      break;
  }
  return 1;
}

Limit QuotaOf(const LimitSpec& spec, const RateSpec& quota, LimitScope scope, double part,
              const Asker& asker) {
  const auto count = std::max<std::int64_t>(PartOf(quota.requests, part), 1);
  const auto reserve = PartOf(count, spec.quota_reserve);
  const auto kept = spec.urgent_quota.value_or(kUrgentQuota) * KeptFrom(asker.priority);
  return {.kind = LimitKind::kQuota,
          .scope = scope,
          .count = count,
          .window = quota.per,
          .offset = OffsetOf(spec.quota_zone, asker.now),
          .reserve = reserve,
          .kept = std::clamp<std::int64_t>(PartOf(count, kept), 0, count - reserve - 1),
          .spends_reserve = asker.priority == GatePriority::kHarvest};
}

// The scope of an endpoint's own part of what others share; none where nobody shares it.
std::optional<LimitScope> OwnScope(LimitScope scope) {
  switch (scope) {
    case LimitScope::kSource:
    case LimitScope::kAddress:
      return LimitScope::kEndpoint;
    case LimitScope::kCredential:
      return LimitScope::kCredentialAndEndpoint;
    default:
      return std::nullopt;
  }
}

void AddLimits(const LimitSpec& spec, std::optional<double> quota_part, const Asker& asker,
               std::vector<Limit>& limits) {
  const auto scope = ScopeOf(spec.per);
  if (spec.rate) {
    // Only a source that declares bursts gets them: evenly spaced requests hold against every counter. All that the rate
    // counts may come at once then, so who allows fewer at once gets none.
    const bool may_burst = spec.burst > 1 && spec.burst >= spec.rate->requests;
    limits.push_back({.kind = may_burst ? LimitKind::kSlidingWindow : LimitKind::kPaced,
                      .scope = scope,
                      .count = spec.rate->requests,
                      .window = spec.rate->per});
  }
  if (spec.concurrency) {
    limits.push_back({.kind = LimitKind::kConcurrency,
                      .scope = scope,
                      .count = *spec.concurrency,
                      .window = kRequestTimeMax});
  }
  for (const auto& quota : spec.quotas) {
    limits.push_back(QuotaOf(spec, quota, scope, 1, asker));
    if (const auto own = OwnScope(scope); own && quota_part)
      limits.push_back(QuotaOf(spec, quota, *own, *quota_part, asker));
  }
}

// What a header is about can be read off its name; providers only differ in how they spell it.
std::optional<HeaderMeaning> MeaningOf(std::string_view name) {
  struct Sign {
    std::string_view word;
    HeaderMeaning meaning;
  };
  using enum HeaderMeaning;
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
void LearnFrom(const LimitSpec& spec, std::size_t index, GateRules& rules) {
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

double PerSecond(const RateSpec& rate) {
  return rate.requests / std::chrono::duration<double>(rate.per).count();
}

void SetAdaptation(const LimitSpec& spec, GateRules& rules) {
  rules.feedback_scope = ScopeOf(spec.per);
  rules.warm_up = spec.warm_up;
  if (spec.slow_down_factor > 1)
    rules.adapt.cut_to = std::max<std::int64_t>(std::llround(1e6 / spec.slow_down_factor), 1);
  rules.adapt.rate_min_per_second = spec.rate_min_per_second;
  rules.urgent_rate = std::llround(spec.urgent_rate.value_or(kUrgentRate) * 1e6);
  if (!spec.ceiling || !spec.rate) return;
  rules.adapt.limit_is_known = false;
  rules.adapt.ceiling = std::max<std::int64_t>(
      std::llround(1e6 * PerSecond(*spec.ceiling) / PerSecond(*spec.rate)), rules.adapt.start);
}

void SetBreaker(const RetrySpec& spec, GateRules& rules) {
  rules.breaker.failures_in_a_row = static_cast<int>(spec.circuit_failures_max);
  rules.breaker.open_for_max = spec.circuit_cool_down;
}

const std::vector<LimitSpec>& LimitsOf(const SpecSnapshot& spec, Phase phase) {
  const bool has_own = phase == Phase::kDetail && !spec.details->limits.empty();
  return has_own ? spec.details->limits : spec.limits;
}

// With the port: two providers may live on one machine.
std::string HostOf(const std::string& base_url) {
  const auto url = ParseUrl(base_url);
  return url ? fmt::format("{}:{}", url->host, url->port) : base_url;
}

// Phases that share their limits share their pace, which has to suit the dearer one.
std::int64_t CostMaxOf(const SpecSnapshot& spec, Phase phase) {
  const bool share_limits =
      spec.details && LimitsOf(spec, Phase::kDetail) == LimitsOf(spec, Phase::kSearch);
  return share_limits ? std::max(spec.cost, spec.details->cost) : CostOf(spec, phase);
}

}  // namespace

GateRules GateRulesOf(const SpecSnapshot& spec, Phase phase, const Asker& asker) {
  GateRules rules;
  const auto& limits = LimitsOf(spec, phase);
  const auto quota_part = phase == Phase::kDetail ? spec.details->quota_part : spec.quota_part;
  // Before what a command adds: the gate tells limits of one key apart by their order.
  if (spec.budget) {
    for (const auto& quota : spec.budget->quotas) {
      rules.limits.push_back({.kind = LimitKind::kQuota,
                              .scope = LimitScope::kOperation,
                              .count = quota.requests,
                              .window = quota.per});
    }
  }
  rules.told_limit = static_cast<int>(rules.limits.size());
  for (const auto& limit : limits) {
    LearnFrom(limit, rules.limits.size(), rules);
    AddLimits(limit, quota_part, asker, rules.limits);
  }
  const bool is_provider_limited = std::ranges::any_of(
      rules.limits, [](const Limit& limit) { return limit.scope != LimitScope::kOperation; });
  if (!is_provider_limited) rules.limits.push_back({});
  if (!limits.empty() && is_provider_limited) SetAdaptation(limits.front(), rules);
  // One endpoint that fails is no reason to stop others that share its limits.
  rules.breaker_scope = rules.feedback_scope == LimitScope::kCredentialAndEndpoint
                            ? LimitScope::kCredentialAndEndpoint
                            : LimitScope::kEndpoint;
  SetBreaker(spec.retry, rules);
  rules.cost_max = CostMaxOf(spec, phase);
  return rules;
}

GateTarget GateTargetOf(const SpecSnapshot& spec, Phase phase, std::string credential) {
  const bool is_detail = phase == Phase::kDetail;
  return {.provenance = spec.provenance,
          .endpoint = is_detail ? spec.details->endpoint : spec.endpoint,
          .credential = std::move(credential),
          .host = HostOf((is_detail ? spec.details->http : spec.http).base_url),
          .lane = fmt::format("{}/{}/{}", spec.provenance, spec.endpoint, spec.operation)};
}

std::string RateKeyOf(const SpecSnapshot& spec, Phase phase) {
  using enum LimitScope;
  const auto rules = GateRulesOf(spec, phase);
  const auto counts_by = [&](std::initializer_list<LimitScope> scopes) {
    return std::ranges::any_of(rules.limits, [&](const Limit& limit) {
      return std::ranges::find(scopes, limit.scope) != scopes.end();
    });
  };
  const auto widest = counts_by({kAddress})               ? kAddress
                      : counts_by({kSource, kCredential}) ? kSource
                                                          : kEndpoint;
  return GateKey(widest, GateTargetOf(spec, phase));
}

std::int64_t CostOf(const SpecSnapshot& spec, Phase phase) {
  return phase == Phase::kDetail ? spec.details->cost : spec.cost;
}

GateRules WithConcurrency(GateRules rules, std::int64_t requests_max) {
  std::size_t of_endpoint = 0;
  bool is_limited = false;
  for (auto& limit : rules.limits) {
    if (limit.scope == LimitScope::kEndpoint) ++of_endpoint;
    if (limit.kind != LimitKind::kConcurrency) continue;
    limit.count = std::min(limit.count, requests_max);
    is_limited = true;
  }
  if (is_limited || of_endpoint == kLimitsPerScopeMax) return rules;
  rules.limits.push_back({.kind = LimitKind::kConcurrency,
                          .scope = LimitScope::kEndpoint,
                          .count = requests_max,
                          .window = kRequestTimeMax});
  return rules;
}

GateRules RefusalRulesOf(GateRules rules) {
  if (rules.feedback_scope != LimitScope::kCredentialAndEndpoint)
    rules.feedback_scope = LimitScope::kCredential;
  return rules;
}

}  // namespace patra::domain
