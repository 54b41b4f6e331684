#include "domain/gate/gate_rules.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace patra::domain {
namespace {

constexpr Duration kSlotLifeMax = std::chrono::milliseconds(250);
constexpr Duration kWindowMax = std::chrono::days(366);
constexpr std::int64_t kCountMax = 1'000'000'000;
constexpr std::int64_t kWhole = 1'000'000;  // of parts per million

bool IsPacedOrWindow(const Limit& limit) {
  return limit.kind == LimitKind::kPaced || limit.kind == LimitKind::kSlidingWindow ||
         limit.kind == LimitKind::kFixedWindow;
}

std::string_view WrongIn(const Limit& limit, const GateRules& rules) {
  if (limit.count < 1 || limit.count > kCountMax) return "the count is out of bounds";
  if (limit.window < std::chrono::milliseconds(1) || limit.window > kWindowMax)
    return "the window is out of bounds";
  if (limit.jitter < Duration::zero() || limit.jitter > limit.window)
    return "the jitter is negative or longer than the window";
  if (limit.kind == LimitKind::kFixedWindow && rules.Guard(limit) > limit.window / 4)
    return "the jitter is too long for a fixed window";
  if (limit.kind == LimitKind::kConcurrency && limit.count > kConcurrencyMax)
    return "more requests at the same time than can be watched";
  if (limit.kind != LimitKind::kConcurrency && rules.cost_max > limit.count)
    return "a single request may cost more than the limit allows";
  if (limit.reserve < 0 || limit.kept < 0 || limit.reserve + limit.kept >= limit.count)
    return "the reserve leaves nothing";
  return {};
}

}  // namespace

std::vector<HeaderRule> UsualHeaderRules() {
  using enum HeaderMeaning;
  return {{"x-ratelimit-limit", kLimit},       {"x-ratelimit-remaining", kRemaining},
          {"x-ratelimit-reset", kReset},       {"ratelimit-limit", kLimit},
          {"ratelimit-remaining", kRemaining}, {"ratelimit-reset", kReset},
          {"x-rate-limit-limit", kLimit},      {"x-rate-limit-interval", kInterval},
          {"x-ratelimit-interval", kInterval}, {"x-rate-limit-remaining", kRemaining},
          {"x-rate-limit-reset", kReset},      {"x-concurrency-limit", kConcurrency}};
}

Duration GateRules::SlotLife() const {
  auto life = kSlotLifeMax;
  for (const auto& limit : limits) {
    if (IsPacedOrWindow(limit)) life = std::min(life, limit.window / 250);
  }
  return life;
}

std::vector<LimitScope> GateRules::Scopes() const {
  std::vector<LimitScope> scopes{feedback_scope, breaker_scope};
  for (const auto& limit : limits) scopes.push_back(limit.scope);
  std::ranges::sort(scopes);
  scopes.erase(std::ranges::unique(scopes).begin(), scopes.end());
  return scopes;
}

std::int64_t GateRules::RequestsPerDay(LimitScope scope) const {
  constexpr Duration kDay = std::chrono::days(1);
  std::optional<std::int64_t> least;
  for (const auto& limit : limits) {
    if (limit.scope != scope || !IsPacedOrWindow(limit)) continue;
    const auto windows = std::chrono::duration<double>(kDay) / limit.window;
    const auto requests = static_cast<double>(limit.count / cost_max) * windows;
    const auto per_day = std::max<std::int64_t>(1, static_cast<std::int64_t>(requests));
    least = std::min(least.value_or(per_day), per_day);
  }
  return least.value_or(0);
}

Result<void> Validate(const GateRules& rules) {
  const auto fail = [](std::string what) {
    return Fail(ErrorCode::kInvalidInput, "rate limit: " + std::move(what));
  };
  if (rules.limits.empty()) return fail("a source needs at least one limit");
  std::array<std::size_t, kScopes> per_scope{};
  for (std::size_t i = 0; i < rules.limits.size(); ++i) {
    const auto wrong = WrongIn(rules.limits[i], rules);
    if (!wrong.empty()) return fail(fmt::format("{} (limit {})", wrong, i + 1));
    if (++per_scope.at(static_cast<std::size_t>(rules.limits[i].scope)) > kLimitsPerScopeMax)
      return Fail(ErrorCode::kInvalidInput,
                  fmt::format("rate limit: more than {} numbers count by the same key (`per`)",
                              kLimitsPerScopeMax),
                  {},
                  "a rate, a concurrency and each quota are one; leave out what the others imply");
  }
  if (rules.cost_max < 1) return fail("a request costs at least 1");
  if (rules.urgent_rate < 0 || rules.urgent_rate >= kWhole)
    return fail("harvests cannot have the whole rate");
  const auto told = rules.told_limit;
  if (told < 0 || static_cast<std::size_t>(told) >= rules.limits.size())
    return fail("told_limit names no limit");
  const auto& adapt = rules.adapt;
  if (adapt.start < 1 || adapt.start > adapt.ceiling || adapt.ceiling > 1'000 * kWhole ||
      adapt.cut_to < 1 || adapt.cut_to >= kWhole || adapt.known_step < 1 ||
      adapt.unknown_step < 1 || !(adapt.rate_min_per_second >= 0) ||
      (adapt.limit_is_known && adapt.ceiling != kWhole))
    return fail("the numbers of the adaptation are out of bounds");
  if (rules.breaker.failures_in_a_row < 1 || rules.breaker.probes < 1 ||
      rules.breaker.probe_timeout <= Duration::zero() ||
      rules.breaker.open_for <= Duration::zero() ||
      rules.breaker.open_for_max < rules.breaker.open_for)
    return fail("the numbers of the breaker are out of bounds");
  if (rules.quantum < 1) return fail("the quantum is at least 1");
  if (rules.retry_share < 0 || rules.retry_share > kWhole || rules.retry_burst < 0)
    return fail("the retry budget is out of bounds");
  if (rules.cool_down_default < Duration::zero() || rules.probe_every < rules.cool_down_default)
    return fail("the cool-down is out of bounds");
  return {};
}

}  // namespace patra::domain
